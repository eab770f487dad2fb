"""The limits of the bots of `doublecross arena`, `doublecross sprt` and `doublecross gauntlet`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from doublecross.cli.shared.console import Problem, warn
from doublecross.cli.shared.parsing import time_of

if TYPE_CHECKING:
    from doublecross.bots.arena.moves import MoveBudget
    from doublecross.bots.registry import BotSpec

Options = tuple[float | None, str | None, int | None, int | None]

DEFAULT_TIME_S: Final = 0.1
"""Seconds for a move if no option says anything else."""


@dataclass(frozen=True, slots=True)
class ArenaLimits:
    """The limits of each bot; with `cpu` they count processor time.

    `memory_mb`, `pin` and `adjudicate` are those of an `ArenaJob`.
    """

    budgets: tuple[MoveBudget, ...]
    cpu: bool = False
    memory_mb: int | None = None
    pin: bool = False
    adjudicate: int = 0

    def of_bots(self, specs: tuple[BotSpec, ...]) -> ArenaLimits:
        """Return the limits of these bots: any further bot has those of the last one.

        They are these limits with the clocks that bots have in ``engines.toml``.

        Warn of each bot that does not obey a limit of nodes or depth that it has. Refuse to count
        the processor time of programs: only that of this package's processes is measured.
        """
        from doublecross.bots.programs.bot import ProgramBot
        from doublecross.bots.registry import bot_class

        given = (*self.budgets, *self.budgets[-1:] * (len(specs) - len(self.budgets)))
        said = set()
        for spec in specs:
            if self.cpu and issubclass(bot_class(spec.name), ProgramBot):
                raise Problem(f"--cpu cannot measure {spec.name}, which is a program of its own.")
        for spec, budget in zip(specs, given, strict=True):
            for name, limit in (("nodes", budget.nodes), ("depth", budget.depth)):
                ignores = limit is not None and name not in bot_class(spec.name).obeys
                if ignores and (spec.name, name) not in said:
                    said.add((spec.name, name))
                    warn(f"{spec.name} ignores --{name}: it plays as without this limit.", "yellow")
        budgets = (
            _with_clock(budget, bot_class(spec.name).clock, spec.name)
            for spec, budget in zip(specs, given, strict=True)
        )
        return replace(self, budgets=tuple(budgets))


def limits_of(first: Options, second: Options, margin_s: float | None, *, cpu: bool) -> ArenaLimits:
    """Return the limits that these options describe: time, clock, nodes and depth of each bot.

    The second bot has the limits of the first one if no option gives it limits of its own.
    """
    if margin_s is not None and not 0 <= margin_s < float("inf"):
        raise Problem(f"--margin must be zero or more, not {margin_s}.")
    one = budget_of(*first, margin_s)
    two = one if second == (None,) * 4 else budget_of(*second, margin_s, "-b")
    if margin_s is not None and one.margin is None and two.margin is None:
        raise Problem("--margin needs --time.")
    return ArenaLimits((one, two), cpu)


def budget_of(
    time_s: float | None,
    clock: str | None,
    nodes: int | None,
    depth: int | None,
    margin_s: float | None,
    suffix: str = "",
) -> MoveBudget:
    """Return the budget that these options describe; their names end with `suffix`."""
    from doublecross.bots.arena.moves import MoveBudget

    for name, value in (("--time", time_s), ("--nodes", nodes), ("--depth", depth)):
        if value is not None and not 0 < value < float("inf"):
            raise Problem(f"{name}{suffix} must be above zero, not {value}.")
    base_s, increment_s = None, 0.0
    if clock is not None:
        base_s, increment_s = _clock_of(f"--clock{suffix}", clock)
    if time_s is None and clock is None and nodes is None and depth is None:
        time_s = DEFAULT_TIME_S
    return MoveBudget(time_s, base_s, increment_s, depth, nodes, margin_s=margin_s)


def _with_clock(budget: MoveBudget, clock: str, bot: str) -> MoveBudget:
    """Return `budget` with the clock of a bot instead of its own times, if the bot has one."""
    if not clock:
        return budget
    base_s, increment_s = _clock_of(f"The clock of {bot}", clock)
    return replace(budget, time_s=None, margin_s=None, clock_s=base_s, increment_s=increment_s)


def _clock_of(what: str, text: str) -> tuple[float, float]:
    """Return the seconds of a clock such as ``10+0.1``, and those that each move adds."""
    control = time_of(text)
    if control.base_ms is None or control.move_ms is not None:
        raise Problem(
            f"{what} must be seconds a side + seconds a move, such as 10+0.1, not {text!r}."
        )
    return control.base_ms / 1000, control.increment_ms / 1000
