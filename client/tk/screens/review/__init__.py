"""The review of a finished game, and the choice of a record file."""
