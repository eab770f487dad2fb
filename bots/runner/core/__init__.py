"""Decisions of a runner without I/O: pauses, plans, which games to accept, time for a move."""
