"""The commands with which a host manages a server."""
