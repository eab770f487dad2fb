"""The two kinds of error of tournaments.

::

    TournamentError(ValueError)    a request that cannot be carried out; nothing has changed
    CorruptTournament(Exception)   stored rows that do not fit together, which is our own fault
"""

from __future__ import annotations


class TournamentError(ValueError):
    """Raised when a tournament refuses a request. The message is one sentence for people."""


class CorruptTournament(Exception):  # noqa: N818 - reads as what happened
    """Raised when rows, tags or outcomes do not belong to one tournament."""
