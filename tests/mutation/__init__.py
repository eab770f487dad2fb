"""Mutation testing: change the code in small ways and see whether a test notices."""
