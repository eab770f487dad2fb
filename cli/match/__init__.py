"""The command that plays a match between two bots on a server."""
