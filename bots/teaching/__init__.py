"""Make puzzles from games of bots, and check puzzles and lessons, with the exact solver."""
