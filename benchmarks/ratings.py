"""Measure the coverage of rating intervals, and their speed: `python -m benchmarks ratings`.

Coverage is how often an interval contains the known strength of a simulated player.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from functools import partial
from random import Random
from time import perf_counter, process_time
from typing import Annotated, Any, Final

import numpy as np
import typer
from rich.console import Console

from benchmarks import command, machine
from benchmarks.contests import contest
from benchmarks.coverage import Field, Play, coverage, tournament
from benchmarks.figures import Figure, spread
from benchmarks.processes import ROOT
from benchmarks.server.meter import median
from doublecross.stats.elo import RESAMPLES, EloPairing, Method, rate
from doublecross.stats.los import los_matrix
from doublecross.stats.pairs import Pentanomial, score_of_elo

Say = Callable[[str], None]
Numbers = dict[str, Any]

METHODS: Final[tuple[Method, ...]] = ("bootstrap", "analytic")
LEAST: Final = 0.93
MOST: Final = 0.97
"""The least and the most coverage that intervals of 95 % may have."""
ENOUGH: Final = 500
"""The least number of tournaments for a verdict; with fewer, chance adds a percent or two."""
LIBRARIES: Final = ("numpy",)


@dataclass(frozen=True, slots=True)
class Trial:
    """A kind of tournament to simulate.

    Ratings are relative to player `anchor`, or (None) to the mean. `promised` says that its
    coverage must lie between `LEAST` and `MOST`.
    """

    name: str
    field: Field
    anchor: int | None = None
    promised: bool = False
    play: Play = tournament
    share: float = 1.0
    """The share of the usual number of tournaments to simulate; less than 1 if they take long."""


LADDER: Final[Play] = partial(contest, "ladder")
SWISS: Final[Play] = partial(contest, "swiss")
TRIALS: Final = (
    Trial("8 players, 100 pairs for each two", Field(), promised=True),
    Trial("the same, one player at 0", Field(), anchor=0, promised=True),
    Trial("8 players, 10 pairs for each two", Field(pairs=10)),
    Trial("8 players, 3 pairs for each two", Field(pairs=3)),
    Trial("8 players over 600 Elo, 30 pairs", Field(pairs=30, spread=600, seat=0.05)),
    Trial("2 players, 100 pairs", Field(2, 100), anchor=0),
    Trial("2 players, 20 pairs", Field(2, 20), anchor=0),
    Trial(
        "2 players over 1,000 Elo, 20 pairs",
        Field(2, 20, spread=1000, seat=0.0, alike=0.5, drawn=0.0),
        anchor=0,
    ),
    Trial("30 players, 435 pairs by chance", Field(30, 1, chance=True)),
    Trial("12 players over 1,500 Elo, 6 pairs", Field(12, 6, spread=1500, seat=0.0, drawn=0.1)),
    Trial(
        "20 players over 1,500 Elo, 5 pairs with the two next to each side",
        Field(20, 5, spread=1500, near=2, seat=0.0, drawn=0.1),
        share=0.2,
    ),
    Trial(
        "30 players over 2,000 Elo, 4 pairs with the three next to each side",
        Field(30, 4, spread=2000, near=3, seat=0.0, drawn=0.1),
        share=0.1,
    ),
    Trial("ladder, 12 players, 20 pairs each", Field(12, 20), play=LADDER, share=0.2),
    Trial("ladder, 30 players, 20 pairs each", Field(30, 20), play=LADDER, share=0.1),
    Trial("the same over 600 Elo", Field(30, 20, spread=600, seat=0), play=LADDER, share=0.1),
    Trial("the same over 2,000 Elo", Field(30, 20, spread=2000, seat=0), play=LADDER, share=0.1),
    Trial("Swiss, 32 players, 10 rounds", Field(32, 10), play=SWISS, share=0.1),
)


@dataclass(frozen=True, slots=True)
class Size:
    """The size of a field whose ratings are timed: players and finished games."""

    players: int
    games: int
    resamples: int = RESAMPLES
    """0: no bootstrap."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How much to measure."""

    simulations: int = 1000
    resamples: int = RESAMPLES
    trials: tuple[Trial, ...] = TRIALS
    sizes: tuple[Size, ...] = (Size(10, 9_000), Size(100, 50_000), Size(1000, 100_000, 0))
    rounds: int = 7
    seed: int = 1


QUICK: Final = Plan(simulations=50, resamples=200, rounds=3)


def measure_coverage(plan: Plan, say: Say) -> Numbers:
    """Return the coverage in each kind of tournament, by its name and the method."""
    found: Numbers = {}
    for trial in plan.trials:
        simulations = max(2, round(trial.share * plan.simulations))
        found[trial.name] = {"promised": trial.promised, "simulations": simulations}
        for method in METHODS:
            say(f"{trial.name}: {simulations} tournaments, {method}")
            began = process_time()
            result = coverage(
                trial.field,
                simulations,
                Random(plan.seed),  # both methods see the same tournaments
                anchor=trial.anchor,
                method=method,
                resamples=plan.resamples,
                play=trial.play,
            )
            found[trial.name][method] = asdict(result) | {"cpu_s": process_time() - began}
    return found


