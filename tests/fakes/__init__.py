"""Fake implementations for the tests."""
