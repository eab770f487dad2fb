"""Arrange matches of two bots for people who want to watch them."""
