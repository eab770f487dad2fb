"""Tournaments: the core that pairs players, and the director that runs it on the server."""
