"""`python -m benchmarks.strength`: how strong the bots are, a round robin for each board size."""

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

from bots.api import BotError
from bots.arena.arena import Arena, ArenaError
from bots.arena.job import ArenaGame, ArenaJob, Effort, MoveBudget, bootstrap_rng, round_robin
from bots.arena.tally import PairTally
from bots.registry import BUILT_IN, BotSpec, bot_class, parse_spec
from cli.report.formatting import elo_text
from games.api import Game, GameError
from games.registry import game_class
from stats.elo import EloPairing, Rating, RatingList, rate

ANCHOR: Final = "rules"
"""The bot that has the rating 0 where it takes part."""
_STEPS: Final = 20


@dataclass(frozen=True, slots=True)
class Row:
    """A bot's line in the table."""

    name: str
    rating: Rating
    net: float
    effort: Effort
    lost: int
    """Games lost otherwise than on the board."""


def run(
    bots: Annotated[
        str | None, typer.Option(help="specs between spaces; by default all built-in ones")
    ] = None,
    sizes: Annotated[str, typer.Option(help="board sizes, as 3x3,5x5")] = "3x3,5x5",
    game: Annotated[str, typer.Option(help="what they play")] = "dots-and-boxes",
    pairs: Annotated[int, typer.Option(min=1, help="game pairs between every two bots")] = 100,
    time: Annotated[float, typer.Option(min=0.001, help="seconds a move")] = 0.1,
    workers: Annotated[int | None, typer.Option(min=1, help="processes; the cores")] = None,
    seed: Annotated[int, typer.Option(help="openings and bots' choices follow from it")] = 1,
    markdown: Annotated[Path | None, typer.Option(help="write the tables to this file too")] = None,
) -> None:
    """Let every two bots play game pairs, and print a table of their strength for each size."""
    try:
        kind = game_class(game)
        boards = [kind(kind.parse_size(size)) for size in sizes.replace(",", " ").split()]
        specs = [parse_spec(text) for text in bot_texts(bots)]
        tables = [
            table(
                board, specs, pairs, MoveBudget(time_s=time), workers or os.cpu_count() or 1, seed
            )
            for board in boards
        ]
    except (BotError, GameError, ArenaError) as error:
        raise typer.BadParameter(str(error)) from None
    if markdown is not None:
        markdown.write_text("\n".join(tables), encoding="utf-8")


def bot_texts(text: str | None) -> list[str]:
    """The specs in `text`, between spaces, semicolons, or, where none has options, commas."""
    if text is None:
        return list(BUILT_IN)
    between = text.replace(";", " ")
    return (between if ":" in text else between.replace(",", " ")).split()


def table(
    board: Game, specs: list[BotSpec], pairs: int, budget: MoveBudget, workers: int, seed: int
) -> str:
    """Play the round robin on `board`, print its table, and return it.

    Raises:
        BotError: a bot cannot be made, or fewer than two play this game.
        GameError: there are no openings to be found.
        ArenaError: the workers do not come up.
    """
    playing = tuple(spec for spec in specs if bot_class(spec.name).plays(board))
    if len(playing) < 2:
        raise BotError(f"{len(playing)} of the bots play {board.title} {board.size}.")
    openings = board.openings(Random(seed), pairs)
    found = openings.found or ((),)
    if openings.short:
        complain(f"{openings.sentence} Openings are repeated.")
    repeated = tuple(found[number % len(found)] for number in range(pairs))
    job = ArenaJob(playing, board, round_robin(len(playing), repeated), budget, seed)
    tallies = {players: PairTally(players) for players in combinations(range(len(playing)), 2)}
    show = Progress(f"{board.title} {board.size}", 2 * len(job.tasks))

    def on_game(played: ArenaGame) -> None:
        tallies[played.task.players].add(played)
        show.step()

    asyncio.run(Arena(job, workers=workers, on_game=on_game, on_note=complain).run())
    text = markdown_of(job, tallies, pairs)
    print(text, flush=True)
    return text


def markdown_of(job: ArenaJob, tallies: dict[tuple[int, int], PairTally], pairs: int) -> str:
    """The table of a job that was played."""
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
    limits = f"{job.budget.time_s:g} s a move"
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
    """The line of one bot."""
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
    """One line of the table."""
    rating, effort = row.rating, row.effort
    fixed = rating.interval.low == rating.interval.high
    elo = f"{rating.elo:+.0f}" if fixed else elo_text(rating.elo, rating.interval)
    return (
        f"| `{row.name}` | {elo} | {100 * rating.score:.1f} % | {row.net:+.2f}"
        f" | {1000 * effort.mean_s:.3g} ({1000 * effort.longest_s:.3g}) | {row.lost} |"
    )


def separations(names: tuple[str, ...], ratings: RatingList) -> list[str]:
    """Sentences about groups of bots of which one has won all games against the next."""
    said = []
    for above, below in zip(ratings.groups, ratings.groups[1:], strict=False):
        better, worse = (", ".join(f"`{names[p]}`" for p in group) for group in (above, below))
        said.append(f"{better} won every game against {worse}: this distance has no upper bound.")
    return said


class Progress:
    """Says on standard error how far it is."""

    def __init__(self, title: str, total: int) -> None:
        self._title = title
        self._total = total
        self._done = 0

    def step(self) -> None:
        """One more game is over."""
        self._done += 1
        before, now = ((d * _STEPS) // self._total for d in (self._done - 1, self._done))
        if now > before:
            complain(f"{self._title}: {self._done}/{self._total} games")


def complain(sentence: str) -> None:
    """A line on standard error."""
    print(sentence, file=sys.stderr, flush=True)


if __name__ == "__main__":
    typer.run(run)
