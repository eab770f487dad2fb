"""Compute how long a bot pauses before a move, so that a person can follow the game.

A bot that answers within a millisecond plays a whole chain before its opponent sees the first
capture. So it pauses against people, and in a match of two bots that a person has arranged: longer
before a decision, and shorter between captures in a row. Then people see the boxes change one
after the other. The time that the bot spent thinking counts as part of the pause. A bot with little
time on its clock does not pause.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Final

from doublecross.client.core.room import RoomMirror
from doublecross.games.api import State

MOST_S: Final = 1.2
"""The longest pause by default, in seconds."""
SHORT_CLOCK_S: Final = 5.0
"""With less than this on its clock a bot does not pause."""

_DECISION: Final = (1 / 3, 1.0)
_CAPTURE: Final = (0.21, 0.29)
"""Shares of the longest pause: before a decision, and before a capture that follows another."""
_STEADY: Final = 12
"""After this many moves in a row the pauses become shorter, because long runs would be tedious."""
_CLOCK_SHARE: Final = 0.02
_INCREMENT_SHARE: Final = 0.5
_MOVE_SHARE: Final = 0.2
"""The largest parts of the clock, of the increment and of the time for the move that a pause may
take."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The facts that a pause depends on; times in seconds.

    `watched` says whether a person plays the other seat, or arranged the match. `run` counts the
    bot's last moves in a row, without a move of the opponent between them. `captures` says whether
    the next move captures. `thought_s` is the time since the bot's turn began. `clock_s` is the
    bot's remaining clock, to which a move adds `increment_s`, and `move_s` the remaining time for
    this move; both are None without such a limit.
    """

    watched: bool
    run: int = 0
    captures: bool = False
    thought_s: float = 0.0
    clock_s: float | None = None
    increment_s: float = 0.0
    move_s: float | None = None


@dataclass(frozen=True, slots=True)
class Pause:
    """The settings for pauses: at most `most_s` seconds, counted from the opponent's move.

    With `always` the bot pauses in all matches against bots, for spectators.

    Raises:
        ValueError: `most_s` is below zero.
    """

    most_s: float = MOST_S
    always: bool = False

    def __post_init__(self) -> None:
        if not self.most_s >= 0:
            raise ValueError(f"A pause takes zero seconds or more, not {self.most_s:g}.")

    def before(self, moment: Moment, rng: Random) -> float:
        """Return the pause before the move, in seconds; 0 without a person or without time.

        The pause takes at most a fiftieth of the clock plus half of the increment, and at most a
        fifth of the time for the move.
        """
        if not moment.watched and not self.always:
            return 0.0
        if moment.run and moment.captures:
            wanted = rng.uniform(*_CAPTURE) * min(1.0, _STEADY / moment.run)
        else:
            wanted = rng.uniform(*_DECISION)
        wanted *= self.most_s
        if moment.clock_s is not None:
            if moment.clock_s < SHORT_CLOCK_S:
                return 0.0
            share = _CLOCK_SHARE * moment.clock_s + _INCREMENT_SHARE * moment.increment_s
            wanted = min(wanted, share)
        if moment.move_s is not None:
            wanted = min(wanted, _MOVE_SHARE * moment.move_s)
        return max(0.0, wanted - moment.thought_s)


def moment_before(
    mirror: RoomMirror, state: State, action: int, *, now: float, since: float
) -> Moment:
    """Collect the facts for the pause before this player plays `action`.

    `state` is the position of `mirror`; it stays unchanged. `now` and `since`, the beginning of the
    player's turn, are in seconds on the client's clock.
    """
    me = state.current_player()
    other = mirror.players[1 - me]
    after = state.clone()
    after.apply(action)
    control = mirror.settings.time
    clocks = mirror.clock.remaining_ms(now)
    budget_ms = None if control.move_ms is None else mirror.clock.budget_ms(now)
    return Moment(
        watched=mirror.asked_by is not None or (other is not None and other.kind == "human"),
        run=_run(state, me),
        captures=after.scores()[me] > state.scores()[me],
        thought_s=max(0.0, now - since),
        clock_s=None if clocks is None else clocks[me] / 1000,
        increment_s=control.increment_ms / 1000,
        move_s=None if budget_ms is None else budget_ms / 1000,
    )


def _run(state: State, player: int) -> int:
    """Return how many of the last moves before `state` were made by `player` in a row."""
    before = state.clone()
    run = 0
    while before.ply:
        before.undo()
        if before.current_player() != player:
            break
        run += 1
    return run
