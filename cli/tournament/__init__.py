"""Commands for tournaments and ladders."""
