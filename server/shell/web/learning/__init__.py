"""The HTTP interface to lessons and puzzles."""
