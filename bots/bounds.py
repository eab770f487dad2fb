"""Bound the moves of a bot more tightly than its game does."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from doublecross.bots.api import Bot, Choice, Limit, StopFlag
from doublecross.bots.clock import now
from doublecross.games.api import State


@dataclass(frozen=True, slots=True)
class Bounds:
    """The most that a bot may use for a move: seconds, positions searched and plies."""

    time_s: float | None = None
    nodes: int | None = None
    depth: int | None = None

    def limit(self, limit: Limit) -> Limit:
        """Return `limit` where it is tighter, else these bounds."""
        least: dict[str, Any] = {}
        for name in ("time_s", "nodes", "depth"):
            mine, given = getattr(self, name), getattr(limit, name)
            if mine is not None:
                least[name] = mine if given is None else min(given, mine)
        return replace(limit, **least)

    def stop(self, stop: StopFlag) -> StopFlag:
        """Return a flag that is set with `stop`, and when the time of these bounds is over."""
        return stop if self.time_s is None else _Sooner(stop, now() + self.time_s)


@dataclass(frozen=True, slots=True)
class _Sooner:
    """A stop flag that is also set at `end`."""

    stop: StopFlag
    end: float

    def is_set(self) -> bool:
        """Return whether the bot should answer now."""
        return self.stop.is_set() or now() >= self.end


def bounded(kind: type[Bot], bounds: Bounds, about: dict[str, Any]) -> type[Bot]:
    """Return a subclass of `kind` that keeps to `bounds`, with the attributes `about`."""

    def choose(self: Bot, state: State, limit: Limit, stop: StopFlag) -> Choice:
        return kind.choose(self, state, bounds.limit(limit), bounds.stop(stop))

    return type(kind.__name__, (kind,), {"choose": choose, **about})
