"""The errors of the rules. All are `GameError`, and all leave the state as it was::

GameError(ValueError)
+-- BadParameter     a size or option that the game does not allow
+-- BadOpening       an opening that the game does not allow
+-- IllegalAction    an action that this position does not allow
+-- BadRecord        text that is no record, lattice notation, edge string or board
+-- UnknownGame      a key that is not in the registry
"""

# ruff: noqa: N818 - the errors are named for what is wrong, as the tree above reads.


class GameError(ValueError):
    """A request that the rules do not allow; the message is one sentence for people."""


class BadParameter(GameError):
    """A size or option out of its range."""


class BadOpening(GameError):
    """An opening that this game cannot start from."""


class IllegalAction(GameError):
    """An action that this position does not allow."""


class BadRecord(GameError):
    """Text that cannot be read as a record, a notation or a board."""


class UnknownGame(GameError):
    """No game of that key is registered."""
