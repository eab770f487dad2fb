"""Reads and writes whole databases, for commands of the host."""
