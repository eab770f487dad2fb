"""Reach servers and play on them: connections, HTTP, passwords, matches of bots."""
