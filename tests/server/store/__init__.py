"""Tests of `doublecross.server.store`, on real database files."""
