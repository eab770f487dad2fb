"""Commands about puzzles."""
