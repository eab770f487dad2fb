"""Decisions of a runner that need no I/O: pauses, plans, policy, time per move."""
