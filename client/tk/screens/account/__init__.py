"""The screen of the player's account, and its dialogs."""