def measure_speed(plan: Plan, say: Say) -> Numbers:
    """Return wall and CPU seconds of the ratings of each field, by its number of players."""
    found: Numbers = {}
    for size in plan.sizes:
        say(f"{size.players} players, {size.games} games")
        pairings = ladder(size.players, size.games, plan.seed)
        rated = partial(rate, size.players, pairings, Random(1))
        work: dict[str, Callable[[], object]] = {
            "analytic": partial(rated, method="analytic"),
            "bootstrap": partial(rated, resamples=size.resamples),
            "los": partial(los_matrix, size.players, pairings),
        }
        if not size.resamples:
            del work["bootstrap"]
        found[str(size.players)] = {"games": size.games, "resamples": size.resamples} | {
            name: _timed(run, plan.rounds) for name, run in work.items()
        }
    return found


def _timed(run: Callable[[], object], rounds: int) -> Numbers:
    """Return wall and CPU seconds of `run`. It runs once before, to load what it needs."""
    run()
    wall, cpu = [], []
    for _ in range(rounds):
        began, used = perf_counter(), process_time()
        run()
        cpu.append(process_time() - used)
        wall.append(perf_counter() - began)
    return {
        name: {"median": median(times), "least": min(times), "most": max(times)}
        for name, times in (("wall_s", wall), ("cpu_s", cpu))
    }


def ladder(players: int, games: int, seed: int) -> list[EloPairing]:
    """Return the results of a simulated ladder.

    Strengths are normally distributed with a standard deviation of 300 Elo points. Each pair is
    between a random player and one of the 50 next above or below.
    """
    rng = np.random.default_rng(seed)
    truth = np.sort(rng.normal(0.0, 300.0, players))
    pairs = games // 2
    one = rng.integers(players, size=pairs)
    step = rng.integers(1, min(51, players), size=pairs)
    two = np.where(one + step < players, one + step, one - step) % players
    counts: dict[tuple[int, int], list[int]] = {}
    for i, j in zip(one.tolist(), two.tolist(), strict=True):
        chance = score_of_elo(float(truth[i] - truth[j]))
        counts.setdefault((i, j), [0] * 5)[2 * int(rng.binomial(2, chance))] += 1
    return [
        EloPairing(*who, Pentanomial((a, b, c, d, e))) for who, (a, b, c, d, e) in counts.items()
    ]


PARTS: Final[Mapping[str, Callable[[Plan, Say], Numbers]]] = {
    "coverage": measure_coverage,
    "speed": measure_speed,
}


def lines(results: Mapping[str, Any]) -> list[Figure]:
    """Return the lines of the parts that were measured."""
    return [*_coverage_lines(results), *_speed_lines(results)]


def _coverage_lines(results: Mapping[str, Any]) -> Iterator[Figure]:
    for name, trial in results.get("coverage", {}).items():
        for method in METHODS:
            row = trial[method]
            text = (
                f"{row['covered']:.1%} ± {row['error']:.1%} (below {row['below']:.1%}, above "
                f"{row['above']:.1%}; outer fifths {row['outer']:.1%}), {row['length']:.0f} Elo"
                " long"
            )
            if row["one_sided"]:
                text += f", {row['one_sided']:.0%} one-sided"
            wanted, met = "", None
            if trial["promised"] and trial["simulations"] >= ENOUGH:
                wanted, met = f"{LEAST:.0%} to {MOST:.0%}", LEAST <= row["covered"] <= MOST
            yield Figure(f"{name}, {method}", text, wanted, met)


def _speed_lines(results: Mapping[str, Any]) -> Iterator[Figure]:
    names = {"analytic": "analytic", "bootstrap": "bootstrap", "los": "LOS matrix"}
    for players, row in results.get("speed", {}).items():
        for key, name in names.items():
            if key not in row:
                continue
            title = f"{int(players):,} players, {row['games']:,} games, {name}"
            if key == "bootstrap":
                title += f" of {row['resamples']:,}"
            milliseconds = {k: 1000 * v for k, v in row[key]["cpu_s"].items()}
            wanted, met = "", None
            if int(players) == 1000 and key == "analytic":
                wanted, met = "under 2,000 ms", milliseconds["median"] < 2000
            yield Figure(title, spread(milliseconds, "ms of CPU", 1), wanted, met)


def run(
    parts: Annotated[
        list[str] | None, typer.Argument(help=f"Which of {', '.join(PARTS)}; all by default.")
    ] = None,
    quick: command.Quick = False,
    simulations: Annotated[
        int | None, typer.Option(min=2, help="Tournaments of each kind for the coverage.")
    ] = None,
    resamples: Annotated[
        int | None, typer.Option(min=1, help="Resamples of a bootstrap for the coverage.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of all tournaments.")] = 1,
    out: command.Out = ROOT / "var/benchmarks",
    markdown: command.Markdown = False,
) -> None:
    """Measure the ratings: coverage of their intervals, and speed."""
    chosen = command.chosen(parts, PARTS)
    plan = replace(QUICK if quick else Plan(), seed=seed)
    if simulations is not None:
        plan = replace(plan, simulations=simulations)
    if resamples is not None:
        plan = replace(plan, resamples=resamples)
    say = Console(stderr=True).print
    command.measure(
        "ratings",
        chosen,
        lambda name: PARTS[name](plan, say),
        machine.describe(None, LIBRARIES),
        lines,
        out,
        markdown,
    )


if __name__ == "__main__":
    typer.run(run)
