"""Measure the bots by a round robin for each board size: `python -m benchmarks.strength`."""

from __future__ import annotations

import asyncio
import os
import sys
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Annotated, Final

import typer

from doublecross.bots.api import BotError
from doublecross.bots.arena.arena import Arena, ArenaError
from doublecross.bots.arena.job import ArenaGame, ArenaJob, bootstrap_rng, round_robin
from doublecross.bots.arena.moves import Effort, MoveBudget
from doublecross.bots.arena.tally import PairTally
from doublecross.bots.registry import BUILT_IN, BotSpec, bot_class, parse_spec
from doublecross.cli.shared.report.formatting import elo_text
from doublecross.games.api import Game, GameError
from doublecross.games.registry import game_class
from doublecross.stats.elo import EloPairing, Rating, RatingList, rate

ANCHOR: Final = "rules"
"""The bot whose rating is 0, if it takes part."""
_STEPS: Final = 20
"""How many progress lines a round robin prints."""


@dataclass(frozen=True, slots=True)
class Row:
    """A bot's line in the table."""

    name: str
    rating: Rating
    net: float
    effort: Effort
    lost: int
    """Games lost on time, by a crash or by an illegal action."""


def run(
    bots: Annotated[
        str | None,
        typer.Option(help="Specs with spaces between them; by default all built-in bots."),
    ] = None,
    sizes: Annotated[str, typer.Option(help="Board sizes, such as 3x3,5x5.")] = "3x3,5x5",
    game: Annotated[str, typer.Option(help="The game to play.")] = "dots-and-boxes",
    pairs: Annotated[int, typer.Option(min=1, help="Game pairs between every two bots.")] = 100,
    time: Annotated[float, typer.Option(min=0.001, help="Seconds for each move.")] = 0.1,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Games at once; by default the number of cores.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the openings and of the bots' choices.")] = 1,
    markdown: Annotated[
        Path | None, typer.Option(help="Also write the tables to this file.")
    ] = None,
    cpu: Annotated[bool, typer.Option("--cpu", help="Let the time be processor time.")] = False,
) -> None:
    """Let every two bots play game pairs, and print a table of their strength for each size."""
    try:
        kind = game_class(game)
        boards = [kind(kind.parse_size(size)) for size in sizes.replace(",", " ").split()]
        specs = [parse_spec(text) for text in bot_texts(bots)]
        at_once = workers or os.cpu_count() or 1
        tables = [
            table(board, specs, pairs, MoveBudget(time_s=time), at_once, seed, cpu=cpu)
            for board in boards
        ]
    except (BotError, GameError, ArenaError) as error:
        raise typer.BadParameter(str(error)) from None
    if markdown is not None:
        markdown.write_text("\n".join(tables), encoding="utf-8")


def bot_texts(text: str | None) -> list[str]:
    """Return the specs in `text`; None stands for all built-in bots.

    Spaces and semicolons separate specs. So do commas, if no bot has options.
    """
    if text is None:
        return list(BUILT_IN)
    between = text.replace(";", " ")
    return (between if ":" in text else between.replace(",", " ")).split()


def table(
    board: Game,
    specs: list[BotSpec],
    pairs: int,
    budget: MoveBudget,
    workers: int,
    seed: int,
    *,
    cpu: bool = False,
) -> str:
    """Play the round robin on `board`, print its table, and return it.

    With `cpu` the budget counts processor time.

    Raises:
        BotError: a bot cannot be made, or fewer than two play this game.
        GameError: no openings can be found.
        ArenaError: the workers do not start.
    """
    playing = tuple(spec for spec in specs if bot_class(spec.name).plays(board))
    if len(playing) < 2:
        raise BotError(f"{len(playing)} of the bots play {board.title} {board.size}.")
    openings = board.openings(Random(seed), pairs)
    found = openings.found or ((),)
    if openings.short:
        print_error(f"{openings.sentence} Openings are repeated.")
    repeated = tuple(found[number % len(found)] for number in range(pairs))
    tasks = round_robin(len(playing), repeated)
    job = ArenaJob(playing, board, tasks, budget, seed, cpu=cpu)
    tallies = {players: PairTally(players) for players in combinations(range(len(playing)), 2)}
    show = Progress(f"{board.title} {board.size}", 2 * len(job.tasks))

    def on_game(played: ArenaGame) -> None:
        tallies[played.task.players].add(played)
        show.step()

    asyncio.run(Arena(job, workers=workers, on_game=on_game, on_note=print_error).run())
    text = markdown_of(job, tallies, pairs)
    print(text, flush=True)
    return text


