"""Commands that list the bots, let one join a server, and let two of them play a match."""
