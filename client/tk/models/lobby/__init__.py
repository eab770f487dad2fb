"""View models of the lobby and its dialogs."""
