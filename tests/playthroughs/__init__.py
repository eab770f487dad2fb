"""Recorded random games, and the command that records them again."""
