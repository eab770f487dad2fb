"""Measure what a move, a spectator and the end of a node cost in a cluster."""
