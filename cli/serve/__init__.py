"""Commands that run a server, and that measure how much one can carry."""
