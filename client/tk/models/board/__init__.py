"""The view model of a board: positions of dots and cells, animation, features to draw."""
