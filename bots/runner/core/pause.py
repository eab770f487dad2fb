"""How long a bot waits before its move is shown to a person: long enough to follow, never felt.

A bot that answers within a millisecond plays a whole chain between two glances at the board. So
against people it lets a moment pass: a longer one where a person would look and decide, a short
one between the captures of a run, so that one box is seen to fall after the other. The time that
it thought is part of the moment, and a clock that gets short ends the courtesy.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Final

from client.core.room import RoomMirror
from games.api import State

MOST_S: Final = 1.2
"""The longest pause unless something else is asked for, in seconds."""
SHORT_CLOCK_S: Final = 5.0
"""With less than this on its clock a bot does not pause."""

_DECISION: Final = (1 / 3, 1.0)
_CAPTURE: Final = (0.21, 0.29)
"""Shares of the longest pause: before a decision, and before a capture that follows another."""
_STEADY: Final = 12
"""After so many moves in a row a run goes faster and faster, or one of fifty boxes would bore."""
_CLOCK_SHARE: Final = 0.02
_INCREMENT_SHARE: Final = 0.5
_MOVE_SHARE: Final = 0.2


@dataclass(frozen=True, slots=True)
class Moment:
    """What a pause depends on; times in seconds.

    `human` says whether a person plays the other seat. `run` counts the moves that the bot has
    made in a row just before, without one of the opponent between; `captures` says whether the
    move that waits takes something. `thought_s` has passed since the bot was to move. `clock_s`
    is what is left on its clock, to which a move gives `increment_s` back, `move_s` what is left
    of the limit for this move; None where there is none.
    """

    human: bool
    run: int = 0
    captures: bool = False
    thought_s: float = 0.0
    clock_s: float | None = None
    increment_s: float = 0.0
    move_s: float | None = None


@dataclass(frozen=True, slots=True)
class Pause:
    """Pauses of at most `most_s` seconds, from the opponent's move on. With `always` a bot pauses
    against bots too, for people who watch.

    Raises:
        ValueError: `most_s` is below zero.
    """

    most_s: float = MOST_S
    always: bool = False

    def __post_init__(self) -> None:
        if not self.most_s >= 0:
            raise ValueError(f"A pause cannot take {self.most_s:g} seconds.")

    def before(self, moment: Moment, rng: Random) -> float:
        """How long to wait now, in seconds; 0 where there is nobody to wait for or no time.

        At most a fiftieth of the clock and half of the increment, and a fifth of the limit for
        the move.
        """
        if not moment.human and not self.always:
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
    """The moment in which this player is about to play `action` in `state`, which is the position
    of `mirror` and is only read. `now`, and `since` when the player was to move, are in seconds
    of the client's clock."""
    me = state.current_player()
    other = mirror.players[1 - me]
    after = state.clone()
    after.apply(action)
    control = mirror.settings.time
    clocks = mirror.clock.remaining_ms(now)
    budget_ms = None if control.move_ms is None else mirror.clock.budget_ms(now)
    return Moment(
        human=other is not None and other.kind == "human",
        run=_run(state, me),
        captures=after.scores()[me] > state.scores()[me],
        thought_s=max(0.0, now - since),
        clock_s=None if clocks is None else clocks[me] / 1000,
        increment_s=control.increment_ms / 1000,
        move_s=None if budget_ms is None else budget_ms / 1000,
    )


def _run(state: State, player: int) -> int:
    """How many of the last moves before `state` were made by `player`, one after the other."""
    before = state.clone()
    run = 0
    while before.ply:
        before.undo()
        if before.current_player() != player:
            break
        run += 1
    return run
