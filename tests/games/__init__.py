"""Tests of the rules, the notation and the records."""
