"""The formats of tournaments, one file each; `registry` lists them all."""
