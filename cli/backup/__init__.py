"""Commands that save a server and restore it."""
