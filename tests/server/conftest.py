"""What the tests of the server share."""

from tests.server.tournaments.halls import hall

__all__ = ["hall"]
