"""The errors that the rules raise. All derive from `GameError` and leave the state unchanged::

GameError(ValueError)
+-- BadParameter     a size or option that the game does not allow
+-- BadOpening       an opening that the game does not allow
+-- IllegalAction    an action that this position does not allow
+-- BadRecord        text that is not a valid record, move name, edge string or board
+-- UnknownGame      a key that is not in the registry
"""

# ruff: noqa: N818 - the names say what is wrong, without the suffix "Error".


class GameError(ValueError):
    """A request that the rules do not allow; its message is one sentence for users."""


class BadParameter(GameError):
    """A parameter that is unknown, not a whole number, or out of its range."""


class BadOpening(GameError):
    """An opening that this game cannot start from."""


class IllegalAction(GameError):
    """An action that this position does not allow."""


class BadRecord(GameError):
    """Text that cannot be read as a record, a move name, an edge string or a board."""


class UnknownGame(GameError):
    """A key for which no game is registered."""
