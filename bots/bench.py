"""`python -m bots.bench`: a signature of what the searches do, the same on every run and machine.

Theory of operation
-------------------
Every search is given fixed positions and fixed limits in plies, nodes or simulations, never in
time, and what it did is printed: how many nodes it took and what it found. The last line has one
number that all lines before it go into. A change that is to make a search faster, or its code
tidier, keeps the number; one that changes what is searched changes it, and says why.

Nothing that depends on the machine is printed; `python -m benchmarks search` measures speed. The
searches share no tables, so that one section's numbers say nothing of another's, and chance comes
from seeded generators. The one thing left to the machine is the logarithm in UCT, whose last bit
may differ between C libraries; it would have to decide between two children to be seen.

A new search gets a function that yields its lines, and an entry in `SECTIONS`.

Source: Stockfish's ``bench``, whose total of nodes is quoted in every commit.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Final, NamedTuple
from zlib import crc32

from bots.alphabeta import TranspositionTable, alphabeta
from bots.api import Limit, NeverStop
from bots.engine.engine import Engine, prepare
from bots.evaluations import EVALUATIONS
from bots.mcts.bot import MctsBot
from bots.minimax import minimax
from bots.search.exact.solver import SearchWatch, Solver
from bots.search.exact.solver import prepare as prepare_solver
from bots.textbook import TO_THE_END, SearchResult
from games.api import State
from games.dots_and_boxes.board import board
from games.dots_and_boxes.rules import DotsAndBoxesState
from games.registry import game_class


class BenchLine(NamedTuple):
    """One search: what was searched and how, its count of nodes, and what it found."""

    label: str
    nodes: int
    found: str

    def __str__(self) -> str:
        return f"{self.label:<64} {self.nodes:>10}  {self.found}"


# -- textbook ----------------------------------------------------------------------------------


class BenchTree(NamedTuple):
    """A tree for the textbook searches, and which of them are quick enough on it."""

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
"""Small enough that the larger trees make the table forget."""


def textbook() -> Iterator[BenchLine]:
    """Minimax, and alpha-beta without and with a table."""
    for tree in TREES:
        depth = f"depth {tree.depth}" if tree.depth else "to the end"
        label = f"{tree.game} {tree.size}, {len(tree.opening)} played, {depth}"
        for search in tree.searches:
            result = _search(search, tree)
            assert result.value is not None
            pv = " ".join(str(action) for action in result.pv)
            found = f"value {result.value:+g}, pv {pv}"
            yield BenchLine(f"{label}, {search}", result.nodes, found)


def _search(search: str, tree: BenchTree) -> SearchResult:
    state = _state(tree.game, tree.size, tree.opening)
    worth = EVALUATIONS[tree.evaluation]
    if search == "minimax":
        return minimax(state, tree.depth, worth)
    table = TranspositionTable(_TABLE_MB) if search == "with table" else None
    return alphabeta(state, tree.depth, worth, table=table)


# -- mcts --------------------------------------------------------------------------------------


class BenchGame(NamedTuple):
    """A game's first moves, `plies` of them, with so many simulations each."""

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
"""How readily nodes get children depends on the room that there is."""


def mcts() -> Iterator[BenchLine]:
    """Moves of one game, the tree kept between them. The nodes are those of the last tree; the
    number in hexadecimal is a checksum of the visits and bounds of all actions, move by move."""
    for game in GAMES:
        state = _state(game.game, game.size)
        bot = MctsBot(Random(_SEED), {**game.options, "simulations": game.simulations})
        limit, known = Limit(memory_mb=_TREE_MB), []
        for _ in range(game.plies):
            choice = bot.choose(state, limit, NeverStop())
            assert bot.tree is not None
            # Whole numbers only: the signature is not to hang on how a mean is rounded.
            known += [
                (choice.action, c.action, c.visits, int(c.lower), int(c.upper))
                for c in bot.tree.candidates()
            ]
            state.apply(choice.action)
        assert bot.tree is not None
        options = "".join(f", {name} {value}" for name, value in game.options.items())
        label = f"{game.game} {game.size}, {game.simulations} simulations{options}"
        played = " ".join(str(action) for action in state.history())
        yield BenchLine(
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
    # Something to capture: a box alone, a chain of which two and a loop of which four may be
    # declined.
    BenchPosition(5, 5, 0x60C94540E91E0FE),
    BenchPosition(5, 5, 0x345299B611E4959),
    BenchPosition(5, 5, 0x556D3C8190605FB),
)

_SOLVER_MB: Final = 1
"""The table forgets in the larger ones of these searches."""


def solver() -> Iterator[BenchLine]:
    """The value of each position, for the player to move, from an empty table."""
    prepare_solver()
    for position in POSITIONS:
        watch = SearchWatch()
        exact = Solver(board(position.rows, position.cols), _SOLVER_MB)
        value = exact.bounds(position.edges, watch)
        assert value.exact
        yield BenchLine(str(position), watch.nodes, f"value {value.low:+d}")


# -- the engine --------------------------------------------------------------------------------

_ENGINE_MB: Final = 8
_ENGINE_NODES: Final = 200_000


def champion() -> Iterator[BenchLine]:
    """The moves of one game of the engine against itself, so many nodes each: sampled ones, then
    exact ones. The estimates are rounded, since they are means."""
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
        yield BenchLine(label, nodes, f"played {played}, {crc32(repr(known).encode()):x}")


# -- all of it ---------------------------------------------------------------------------------

Section = Callable[[], Iterable[BenchLine]]

SECTIONS: Final[Mapping[str, Section]] = {
    "textbook": textbook,
    "mcts": mcts,
    "solver": solver,
    "champion": champion,
}
"""What is run, in this order; each gives the same lines whenever it is called."""


def signature(text: str) -> int:
    """One number for all that was printed."""
    return crc32(text.encode())


def run(names: Sequence[str] = (), write: Callable[[str], object] = sys.stdout.write) -> int:
    """Run the sections `names` (none: all), write their lines and then the signature, and return
    it."""
    chosen = list(names or SECTIONS)
    text = ""
    for name in chosen:
        total = 0
        for line in SECTIONS[name]():
            total += line.nodes
            text += f"{name:<9}{line}\n"
            write(f"{name:<9}{line}\n")
        write(f"{name:<9}{BenchLine('all', total, '')}".rstrip() + "\n")
    number = signature(text)
    of = "" if chosen == list(SECTIONS) else f" of {', '.join(chosen)}"
    write(f"signature{of}: {number}\n")
    return number


def _state(game: str, size: str, opening: Sequence[int] = ()) -> State:
    kind = game_class(game)
    return kind(kind.parse_size(size)).initial_state(opening)


def main() -> None:
    """The command."""
    parser = ArgumentParser(prog="python -m bots.bench", description="Behaviour of the searches.")
    # Checked here: `choices` would refuse an empty list, which stands for all.
    parser.add_argument("section", nargs="*", help=f"{', '.join(SECTIONS)}; all by default")
    names = parser.parse_args().section
    for name in names:
        if name not in SECTIONS:
            parser.error(f"{name!r} is none of {', '.join(SECTIONS)}")
    run(names)


if __name__ == "__main__":
    main()
