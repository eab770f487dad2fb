"""Define the games that a run can train: Dots and Boxes, and others whose boards are grids."""
