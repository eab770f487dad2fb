"""Run several equal nodes as one server."""
