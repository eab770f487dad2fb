"""Tests of the SQLite writer."""
