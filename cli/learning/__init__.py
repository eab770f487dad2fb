"""The commands `lessons` and `puzzles`."""
