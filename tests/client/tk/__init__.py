"""The window: its parts one by one, and whole, as people use it."""
