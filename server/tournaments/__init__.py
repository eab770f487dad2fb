"""Tournaments: a core that pairs players, and a director that runs tournaments on the server."""
