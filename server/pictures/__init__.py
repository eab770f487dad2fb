"""Pictures of games: drawings as SVG, PNG, animated GIF and animated WebP.

`drawing` turns a position into shapes, `svg` and `raster` write them, and `service` does that in a
process of its own for the HTTP interface.
"""
