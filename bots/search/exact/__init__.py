"""The exact solver of Dots and Boxes."""
