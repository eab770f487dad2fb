"""Make positions of real games that are decided but hardly solvable, and say which edges hold.

The games are those of `champion` against itself and against `mcts`, after random openings of safe
edges, each move with the same number of nodes. So they depend on their numbers only. A position
counts if `champion` is to move and wins (or draws) with best play, no box can be captured, and
at least one safe edge throws the result away. The exact solver decides that for every free edge.

The file has one JSON object a line. The first line says how the set was made. Each further line is
a position:

=========  ==================================================================================
free       the number of free edges
game       the number of the game; together with `free` it is the seed
against    the opponent of `champion` in that game
moves      the moves so far, the opening included; they give the board, the score and the mover
net        the mover's boxes minus the opponent's
result     what the mover reaches with best play: `win` or `draw`
keeps      the free edges that keep this result; all others throw it away
value      the exact net score from here on, or null if it takes more than `VALUE_NODES` nodes
nodes      the nodes that the decision about all edges took
=========  ==================================================================================
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any, Final

from benchmarks.processes import BenchmarkError
from benchmarks.search.positions import safe_edges
from doublecross.bots.api import Limit, NeverStop
from doublecross.bots.registry import make_bot
from doublecross.bots.search.exact.closure import closure
from doublecross.bots.search.exact.solver import SearchWatch, Solver
from doublecross.games.dots_and_boxes.board import Board
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes, DotsAndBoxesState

RESULTS: Final = {"win": 1, "draw": 0}
"""The least final net score of each result."""
RIVALS: Final = ("champion", "mcts")
"""The opponents of `champion`; they take turns."""
VALUE_NODES: Final = 2_000_000
"""The most nodes for the exact value of a position."""


@dataclass(frozen=True, slots=True)
class LatePosition:
    """A position of the set; the comment at the top of the file explains the fields."""

    free: int
    game: int
    against: str
    moves: tuple[int, ...]
    net: int
    result: str
    keeps: tuple[int, ...]
    value: int | None
    nodes: int

    @property
    def edges(self) -> int:
        """The set of drawn edges."""
        return sum(1 << move for move in self.moves)

    def state(self, game: DotsAndBoxes) -> DotsAndBoxesState:
        """Play the moves and return the state."""
        state = game.initial_state()
        for move in self.moves:
            state.apply(move)
        return state


@dataclass(frozen=True, slots=True)
class Origin:
    """How a set is made: the board, the nodes for a move, the lengths of openings, and the seed."""

    size: str = "5x5"
    nodes: int = 200_000
    shortest: int = 4
    longest: int = 10
    seed: int = 1


def net_of(state: DotsAndBoxesState) -> int:
    """Return the boxes of the player to move minus those of the opponent."""
    scores, mover = state.scores(), state.current_player()
    return scores[mover] - scores[1 - mover]


def play(
    game: DotsAndBoxes, origin: Origin, free: int, number: int
) -> tuple[str, list[int]] | None:
    """Play a game until `free` edges are free; return the opponent and the moves.

    Return None if then the opponent is to move.
    """
    rng = Random(f"{origin.seed} {free} {number}")
    length = origin.shortest + int(rng.random() * (origin.longest - origin.shortest + 1))
    against = RIVALS[number % len(RIVALS)]
    # Without captures the players take turns, and `champion` is to move at the end.
    seat = (game.num_actions - free) % 2
    names = [against, against]
    names[seat] = "champion"
    bots = [make_bot(name, Random(f"{origin.seed} {free} {number} {name}")) for name in names]
    moves = list(game.openings(rng, 1, length).found[0])
    state = game.initial_state()
    for move in moves:
        state.apply(move)
    while game.num_actions - len(moves) > free:
        bot = bots[state.current_player()]
        action = bot.choose(state, Limit(nodes=origin.nodes), NeverStop()).action
        state.apply(action)
        moves.append(action)
    return (against, moves) if names[state.current_player()] == "champion" else None


def decide(
    solver: Solver, edges: int, net: int, watch: SearchWatch
) -> tuple[str, tuple[int, ...]] | None:
    """Return the result of a position without captures, and the edges that keep it.

    `net` is the mover's net score so far. Return None if the mover loses.
    """
    for result, least in RESULTS.items():
        if solver.at_least(edges, least - net, watch):
            # These are all edges worth at least so much, the best ones or not.
            return result, solver.best(edges, least - net, watch, every=True) or ()
    return None


def find(
    solver: Solver, game: DotsAndBoxes, origin: Origin, free: int, number: int
) -> LatePosition | None:
    """Return the position of one game, or None if it does not belong in the set."""
    played = play(game, origin, free, number)
    if played is None:
        return None
    against, moves = played
    state = game.initial_state()
    for move in moves:
        state.apply(move)
    edges, net = state.edges, net_of(state)
    if closure(game.board, edges).taken:
        return None
    # With an empty table, the number of nodes does not depend on the positions before.
    solver.clear()
    watch = SearchWatch()
    decided = decide(solver, edges, net, watch)
    if decided is None or set(safe_edges(game.board, edges)) <= set(decided[1]):
        return None
    bounds = solver.bounds(edges, SearchWatch(nodes=VALUE_NODES))
    value = bounds.low if bounds.exact else None
    return LatePosition(free, number, against, tuple(moves), net, *decided, value, watch.nodes)


def image(board: Board, edges: int) -> int:
    """Return the smallest image of a set of edges under the symmetries of the board."""
    members = board.members(edges)
    return min(sum(1 << to[edge] for edge in members) for to in board.symmetries)


# -- the file ------------------------------------------------------------------------------------


def load(path: Path) -> tuple[Origin, list[LatePosition]]:
    """Read a set.

    Raises:
        BenchmarkError: the file is missing, or it is no such set.
    """
    try:
        first, *lines = path.read_text(encoding="utf-8").splitlines()
        return Origin(**json.loads(first)["made"]), [_read(json.loads(line)) for line in lines]
    except OSError as error:
        raise BenchmarkError(f"{path} cannot be read: {error.strerror}.") from None
    except (ValueError, KeyError, TypeError) as error:
        raise BenchmarkError(f"{path} is no set of late positions: {error!r}.") from None


def resume(path: Path, origin: Origin) -> list[LatePosition]:
    """Return the positions that a file has already, and prepare it for more.

    A last line without its end was not written completely, so it is removed.

    Raises:
        BenchmarkError: the file has positions that were made in another way.
    """
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    whole = text[: text.rfind("\n") + 1]
    if not whole:
        whole = json.dumps({"format": 1, "made": asdict(origin)}) + "\n"
    path.write_text(whole, encoding="utf-8")
    made, positions = load(path)
    if made != origin:
        raise BenchmarkError(
            f"{path} was made with other options: {asdict(made)}. Choose another file, or these."
        )
    return positions


def append(path: Path, position: LatePosition) -> None:
    """Write a position to the end of the file."""
    row = asdict(position)
    for name in ("moves", "keeps"):
        row[name] = " ".join(map(str, row[name]))
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")


def _read(row: dict[str, Any]) -> LatePosition:
    for name in ("moves", "keeps"):
        row[name] = tuple(map(int, row[name].split()))
    return LatePosition(**row)
