"""Plays games with networks and measures them: against the truth, each other, and other bots."""
