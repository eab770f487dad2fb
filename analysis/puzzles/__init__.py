"""Puzzles: positions in which the natural move fails, their grading, and how to solve them."""
