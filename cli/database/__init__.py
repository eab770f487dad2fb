"""Commands that check, copy and upgrade the database of a server."""
