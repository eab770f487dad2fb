"""Players: accounts, classes, whom they know, and what they learn."""
