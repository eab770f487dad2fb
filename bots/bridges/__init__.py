"""Bridges to other frameworks: their bots and games here, and ours there."""
