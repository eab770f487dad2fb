"""Commands that analyse positions and searches, and that make and check puzzles and lessons."""
