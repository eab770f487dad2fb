"""Commands that back up, restore, check, copy and upgrade the database of a server."""
