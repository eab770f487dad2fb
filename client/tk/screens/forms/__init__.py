"""The dialogs of the lobby that start or join matches and tournaments."""
