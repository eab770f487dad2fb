"""The board and the widgets around it."""
