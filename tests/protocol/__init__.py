"""Tests of the wire contract."""
