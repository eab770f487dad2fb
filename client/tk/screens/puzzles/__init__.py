"""The screen of the puzzles."""
