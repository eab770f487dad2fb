"""The two kinds of error of tournaments.

::

    TournamentError(ValueError)    a request that cannot be carried out: one sentence for people,
                                   nothing changed
    CorruptTournament(Exception)   our own trouble: stored rows that do not fit together
"""

from __future__ import annotations


class TournamentError(ValueError):
    """A request that the tournament refuses; the message is one sentence for people."""


class CorruptTournament(Exception):  # noqa: N818 - reads as what happened
    """Rows, tags or outcomes that cannot belong to one tournament."""
