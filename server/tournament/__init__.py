"""Tournaments without I/O: who meets whom, from which opening, and what came of it."""
