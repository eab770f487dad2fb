"""Compare the stored records of games with what their players were told."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from doublecross.cli.cluster.journal import Played
from doublecross.games.api import GameError
from doublecross.games.record import Record, parse_records


@dataclass(slots=True)
class Findings:
    """The findings of a check of games.

    `lost` are acknowledged moves that are not in the record, `other` are moves in records that no
    player was told, or that were acknowledged twice. `problems` are sentences about each of them.
    """

    games: int = 0
    moves: int = 0
    lost: int = 0
    other: int = 0
    problems: list[str] = field(default_factory=list)

    def add(self, more: Findings) -> None:
        """Add what the check of further games has found."""
        self.games += more.games
        self.moves += more.moves
        self.lost += more.lost
        self.other += more.other
        self.problems += more.problems


def check(games: Iterable[tuple[Played, str]]) -> Findings:
    """Check games that have ended, each with the text of its record.

    Reading a record replays it by the rules, so an illegal move is a problem.
    """
    found = Findings()
    for played, text in games:
        found.games += 1
        found.moves += len(played.acknowledged)
        try:
            (record,) = parse_records(text)
            state = record.final_state()
        except (GameError, ValueError) as error:
            found.lost += len(played.acknowledged)
            found.problems.append(f"The record of room {played.room} cannot be read: {error}")
            continue
        _compare_moves(played, record, found)
        if record.termination != "completed" or not state.is_terminal():
            found.problems.append(
                f"The game of room {played.room} was not played to its end: {record.termination}."
            )
        for ending in played.endings:
            if (ending.moves, tuple(ending.scores)) != (len(record.moves), tuple(state.scores())):
                found.problems.append(
                    f"Seat {ending.seat} of room {played.room} saw another final position."
                )
    return found


def _compare_moves(played: Played, record: Record, found: Findings) -> None:
    """Compare the acknowledged moves of a game with those of its record."""
    state = record.game.initial_state(record.opening)
    stored = {}
    for ply, move in enumerate(record.moves):
        stored[ply] = (state.current_player(), move.action)
        state.apply(move.action)
    for ply, told in sorted(played.acknowledged.items()):
        if stored.get(ply) != told:
            found.lost += 1
            found.problems.append(f"Move {ply} of room {played.room} is not in its record.")
    for ply in sorted(stored.keys() - played.acknowledged.keys()):
        found.other += 1
        found.problems.append(f"Move {ply} of room {played.room} was acknowledged to nobody.")
    for ply in played.doubled:
        found.other += 1
        found.problems.append(f"Two moves {ply} of room {played.room} were acknowledged.")
