"""Tree search with playouts for Dots and Boxes."""
