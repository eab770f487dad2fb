"""Search for better values of a bot's options by playing against a fixed opponent.

Theory of operation
-------------------
Optuna proposes values (a tree-structured Parzen estimator: J. Bergstra et al., 2011) and stores
every trial in a journal file, so a search goes on where it was stopped. A batch of trials is one
job of the arena: each plays the same openings against the opponent, so all have the same luck. What
a trial of a stopped batch had played is lost, and its values count as not tried.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final, Literal

from doublecross.bots.api import Bot, BotError
from doublecross.bots.arena.arena import Arena
from doublecross.bots.arena.cluster import ClusterArena
from doublecross.bots.arena.folder import keep_terms
from doublecross.bots.arena.job import ArenaGame, ArenaJob, PairTask
from doublecross.bots.arena.moves import MoveBudget
from doublecross.bots.arena.tally import PairTally
from doublecross.bots.registry import BotSpec
from doublecross.games.api import Game

if TYPE_CHECKING:
    from optuna.distributions import BaseDistribution
    from optuna.study import Study
    from optuna.trial import FrozenTrial, Trial

JOURNAL: Final = "trials.log"
Aim = Literal["score", "net"]
"""What a trial is judged by: its share of the points, or its net boxes a game."""


@dataclass(frozen=True, slots=True)
class Tuned:
    """An option to tune: a range from `low` to `high`, of whole numbers or not, or `choices`."""

    name: str
    low: float = 0.0
    high: float = 0.0
    whole: bool = False
    choices: tuple[str, ...] = ()

    @property
    def distribution(self) -> BaseDistribution:
        """The option as optuna knows it."""
        from optuna import distributions

        if self.choices:
            return distributions.CategoricalDistribution(self.choices)
        if self.whole:
            return distributions.IntDistribution(int(self.low), int(self.high))
        return distributions.FloatDistribution(self.low, self.high)


def read_tuned(text: str, kind: type[Bot]) -> Tuned:
    """Return the option that a text such as ``c=0.5..3`` or ``style=calm|wild`` describes.

    Raises:
        BotError: the text has another form, or the bot of this class refuses a value.
    """
    name, equals, values = (part.strip() for part in text.partition("="))
    low, dots, high = values.partition("..")
    choices = tuple(word.strip() for word in values.split("|"))
    if equals and dots:
        try:
            numbers = float(low), float(high)
        except ValueError:
            numbers = 1.0, 0.0
        if numbers[0] < numbers[1]:
            checked = [kind.check_options({name: value})[name] for value in (low, high)]
            # The options of programs stay text.
            whole = all(re.fullmatch(r"[+-]?[0-9]+", str(value)) for value in checked)
            return Tuned(name, *numbers, whole=whole)
    elif equals and len(choices) > 1 and all(choices):
        for value in choices:
            kind.check_options({name: value})
        return Tuned(name, choices=choices)
    raise BotError(f"{text!r} is no option to tune; write NAME=LOW..HIGH or NAME=ONE|OTHER.")


@dataclass(frozen=True, slots=True)
class TuningJob:
    """What to tune: options of the bot `spec`, by `pairs` game pairs with `opponent` a trial.

    `adjudicate` is that of an `ArenaJob`.
    """

    spec: BotSpec
    opponent: BotSpec
    tuned: tuple[Tuned, ...]
    game: Game
    budget: MoveBudget
    pairs: int
    seed: int
    aim: Aim = "score"
    adjudicate: int = 0

    @property
    def terms(self) -> dict[str, str]:
        """What must be the same when a search is continued, in words."""
        return {
            "the bot": str(self.spec),
            "the opponent": str(self.opponent),
            "the range": ", ".join(map(str, self.tuned)),
            "the game": self.game.full_title,
            "the limit": self.budget.limits,
            "the number of pairs": str(self.pairs),
            "the seed": str(self.seed),
            "the aim": self.aim,
            "the adjudication": str(self.adjudicate or "off"),
        }


class Tuning:
    """A search that keeps its trials in `folder`.

    Raises:
        OtherTerms: the folder has a search with other terms.
        OSError: the folder cannot be written.
    """

    def __init__(self, job: TuningJob, folder: Path) -> None:
        import optuna
        from optuna.storages import JournalStorage
        from optuna.storages.journal import JournalFileBackend

        optuna.logging.set_verbosity(optuna.logging.WARNING)
        self.job = job
        keep_terms(folder, job.terms)
        self.study: Study = optuna.create_study(
            study_name="tune",
            storage=JournalStorage(JournalFileBackend(str(folder / JOURNAL))),
            direction="maximize",
            load_if_exists=True,
            sampler=optuna.samplers.TPESampler(
                multivariate=True, constant_liar=True, n_startup_trials=10
            ),
        )
        for trial in self.study.get_trials(states=(optuna.trial.TrialState.RUNNING,)):
            self.study.tell(trial.number, state=optuna.trial.TrialState.FAIL)

    @property
    def finished(self) -> list[FrozenTrial]:
        """The finished trials, the best one first."""
        from optuna.trial import TrialState

        trials = self.study.get_trials(states=(TrialState.COMPLETE,))
        return sorted(trials, key=lambda trial: -(trial.value or 0.0))

    async def run(
        self,
        trials: int,
        *,
        workers: int,
        on_trial: Callable[[Mapping[str, Any], float], None],
        arena: Callable[..., Arena | ClusterArena] = Arena,
    ) -> None:
        """Play until so many trials are finished, those of earlier runs included.

        `arena` makes what plays a job; `workers` is how many games it plays at once.

        Raises:
            BotError: a bot cannot be made or does not play the game.
            ArenaError: the worker processes do not stay up.
        """
        while (left := trials - len(self.finished)) > 0:
            await self._batch(min(left, 2 * workers), on_trial, arena)

    async def _batch(
        self,
        trials: int,
        on_trial: Callable[[Mapping[str, Any], float], None],
        arena: Callable[..., Arena | ClusterArena],
    ) -> None:
        job = self.job
        space = {tuned.name: tuned.distribution for tuned in job.tuned}
        asked: list[Trial] = [self.study.ask(space) for _ in range(trials)]
        first = asked[0].number
        openings = job.game.openings(Random(f"{job.seed}/{first}"), job.pairs).found or ((),)
        tasks = tuple(
            PairTask((player, 0), first * job.pairs + number, openings[number % len(openings)])
            for player in range(1, trials + 1)
            for number in range(job.pairs)
        )
        specs = tuple(
            BotSpec(job.spec.name, {**job.spec.options, **trial.params}) for trial in asked
        )
        tallies = [PairTally((player, 0)) for player in range(1, trials + 1)]

        def on_game(played: ArenaGame) -> None:
            player = played.task.players[0]
            tally, trial = tallies[player - 1], asked[player - 1]
            tally.add(played)
            if len(tally.pairs) == job.pairs:
                value = _value(tally, job.aim)
                self.study.tell(trial, value)
                on_trial(trial.params, value)

        bots = (job.opponent, *specs)
        arena_job = ArenaJob(bots, job.game, tasks, job.budget, job.seed, adjudicate=job.adjudicate)
        await arena(arena_job, on_game=on_game).run()


def save_plots(tuning: Tuning, folder: Path) -> list[Path]:
    """Draw how the search went, and how each option matters; return the files.

    The packages of the extra `reports` must be installed.
    """
    import warnings

    import matplotlib as mpl
    from matplotlib import pyplot
    from optuna.visualization import matplotlib as plots

    mpl.use("Agg")
    files = []
    for name, plot in (
        ("history", plots.plot_optimization_history),
        ("options", plots.plot_slice),
    ):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the drawing functions call themselves experimental
            plot(tuning.study)
        files.append(folder / f"{name}.png")
        pyplot.gcf().set_size_inches(4 + 3 * len(tuning.job.tuned), 5)
        pyplot.savefig(files[-1], dpi=100, bbox_inches="tight")
        pyplot.close("all")
    return files


def _value(tally: PairTally, aim: Aim) -> float:
    if aim == "net":
        return sum(tally.nets) / len(tally.nets)
    first = tally.players[0]
    return sum(game.points(first) for game in tally.games) / len(tally.games)
