"""The view model of a board: geometry, hit testing, animation, and features to draw."""
