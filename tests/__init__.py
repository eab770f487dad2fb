"""The tests, in the tree that they test."""
