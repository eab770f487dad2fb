"""Nim with up to four heaps, in normal and misère play."""
