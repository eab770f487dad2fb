"""Turn a game into a report: what each move cost, where the game turned, and why, in words."""
