"""Decide what the screens of the course show, without Tk."""
