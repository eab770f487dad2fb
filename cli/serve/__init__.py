"""The command that runs a server, and the resident bots of that server."""
