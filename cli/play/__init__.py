"""Commands that play: people in a window, bots on a server, and matches of bots."""
