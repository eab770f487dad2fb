"""What the lobby asks before a match: its dialogs."""
