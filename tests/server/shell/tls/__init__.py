"""Tests of the server's own TLS."""
