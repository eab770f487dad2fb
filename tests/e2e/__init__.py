"""Whole programs in their own processes, as users run them."""
