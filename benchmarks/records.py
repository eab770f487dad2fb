"""Measure how fast records are converted to other formats: `python -m benchmarks records`."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from time import process_time
from typing import Annotated, Any, Final

import typer

from benchmarks import command, machine
from benchmarks.figures import Figure, spread, summary
from benchmarks.processes import ROOT
from doublecross.games.record import Record, RecordedMove, format_record, result_of
from doublecross.games.record_formats import FORMATS, convert
from doublecross.games.registry import make_game

WANTED: Final = 20_000
"""The records a second that become JSON Lines on a small board."""
BOARDS: Final = {"2x2": False, "2x2 with clocks": True, "5x5": False}


def run(
    parts: Annotated[
        list[str] | None, typer.Argument(metavar="[PART]...", help=", ".join(BOARDS))
    ] = None,
    records: Annotated[int, typer.Option(min=100, help="Records to convert.")] = 20_000,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds; the table has their median.")] = 5,
    quick: command.Quick = False,
    out: command.Out = ROOT / "var/benchmarks",
    markdown: command.Markdown = False,
) -> None:
    """Measure how many records a second of processor time are read and written on one core."""
    if quick:
        records, rounds = min(records, 2000), 1
    command.measure(
        "records",
        command.chosen(parts, BOARDS),
        lambda name: board(name, records, rounds),
        machine.describe(None, ()),
        lines,
        Path(out),
        markdown,
    )


def board(name: str, records: int, rounds: int) -> dict[str, Any]:
    """Return the records a second for each format, and the peak of memory in KiB."""
    texts = _texts(name.split()[0], clocks=BOARDS[name])
    found: dict[str, Any] = {}
    for target in ("jsonl", "csv"):
        speeds = []
        for _ in range(rounds):
            began = process_time()
            for _ in convert(_lines(texts, records), FORMATS["records"], FORMATS[target]):
                pass
            speeds.append(records / (process_time() - began))
        found[target] = summary(speeds)
    tracemalloc.start()
    for _ in convert(_lines(texts, records), FORMATS["records"], FORMATS["jsonl"]):
        pass
    found["peak_kib"] = tracemalloc.get_traced_memory()[1] / 1024
    tracemalloc.stop()
    return found


def _texts(size: str, *, clocks: bool) -> list[str]:
    """Return different records of random games."""
    rows, cols = map(int, size.split("x"))
    game, rng, texts = make_game("dots-and-boxes", {"rows": rows, "cols": cols}), Random(1), []
    for number in range(100):
        state = game.initial_state()
        while not state.is_terminal():
            state.apply(rng.choice(state.legal_actions()))
        moves = tuple(
            RecordedMove(action, rng.randrange(60_000) if clocks else None)
            for action in state.history()
        )
        record = Record(
            game,
            ("Ann", "Bob"),
            moves,
            date="2026-01-02",
            result=result_of(state),
            termination="completed",
            tags=(("Pair", str(number)),),
        )
        texts.append(format_record(record))
    return texts


def _lines(texts: list[str], records: int) -> Iterator[str]:
    """Yield the lines of so many records, as a file does."""
    for number in range(records):
        yield from texts[number % len(texts)].splitlines(keepends=True)
        yield "\n"


def lines(results: Mapping[str, Any]) -> list[Figure]:
    """Return the lines of what was measured."""
    found = []
    for name in BOARDS:
        if name not in results:
            continue
        for target in ("jsonl", "csv"):
            speed = results[name][target]
            wanted = target == "jsonl" and name.startswith("2x2")
            found.append(
                Figure(
                    f"{name}: records to {target}",
                    spread(speed, "a second", 0),
                    f"at least {WANTED:,}" if wanted else "",
                    speed["median"] >= WANTED if wanted else None,
                )
            )
        found.append(Figure(f"{name}: memory at most", f"{results[name]['peak_kib']:,.0f} KiB"))
    return found


if __name__ == "__main__":
    typer.run(run)
