"""Measure how much a server can carry: `doublecross load`."""
