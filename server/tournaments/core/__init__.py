"""Tournaments: a core without I/O that says who plays whom next, and what came of it."""
