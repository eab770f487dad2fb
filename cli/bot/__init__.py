"""Commands that list the bots and let one join a server."""
