"""Measure how often a bot keeps a won position: `python -m benchmarks.search.late`.

The positions have 41 to 45 free edges on 5x5, where the exact search hardly reaches the end in a
move's time. `make` makes them, `verify` solves some of them again in another way, and `measure`
lets a bot choose in each of them. `late_positions.py` says what is in the file.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from multiprocessing import connection, get_context, parent_process
from pathlib import Path
from random import Random
from typing import Annotated, Final, NamedTuple

import typer

from benchmarks.processes import BenchmarkError
from benchmarks.search.late_positions import (
    RESULTS,
    LatePosition,
    Origin,
    append,
    decide,
    find,
    image,
    load,
    resume,
)
from benchmarks.search.positions import safe_edges
from benchmarks.server.meter import median
from doublecross.bots.api import BotError, Limit, NeverStop
from doublecross.bots.clock import count_cpu_time, now
from doublecross.bots.registry import make_bot, parse_spec
from doublecross.bots.search.exact.solver import SearchWatch, Solver, prepare
from doublecross.games.api import GameError
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes
from doublecross.stats.means import share_interval

FILE: Final = Path(__file__).with_name("late.jsonl")
_FREE: Final = "41,42,43,44,45"
_ORIGIN: Final = Origin()

TRIES: Final = 300
"""Give up after so many games in a row without a position for a number of free edges."""

app = typer.Typer(add_completion=False, help=__doc__)
_worker: tuple[Solver, DotsAndBoxes, Origin] | None = None


class Answer(NamedTuple):
    """What a bot did in a position: whether it kept the result, and after how many seconds.

    `chance` is the share of the safe edges that keep it.
    """

    position: LatePosition
    kept: bool
    seconds: float
    chance: float


# -- make ----------------------------------------------------------------------------------------


def _start(origin: Origin, memory_mb: int) -> None:
    """Prepare a process that solves; it ends with its parent, also if that is killed."""
    os.nice(19)
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()
    be_worker(origin, memory_mb)


def be_worker(origin: Origin, memory_mb: float) -> None:
    """Prepare this process to solve the positions of games."""
    global _worker
    prepare()
    game = DotsAndBoxes(DotsAndBoxes.parse_size(origin.size))
    _worker = Solver(game.board, memory_mb), game, origin


def _end_with(sentinel: int) -> None:
    connection.wait([sentinel])
    os._exit(1)


def _find(free: int, number: int) -> tuple[LatePosition | None, float]:
    assert _worker is not None
    start = time.monotonic()
    return find(*_worker, free, number), time.monotonic() - start


@app.command()
def make(
    out: Annotated[Path, typer.Option(help="The file; an incomplete one is continued.")] = FILE,
    count: Annotated[int, typer.Option(min=1, help="Positions in all.")] = 200,
    free: Annotated[str, typer.Option(help="Numbers of free edges.")] = _FREE,
    size: Annotated[str, typer.Option(help="Board size.")] = _ORIGIN.size,
    nodes: Annotated[int, typer.Option(min=1, help="Nodes for a move.")] = _ORIGIN.nodes,
    shortest: Annotated[int, typer.Option(min=0, help="Least edges drawn at the start.")] = (
        _ORIGIN.shortest
    ),
    longest: Annotated[int, typer.Option(min=0, help="Most edges drawn at the start.")] = (
        _ORIGIN.longest
    ),
    seed: Annotated[int, typer.Option(help="Seed of all games.")] = _ORIGIN.seed,
    workers: Annotated[int, typer.Option(min=1, help="Processes.")] = 1,
    memory_mb: Annotated[int, typer.Option(min=1, help="MiB of table in each.")] = 256,
) -> None:
    """Play games and decide their positions until the set is complete; say what each one takes.

    Each position is written at once, so the command can be killed and given again. The same options
    make the same set, with any number of workers.
    """
    origin = Origin(size, nodes, shortest, longest, seed)
    numbers = sorted({int(each) for each in _numbers(free)})
    wanted = {each: count // len(numbers) for each in numbers}
    for each in numbers[: count % len(numbers)]:
        wanted[each] += 1
    with (
        _explained(),
        ProcessPoolExecutor(workers, get_context("spawn"), _start, (origin, memory_mb)) as pool,
    ):
        fill(out, origin, wanted, pool, workers)


def fill(out: Path, origin: Origin, wanted: dict[int, int], pool: Executor, workers: int) -> None:
    """Add positions to a file until it has as many as `wanted` for each number of free edges.

    Raises:
        BenchmarkError: the file cannot be continued, or such positions are too rare.
    """
    found = resume(out, origin)
    board = DotsAndBoxes(DotsAndBoxes.parse_size(origin.size)).board
    seen = {image(board, each.edges) for each in found}
    missing, following, barren = dict(wanted), dict.fromkeys(wanted, 1), dict.fromkeys(wanted, 0)
    for position in found:
        if position.free in missing:
            missing[position.free] -= 1
            following[position.free] = position.game + 1
    running: dict[Future[tuple[LatePosition | None, float]], tuple[int, int]] = {}
    while True:
        # One game at a time for each number of free edges: then it does not matter which game
        # ends first. Most free edges take longest, so they come first.
        busy = {each for each, _ in running.values()}
        ready = sorted(each for each, left in missing.items() if left > 0 and each not in busy)
        while ready and len(running) < workers:
            each = ready.pop()
            running[pool.submit(_find, each, following[each])] = each, following[each]
            following[each] += 1
        if not running:
            break
        for done in wait(running, return_when=FIRST_COMPLETED).done:
            each, number = running.pop(done)
            new, seconds = done.result()
            what = "nothing"
            barren[each] += 1
            if new is not None and (key := image(board, new.edges)) not in seen:
                seen.add(key)
                missing[each] -= 1
                barren[each] = 0
                append(out, new)
                what = f"{new.result}, {len(new.keeps)} edges keep it"
            print(f"{each} free edges, game {number}: {what}, {seconds:.1f} s", flush=True)
            if barren[each] == TRIES:
                raise BenchmarkError(
                    f"{TRIES} games on {origin.size} gave no position with {each} free edges."
                )


# -- verify --------------------------------------------------------------------------------------


@app.command()
def verify(
    file: Annotated[Path, typer.Option(help="The set.")] = FILE,
    every: Annotated[int, typer.Option(min=1, help="Check each so many positions.")] = 10,
    memory_mb: Annotated[int, typer.Option(min=1, help="MiB of table.")] = 64,
) -> None:
    """Solve some positions again, as mirror images and with another table.

    End with exit code 1 if anything differs.
    """
    with _explained():
        origin, positions = load(file)
    game = DotsAndBoxes(DotsAndBoxes.parse_size(origin.size))
    wrong = [each for each in positions[::every] if not same(each, game, memory_mb)]
    print(f"{len(positions[::every])} positions solved again, {len(wrong)} differ")
    for each in wrong:
        print(f"{each.free} free edges, game {each.game}")
    if wrong:
        raise typer.Exit(1)


def same(position: LatePosition, game: DotsAndBoxes, memory_mb: float) -> bool:
    """Return whether a second search finds the same result and the same edges.

    It solves the image under the board's last symmetry, so it meets the edges in another order.
    """
    to = game.board.symmetries[-1]
    edges = sum(1 << to[edge] for edge in position.moves)
    solver = Solver(game.board, memory_mb)
    keeps = tuple(sorted(to[edge] for edge in position.keeps))
    return decide(solver, edges, position.net, SearchWatch()) == (position.result, keeps)


# -- measure -------------------------------------------------------------------------------------


@app.command()
def measure(
    bot: Annotated[str, typer.Argument(help="The bot, such as champion or mcts:rollout=control.")],
    seconds: Annotated[str, typer.Option(help="Seconds for a move; several with commas.")] = (
        "1,0.2"
    ),
    nodes: Annotated[int | None, typer.Option(min=1, help="Limit nodes, not time.")] = None,
    cpu: Annotated[bool, typer.Option("--cpu", help="Count processor time.")] = False,
    file: Annotated[Path, typer.Option(help="The set.")] = FILE,
) -> None:
    """Let a bot choose in each position, and print as Markdown how often it keeps the result."""
    with _explained():
        origin, positions = load(file)
    game = DotsAndBoxes(DotsAndBoxes.parse_size(origin.size))
    limits = (
        {f"{each:g} s": Limit(time_s=each) for each in _numbers(seconds)}
        if nodes is None
        else {f"{nodes:,} nodes": Limit(nodes=nodes)}
    )
    if cpu:
        count_cpu_time()
    print("| bot | limit | result | free edges | kept | share (95%) | by chance | seconds (most) |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for name, limit in limits.items():
        with _explained():
            answers = answer(bot, positions, game, limit)
        for result in RESULTS:
            mine = [each for each in answers if each.position.result == result]
            numbers = sorted({each.position.free for each in mine})
            groups = [(f"{n}", [each for each in mine if each.position.free == n]) for n in numbers]
            for label, group in [*groups, ("all", mine)] if mine else []:
                print(f"| `{bot}` | {name} | {result} | {label} | {cells(group)} |", flush=True)


def answer(
    spec: str, positions: Iterable[LatePosition], game: DotsAndBoxes, limit: Limit
) -> list[Answer]:
    """Let a bot choose in each position, each time a new one with a fixed seed."""
    parsed = parse_spec(spec)
    # The first move of a process compiles or loads the kernels.
    make_bot(parsed.name, Random(0), parsed.options).choose(
        game.initial_state(), Limit(time_s=limit.time_s, nodes=limit.nodes), NeverStop()
    )
    answers = []
    for position in positions:
        rng = Random(f"{position.free} {position.game}")
        bot = make_bot(parsed.name, rng, parsed.options)
        state = position.state(game)
        safe = safe_edges(game.board, state.edges)
        start = now()
        edge = bot.choose(state, limit, NeverStop()).action
        taken = now() - start
        bot.close()
        chance = len(set(safe) & set(position.keeps)) / len(safe)
        answers.append(Answer(position, edge in position.keeps, taken, chance))
    return answers


def cells(answers: list[Answer]) -> str:
    """Return the cells of a row about some answers: counts, share, chance and seconds."""
    kept, tries = sum(each.kept for each in answers), len(answers)
    interval = share_interval(kept, tries)
    took = [each.seconds for each in answers]
    return (
        f"{kept} of {tries} | {kept / tries:.0%} ({interval.low:.0%} to {interval.high:.0%})"
        f" | {sum(each.chance for each in answers) / tries:.0%}"
        f" | {median(took):.2f} ({max(took):.2f})"
    )


def _numbers(text: str) -> list[float]:
    """Return the positive numbers in a text, with commas or spaces between them."""
    try:
        numbers = [float(each) for each in text.replace(",", " ").split()]
    except ValueError:
        numbers = []
    if not numbers or min(numbers) <= 0:
        raise typer.BadParameter(f"{text!r} should be positive numbers, such as 1,2.")
    return numbers


@contextmanager
def _explained() -> Iterator[None]:
    """End the command with a sentence if a file or a bot cannot be used."""
    try:
        yield
    except (BenchmarkError, BotError, GameError) as error:
        print(error, file=sys.stderr)
        raise typer.Exit(1) from None


if __name__ == "__main__":
    app()
