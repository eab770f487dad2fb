"""Commands that compare two bots without a server."""
