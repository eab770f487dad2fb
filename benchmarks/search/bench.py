"""Print a signature of the searches, the same on every run: `python -m benchmarks.search.bench`.

Theory of operation
-------------------
Every search runs on fixed positions with fixed limits in plies, nodes or simulations, never in
time. The program prints how many nodes it took and what it found. The last line has one number
that depends on all lines before it. A change that makes a search faster or its code tidier must
keep the number. A change of the search itself changes the number, and its commit says why.

The output does not depend on the speed of the machine; `python -m benchmarks search` measures
that. The searches share no tables, so each section gives the same lines alone, and all random
numbers come from seeded generators. One dependence on the machine remains: the last bit of the
logarithm in UCT may differ between C libraries. The output changes only if that bit decides
between two children.

To add a search, write a function that yields its lines and add it to `SECTIONS`.

Source: Stockfish's ``bench``, whose total of nodes is quoted in every commit.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Final, NamedTuple
from zlib import crc32

from doublecross.bots.alphabeta import TranspositionTable, alphabeta
from doublecross.bots.api import Limit, NeverStop
from doublecross.bots.engine.engine import Engine, prepare
from doublecross.bots.evaluations import EVALUATIONS
from doublecross.bots.mcts.bot import MctsBot
from doublecross.bots.minimax import minimax
from doublecross.bots.search.exact.solver import SearchWatch, Solver
from doublecross.bots.search.exact.solver import prepare as prepare_solver
from doublecross.bots.textbook import TO_THE_END, SearchResult
from doublecross.games.api import State
from doublecross.games.dots_and_boxes.board import board
from doublecross.games.dots_and_boxes.rules import DotsAndBoxesState
from doublecross.games.registry import game_class


class BenchResult(NamedTuple):
    """One search: its position and limits, its count of nodes, and its result."""

    label: str
    nodes: int
    found: str

    def __str__(self) -> str:
        return f"{self.label:<64} {self.nodes:>10}  {self.found}"


# -- textbook ----------------------------------------------------------------------------------


class BenchTree(NamedTuple):
    """A tree for the textbook searches, and the searches that are fast enough for it."""

    game: str
    size: str
    opening: tuple[int, ...]
    depth: int
    searches: tuple[str, ...] = ("alphabeta", "with table")
    evaluation: str = "net"


_ALL: Final = ("minimax", "alphabeta", "with table")

TREES: Final = (
    BenchTree("dots-and-boxes", "2x2", (), TO_THE_END, ("with table",)),
    BenchTree("dots-and-boxes", "2x2", (0, 3, 9), 4, _ALL),
    # Careful play, 13 and 15 edges left. The first has more positions than the table holds.
    BenchTree(
        "dots-and-boxes",
        "3x3",
        (0, 1, 2, 3, 4, 11, 15, 16, 19, 21, 22),
        TO_THE_END,
        ("with table",),
    ),
    BenchTree("dots-and-boxes", "3x3", (1, 2, 9, 10, 16, 17, 18, 20, 22), 7),
    BenchTree("dots-and-boxes", "5x5", (), 4),
    BenchTree("dots-and-boxes", "5x5", (), 2, _ALL),
    # Careful play, 32 edges left.
    BenchTree(
        "dots-and-boxes",
        "5x5",
        tuple(board(5, 5).members(0xA6791B5AE864891)),
        4,
        evaluation="unfilled",
    ),
    BenchTree("tic-tac-toe", "3x3x3", (), TO_THE_END),
    BenchTree("tic-tac-toe", "3x3x3", (4, 1), TO_THE_END, _ALL),
    BenchTree("tic-tac-toe", "4x4x4", (5, 0, 10), 5),
)

_TABLE_MB: Final = 1
"""Memory of the table, small enough that the larger trees fill it and it drops entries."""


def textbook() -> Iterator[BenchResult]:
    """Run minimax, and alpha-beta without and with a table."""
    for tree in TREES:
        depth = f"depth {tree.depth}" if tree.depth else "to the end"
        label = f"{tree.game} {tree.size}, {len(tree.opening)} played, {depth}"
        for search in tree.searches:
            result = _search(search, tree)
            assert result.value is not None
            pv = " ".join(str(action) for action in result.pv)
            found = f"value {result.value:+g}, pv {pv}"
            yield BenchResult(f"{label}, {search}", result.nodes, found)


def _search(search: str, tree: BenchTree) -> SearchResult:
    state = _state(tree.game, tree.size, tree.opening)
    worth = EVALUATIONS[tree.evaluation]
    if search == "minimax":
        return minimax(state, tree.depth, worth)
    table = TranspositionTable(_TABLE_MB) if search == "with table" else None
    return alphabeta(state, tree.depth, worth, table=table)


# -- mcts --------------------------------------------------------------------------------------


class BenchGame(NamedTuple):
    """A game whose first `plies` moves are searched with `simulations` simulations each."""

    game: str
    size: str
    plies: int
    simulations: int
    options: Mapping[str, str | float] = {}


GAMES: Final = (
    BenchGame("dots-and-boxes", "5x5", 3, 20_000),
    BenchGame("dots-and-boxes", "5x5", 2, 20_000, {"rollout": "random", "c": 0.5}),
    BenchGame("dots-and-boxes", "3x3", 3, 20_000, {"reward": "outcome", "c": 1.0}),
    BenchGame("dots-and-boxes", "2x2", 4, 5_000),
    BenchGame("tic-tac-toe", "3x3x3", 3, 500),
    BenchGame("tic-tac-toe", "5x5x4", 2, 500, {"rollout": "random"}),
)

_SEED: Final = 2024
_TREE_MB: Final = 16
"""Memory of the tree; fixed, because the tree grows more slowly the fuller it is."""


def mcts() -> Iterator[BenchResult]:
    """Run the first moves of each game and keep the tree between them.

    The nodes are those of the last tree. The number in hexadecimal is a checksum of the visits and
    bounds of all actions at each move.
    """
    for game in GAMES:
        state = _state(game.game, game.size)
        bot = MctsBot(Random(_SEED), {**game.options, "simulations": game.simulations})
        limit, known = Limit(memory_mb=_TREE_MB), []
        for _ in range(game.plies):
            choice = bot.choose(state, limit, NeverStop())
            assert bot.tree is not None
            # Whole numbers only, because a mean may be rounded differently on other machines.
            known += [
                (choice.action, c.action, c.visits, int(c.lower), int(c.upper))
                for c in bot.tree.candidates()
            ]
            state.apply(choice.action)
        assert bot.tree is not None
        options = "".join(f", {name} {value}" for name, value in game.options.items())
        label = f"{game.game} {game.size}, {game.simulations} simulations{options}"
        played = " ".join(str(action) for action in state.history())
        yield BenchResult(
            label, bot.tree.used, f"played {played}, visits {crc32(repr(known).encode()):x}"
        )


# -- the exact solver --------------------------------------------------------------------------


class BenchPosition(NamedTuple):
    """A position to solve: the drawn edges of a board as a set, bit i for edge i."""

    rows: int
    cols: int
    edges: int

    def __str__(self) -> str:
        free = board(self.rows, self.cols).num_edges - self.edges.bit_count()
        return f"{self.rows}x{self.cols}, {free} free, {self.edges:x}"


POSITIONS: Final = (
    BenchPosition(3, 3, 0),
    BenchPosition(2, 4, 0),
    # Careful play (no box has a third edge), by the number of free edges.
    BenchPosition(5, 5, 0x5553890B64CC19F),
    BenchPosition(5, 5, 0x376C6F76682A011),
    BenchPosition(5, 5, 0xA15A2D576688E0E),
    BenchPosition(5, 5, 0xA3052AACCB3E406),
    BenchPosition(5, 5, 0x59DB4CEF200E006),
    BenchPosition(5, 5, 0x5553890B644C11F),
    BenchPosition(5, 5, 0x65C38B6D069809),
    BenchPosition(3, 4, 0x10022006),
    BenchPosition(4, 6, 0xA0C3A627C00C87),
    BenchPosition(6, 6, 0xD346317D378F48D210011),
    BenchPosition(7, 7, 0x815ADA91258D0FFCF403FD941BF),
    BenchPosition(7, 7, 0x94012181A0D8D867B771EFA1D197),
    # Boxes to capture: a single box, a chain whose last two and a loop whose last four boxes may
    # be declined.
    BenchPosition(5, 5, 0x60C94540E91E0FE),
    BenchPosition(5, 5, 0x345299B611E4959),
    BenchPosition(5, 5, 0x556D3C8190605FB),
)

_SOLVER_MB: Final = 1
"""Memory of the table, small enough that the larger searches fill it and it drops entries."""


def solver() -> Iterator[BenchResult]:
    """Find the value of each position, for the player to move, from an empty table."""
    prepare_solver()
    for position in POSITIONS:
        watch = SearchWatch()
        exact = Solver(board(position.rows, position.cols), _SOLVER_MB)
        value = exact.bounds(position.edges, watch)
        assert value.exact
        yield BenchResult(str(position), watch.nodes, f"value {value.low:+d}")


# -- the engine --------------------------------------------------------------------------------

_ENGINE_MB: Final = 8
_ENGINE_NODES: Final = 200_000


def champion() -> Iterator[BenchResult]:
    """Let the engine play the first moves of a game against itself, with a limit of nodes each.

    The first moves come from sampling, later ones from the exact search. The estimates are rounded,
    since they are means. No network takes part: its sums may differ from processor to processor.
    """
    prepare()
    for size in ("5x5", "7x7"):
        state = _state("dots-and-boxes", size)
        assert isinstance(state, DotsAndBoxesState)
        engine = Engine(state.board, Random(_SEED), _ENGINE_MB)
        nodes, known = 0, []
        for _ in range(12):
            limit = Limit(nodes=_ENGINE_NODES)
            thought = engine.think(state, limit, NeverStop())
            nodes += thought.nodes
            known += [(thought.edge, thought.exact, round(thought.estimate, 2))]
            state.apply(thought.edge)
        label = f"dots-and-boxes {size}, {_ENGINE_NODES} nodes a move"
        played = " ".join(str(action) for action in state.history())
        yield BenchResult(label, nodes, f"played {played}, {crc32(repr(known).encode()):x}")


# -- all of it ---------------------------------------------------------------------------------

Section = Callable[[], Iterable[BenchResult]]

SECTIONS: Final[Mapping[str, Section]] = {
    "textbook": textbook,
    "mcts": mcts,
    "solver": solver,
    "champion": champion,
}
"""The sections in the order in which they run; each yields the same lines on every call."""


def signature(text: str) -> int:
    """Return a checksum of the printed lines."""
    return crc32(text.encode())


def run(names: Sequence[str] = (), write: Callable[[str], object] = sys.stdout.write) -> int:
    """Run the sections `names` (none: all), write their lines and the signature, and return it."""
    chosen = list(names or SECTIONS)
    text = ""
    for name in chosen:
        total = 0
        for line in SECTIONS[name]():
            total += line.nodes
            text += f"{name:<9}{line}\n"
            write(f"{name:<9}{line}\n")
        write(f"{name:<9}{BenchResult('all', total, '')}".rstrip() + "\n")
    number = signature(text)
    of = "" if chosen == list(SECTIONS) else f" of {', '.join(chosen)}"
    write(f"signature{of}: {number}\n")
    return number


def _state(game: str, size: str, opening: Sequence[int] = ()) -> State:
    kind = game_class(game)
    return kind(kind.parse_size(size)).initial_state(opening)


def main() -> None:
    """Run the command."""
    parser = ArgumentParser(
        prog="python -m benchmarks.search.bench",
        description="Print a signature of what the searches do.",
    )
    # Checked here, because `choices` would refuse an empty list, which means all sections.
    parser.add_argument("section", nargs="*", help=f"{', '.join(SECTIONS)}; all by default")
    names = parser.parse_args().section
    for name in names:
        if name not in SECTIONS:
            parser.error(f"unknown section {name!r}; choose from {', '.join(SECTIONS)}")
    run(names)


if __name__ == "__main__":
    main()
