"""Say for people how a game ended, and shorten the names of its players."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Final

from doublecross.games.record import Record

_REASONS: Final = {
    "resigned": "resigned",
    "timeout": "ran out of time",
    "disconnect": "stayed away",
    "illegal": "played an illegal action",
    "crash": "crashed",
}


def result_sentence(
    players: Sequence[str], winner: int | None, termination: str, scores: Sequence[int]
) -> str:
    """Say in one sentence how a match ended."""
    if termination in ("aborted", "void"):
        why = (
            "was called off" if termination == "aborted" else "could not be restored by the server"
        )
        return f"The match {why}. It has no result."
    if termination == "adjudicated":
        # The scores on the board are not those of the result.
        return f"{'Drawn' if winner is None else f'{players[winner]} wins'} by adjudication."
    count = f"{max(scores)}:{min(scores)}" if winner is None else _ordered(scores, winner)
    if winner is None:
        return f"Drawn, {count}."
    if termination == "completed":
        return f"{players[winner]} wins {count}."
    reason = _REASONS.get(termination, termination)
    return f"{players[winner]} wins: {players[1 - winner]} {reason}."


def record_sentence(record: Record) -> str:
    """Say how the game of a record ended."""
    if record.result == "*" and record.termination not in ("aborted", "void"):
        return "The game was not finished."
    termination, scores = record.termination or "completed", record.final_state().scores()
    return result_sentence(record.players, record.winner, termination, scores)


def initials(first: str, second: str) -> tuple[str, str]:
    """Return one or two characters for each of two names, so that the names differ."""
    short = first[:1].upper(), second[:1].upper()
    if short[0] != short[1]:
        return short
    for one, other in zip_longest(first[1:], second[1:], fillvalue=""):
        if one.casefold() != other.casefold():
            if one.isalnum() and other.isalnum():
                return f"{short[0]}{one.lower()}", f"{short[1]}{other.lower()}"
            break
    return f"{short[0]}1", f"{short[1]}2"


def _ordered(scores: Sequence[int], winner: int) -> str:
    return f"{scores[winner]}:{scores[1 - winner]}"
