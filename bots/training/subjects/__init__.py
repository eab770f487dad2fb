"""What a run can train: Dots and Boxes, and other games whose boards are grids."""
