"""The engine behind the strong Dots and Boxes bots: exact where it can be, sampling before that."""
