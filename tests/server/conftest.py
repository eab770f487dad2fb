"""Fixtures for the tests of the server."""

from tests.server.tournaments.halls import hall

__all__ = ["hall"]
