"""The formats of a tournament, one file each; `registry` knows them all."""
