"""What the tests of the server share."""

from tests.server.halls import hall

__all__ = ["hall"]
