"""The list of this player's own finished games, with a search and statistics."""
