"""Accounts over HTTP: log in, set a password, manage tokens and bots."""
