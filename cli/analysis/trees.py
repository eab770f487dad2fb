"""Measure single searches for `doublecross stats` and print each as a row."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING, Final

from doublecross.bots.registry import BotSpec, make_bot
from doublecross.bots.textbook import SearchBudget, SearchResult, TextbookBot
from doublecross.cli.shared.console import err, say, say_json
from doublecross.games.api import Game

if TYPE_CHECKING:
    from rich.status import Status

_UPDATE_S: Final = 0.5
"""Seconds between two updates of the status line."""


def measured(spec: BotSpec, game: Game, depth: int, limit: float) -> SearchResult:
    """Search `depth` plies from the empty board for at most `limit` seconds.

    A new bot searches, so that its table is empty.
    """
    bot = make_bot(spec.name, Random(0), spec.options)
    assert isinstance(bot, TextbookBot)
    with ReportingBudget(limit, f"{spec}, depth {depth}") as budget:
        return bot.search(game.initial_state(), depth, budget)


class ReportingBudget(SearchBudget):
    """Limits a search and keeps a status line about it on a terminal."""

    def __init__(self, limit: float, title: str) -> None:
        super().__init__(time_s=limit)
        self._title = title
        self._start = self._shown = perf_counter()
        self._status: Status | None = None

    def __enter__(self) -> ReportingBudget:
        return self

    def __exit__(self, *_: object) -> None:
        if self._status is not None:
            self._status.stop()

    def poll(self) -> None:
        """Raise if the limit is reached, and update the status line."""
        super().poll()
        now = perf_counter()
        if now - self._shown < _UPDATE_S or not err().is_terminal:
            return
        self._shown = now
        text = f"{self._title}: {self.nodes:,} nodes, {now - self._start:.0f} s"
        if self._status is None:
            self._status = err().status(text)
            self._status.start()
        self._status.update(text)


@dataclass
class JsonLines:
    """Prints each search as a line of JSON."""

    game: Game

    def begin(self, whole: int, *, beyond: bool) -> None:
        """Print nothing before the first search."""

    def row(self, number: int, spec: BotSpec, result: SearchResult) -> None:
        """Print the `result` of the bot `spec`, which is bot `number`, from 0."""
        line = {
            "game": self.game.key,
            "size": self.game.size,
            "bot": str(spec),
            "depth": result.depth,
            "complete": result.complete,
            "value": result.value if result.complete else None,
            "nodes": result.nodes,
            "cutoffs": result.cutoffs,
            "tt_hits": result.tt_hits,
            "seconds": round(result.seconds, 6),
            "pv": result.pv if result.complete else [],
        }
        say_json(line)
        sys.stdout.flush()

    def skipped(self, number: int, spec: BotSpec, depth: int) -> None:
        """Print nothing for a search that was not tried."""

    def end(self, cut: bool) -> None:
        """Print nothing at the end: `complete` says which searches were cut off."""


class TreeTable:
    """Prints a table for people, each row as soon as it is known."""

    def __init__(self, game: Game, specs: list[BotSpec], limit: float) -> None:
        self._game = game
        self._specs = specs
        self._limit = limit
        self._width = max(len("Bot"), *(len(str(spec)) for spec in specs))
        self._first: SearchResult | None = None

    def begin(self, whole: int, *, beyond: bool) -> None:
        """Print the head of the table.

        A game takes at most `whole` plies; `beyond` says that the user gave a greater depth.
        """
        say(f"{self._game.title} {self._game.size} from the empty board, {whole} plies at most.")
        say("Values are for the player who begins.")
        if beyond:
            say(f"Depths beyond {whole} are the whole game.")
        say()
        share = "Of first" if len(self._specs) > 1 else ""
        self._print("Depth", "Bot", "Value", "Nodes", share, "Seconds", style="bold")

    def row(self, number: int, spec: BotSpec, result: SearchResult) -> None:
        """Print the `result` of the bot `spec`, which is bot `number`, from 0."""
        if number == 0:
            self._first = result
        beyond = "" if result.complete else ">"
        self._print(
            str(result.depth),
            str(spec),
            _value(result),
            f"{beyond}{result.nodes:,}",
            self._share(number, result),
            f"{beyond}{result.seconds:.3f}",
        )

    def skipped(self, number: int, spec: BotSpec, depth: int) -> None:
        """Print that a depth was not tried, because a smaller one took too long."""
        if number == 0:
            self._first = None
        self._print(str(depth), str(spec), "?", "not tried", "", "", style="dim")

    def end(self, cut: bool) -> None:
        """Explain the marks of searches that were cut off, if there are any."""
        if cut:
            say()
            say(f"> cut off after {self._limit:g} s: the whole tree is larger.")

    def _share(self, number: int, result: SearchResult) -> str:
        """Return the nodes as a share of the first bot's.

        It is only a bound if the first bot's search was cut off, and empty if this one was.
        """
        if number == 0 or self._first is None or not result.complete:
            return ""
        percent = 100 * result.nodes / self._first.nodes
        below = "" if self._first.complete else "<"
        if percent < 0.01:
            return "<0.01%"
        return f"{below}{percent:.2f}%"

    def _print(
        self,
        depth: str,
        bot: str,
        value: str,
        nodes: str,
        share: str,
        seconds: str,
        style: str | None = None,
    ) -> None:
        line = f"{depth:>5}  {bot:<{self._width}}  {value:>6}  {nodes:>12}  {share:>10}"
        say(f"{line}  {seconds:>8}".rstrip(), style)


def _value(result: SearchResult) -> str:
    if result.value is None or not result.complete:
        return "?"
    return f"{result.value:+g}" if result.value else "0"
