"""Tests of the window: its parts one by one, and the whole window as people use it."""
