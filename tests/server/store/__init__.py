"""Tests of `server.store`, on real database files."""
