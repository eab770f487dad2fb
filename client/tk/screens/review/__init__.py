"""The review of a finished game, and the dialog that opens game files."""