def markdown_of(job: ArenaJob, tallies: dict[tuple[int, int], PairTally], pairs: int) -> str:
    """Return the table of a job that was played, as Markdown."""
    names = job.names
    anchor = names.index(ANCHOR) if ANCHOR in names else None
    ratings = rate(
        len(names),
        [EloPairing(*players, tally.pentanomial) for players, tally in tallies.items()],
        bootstrap_rng(job.seed),
        anchor=anchor,
    )
    rows = [row(player, name, ratings, tallies) for player, name in enumerate(names)]
    lines = [
        f"### {job.game.title} {job.game.size}",
        "",
        "| bot | Elo | score | net boxes a game | ms a move (at most) | lost off the board |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    lines += [line(row) for row in sorted(rows, key=lambda row: -row.rating.elo)]
    limits = f"{job.budget.time_s:g} s a move{' of processor time' if job.cpu else ''}"
    zero = "the mean of the largest group" if anchor is None else f"`{ANCHOR}`"
    lines += [
        "",
        f"{pairs} game pairs between every two bots, {limits}, seed {job.seed}. Elo by maximum"
        f" likelihood, {zero} at 0, in parentheses the interval of 95 % by bootstrap over game"
        " pairs; above and below: the bound of 95 % that clean scores set on one side, where the"
        " figure itself follows from the prior.",
        *separations(names, ratings),
        "",
    ]
    return "\n".join(lines)


def row(
    player: int, name: str, ratings: RatingList, tallies: dict[tuple[int, int], PairTally]
) -> Row:
    """Return the figures of one bot."""
    mine = [tally for players, tally in tallies.items() if player in players]
    nets = [net if tally.players[0] == player else -net for tally in mine for net in tally.nets]
    return Row(
        name,
        ratings.ratings[player],
        sum(nets) / len(nets),
        sum((tally.effort(player) for tally in mine), Effort()),
        sum(sum(tally.terminations(player).values()) for tally in mine),
    )


def line(row: Row) -> str:
    """Return one line of the table."""
    rating, effort = row.rating, row.effort
    fixed = rating.interval.low == rating.interval.high
    elo = f"{rating.elo:+.0f}" if fixed else elo_text(rating.elo, rating.interval)
    return (
        f"| `{row.name}` | {elo} | {100 * rating.score:.1f} % | {row.net:+.2f}"
        f" | {1000 * effort.mean_s:.3g} ({1000 * effort.longest_s:.3g}) | {row.lost} |"
    )


def separations(names: tuple[str, ...], ratings: RatingList) -> list[str]:
    """Return sentences about groups of bots that won every game against the next group."""
    sentences = []
    for above, below in zip(ratings.groups, ratings.groups[1:], strict=False):
        better, worse = (", ".join(f"`{names[p]}`" for p in group) for group in (above, below))
        sentences.append(
            f"{better} won every game against {worse}: this distance has no upper bound."
        )
    return sentences


class Progress:
    """Prints the progress on standard error."""

    def __init__(self, title: str, total: int) -> None:
        self._title = title
        self._total = total
        self._done = 0

    def step(self) -> None:
        """Count one more finished game."""
        self._done += 1
        before, now = ((d * _STEPS) // self._total for d in (self._done - 1, self._done))
        if now > before:
            print_error(f"{self._title}: {self._done}/{self._total} games")


def print_error(sentence: str) -> None:
    """Print a line on standard error."""
    print(sentence, file=sys.stderr, flush=True)


if __name__ == "__main__":
    typer.run(run)
