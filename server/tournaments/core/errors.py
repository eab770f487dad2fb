"""The error of tournaments that is our own fault. Requests raise `Refused`."""

from __future__ import annotations


class CorruptTournament(Exception):  # noqa: N818 - reads as what happened
    """Raised when rows, tags or outcomes do not belong to one tournament."""
