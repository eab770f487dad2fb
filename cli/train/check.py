"""Measure a network against the truth and against other bots: `doublecross train test`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Annotated, Self

import typer

from doublecross.cli.shared.console import Problem, say
from doublecross.cli.shared.parsing import DEFAULT_GAME
from doublecross.cli.train.packages import need_training

if TYPE_CHECKING:
    from doublecross.bots.zero.net import Net
    from doublecross.games.api import Game


def check(
    net: Annotated[Path, typer.Argument(metavar="NETWORK", help="The file of the network.")],
    size: Annotated[
        str | None,
        typer.Option("--size", "-s", help="The size.", show_default="3x3, or that of another game"),
    ] = None,
    simulations: Annotated[
        int, typer.Option(help="Simulations for each move; 0 plays the network's first choice.")
    ] = 0,
    games: Annotated[int, typer.Option(help="Games against a perfect player.")] = 100,
    positions: Annotated[int, typer.Option(help="Single positions.")] = 500,
    solver: Annotated[bool, typer.Option(help="Let the exact search help a search.")] = True,
    against: Annotated[
        str | None, typer.Option(help="Play this bot instead, such as mcts.")
    ] = None,
    pairs: Annotated[int, typer.Option(help="Game pairs against that bot.")] = 20,
    time: Annotated[
        float | None, typer.Option(help="Seconds a move against that bot, for both.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of all random numbers.")] = 1,
) -> None:
    """Measure a network: how often it finds a best move, and how many boxes it loses to best play.

    On boards of more than 24 edges only moves with at most 26 free edges are judged, because the
    solver must know the value of each. In other games the loss is counted in points, if plain
    search solves the game.

    Example: doublecross train test runs/first/best.onnx --size 3x3 --simulations 64
    """
    from doublecross.bots.api import BotError
    from doublecross.bots.training.settings import TrainError

    need_training()
    for name, value in (("--games", games), ("--positions", positions), ("--pairs", pairs)):
        if value < 1:
            raise Problem(f"{name} must be 1 or more, not {value}.")
    if time is not None and against is None:
        raise Problem("--time is for a match. Name the other bot with --against, or leave it out.")
    if simulations < 0:
        raise Problem(f"--simulations must be 0 or more, not {simulations}.")
    try:
        tested = _Tested.load(net, size)
        if against is not None:
            _match(tested, against, pairs, seed, time)
        elif tested.net.game == DEFAULT_GAME:
            _boxes(tested, simulations, games, positions, seed, solver=solver)
        elif not solver:
            raise Problem(f"--no-solver is for {DEFAULT_GAME}. Leave it out.")
        else:
            _truth(tested, simulations, games, positions, seed)
    except (TrainError, BotError) as error:
        raise Problem(str(error), trace=getattr(error, "trace", "")) from None


@dataclass(frozen=True, slots=True)
class _Tested:
    """A network with the game and size in which it is tested."""

    net: Net
    game: Game
    size: str

    @classmethod
    def load(cls, path: Path, size: str | None) -> Self:
        """Load the network from `path`."""
        from doublecross.bots.training.settings import check_size, default_sizes, game_named
        from doublecross.bots.training.subjects.choose import subject_of
        from doublecross.bots.zero.net import Net

        net = Net.load(path)
        size = size or default_sizes(net.game)[0]
        check_size(net.game, size)
        net.require(net.game, subject_of(net.game, size).form.planes)
        return cls(net, game_named(net.game, size), size)

    def describe(self, simulations: int) -> str:
        """Return what is tested as the head of the figures."""
        how = f"{simulations} simulations a move" if simulations else "the network without a search"
        return f"{self.net.path} on {self.size}, {how}:"


def _boxes(
    tested: _Tested, simulations: int, games: int, positions: int, seed: int, *, solver: bool
) -> None:
    from doublecross.bots.training.judging.games import Player
    from doublecross.bots.training.judging.truth import measure
    from doublecross.bots.training.positions import BoardTools
    from doublecross.bots.training.settings import board_named

    tools = BoardTools(board_named(tested.size))
    player: Player | None = None
    if simulations:
        from doublecross.bots.training.judging.searching import SearchPlayer

        player = SearchPlayer(tools.board, tested.net, simulations, Random(seed), exact=solver)
    found = measure(
        tools, tested.net, games=games, positions=positions, seed=f"{seed}/test", player=player
    )
    part = "whole games" if found.free == tools.board.num_edges else f"from {found.free} free edges"
    say(tested.describe(simulations))
    say(f"  a best move in {100 * found.best:.1f} % of {found.positions} positions,")
    say(f"  {found.loss:.3f} boxes lost in a position,")
    say(f"  {found.lost:.3f} boxes lost a game against best play ({found.games} games, {part})")


def _truth(tested: _Tested, simulations: int, games: int, positions: int, seed: int) -> None:
    from doublecross.bots.training.judging.grid_games import (
        GridNetPlayer,
        GridPlayer,
        GridSearchPlayer,
    )
    from doublecross.bots.training.judging.grid_truth import measure_grid
    from doublecross.bots.training.judging.solved import solved

    game = tested.game
    known = solved(game)
    if known is None:
        raise Problem(
            f"{game.full_title} is too large to be solved by plain search."
            " Measure the network with --against, such as --against mcts."
        )
    player: GridPlayer = GridNetPlayer(tested.net)
    if simulations:
        player = GridSearchPlayer(game, tested.net, simulations, Random(seed))
    found = measure_grid(known, player, games=games, positions=positions, seed=f"{seed}/test")
    say(tested.describe(simulations))
    say(f"  a best move in {100 * found.best:.1f} % of {found.positions} positions,")
    say(f"  {found.loss:.3f} points lost in a position,")
    say(f"  {found.lost:.3f} points lost a game against best play ({found.games} games)")


def _match(tested: _Tested, against: str, pairs: int, seed: int, time: float | None) -> None:
    from doublecross.bots.training.judging.matches import play_match

    path, size = tested.net.path, tested.size
    found = play_match(path, against, tested.game, pairs, seed, seconds=time)
    say(f"{path} on {size} against {against}: {found['score']:.1f} % of {2 * pairs} games")
    say(f"  pairs with 0, ½, 1, 1½, 2 points: {' '.join(map(str, found['counts']))}")
