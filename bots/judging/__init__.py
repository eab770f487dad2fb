"""Judge finished games and positions: what each move cost, and the process that does it."""
