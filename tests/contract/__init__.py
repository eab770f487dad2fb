"""Contract tests that every game and every bot must pass."""
