"""Fixtures for the tests of the server."""

from tests.server.tournaments.world import world

__all__ = ["world"]
