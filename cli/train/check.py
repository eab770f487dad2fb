"""`doublecross train test`: measures a net against the truth and against other bots."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Annotated

import typer

from cli.shared.console import Problem, say
from cli.train.packages import need_training


def check(
    net: Annotated[Path, typer.Argument(metavar="NET", help="The file of the net.")],
    size: Annotated[str, typer.Option("--size", "-s", help="Rows x columns of boxes.")] = "3x3",
    simulations: Annotated[
        int, typer.Option(help="Simulations for each move; 0 plays the net's first choice.")
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
    """Measure a net: how often it finds a best move, and how many boxes it loses to best play.

    On boards of more than 24 edges only moves with at most 26 free edges are judged, because the
    solver must know the value of each.

    Example: doublecross train test runs/first/best.onnx --size 3x3 --simulations 64
    """
    from bots.api import BotError
    from bots.training.settings import TrainError, board_named

    need_training()
    for name, value in (("--games", games), ("--positions", positions), ("--pairs", pairs)):
        if value < 1:
            raise Problem(f"{name} must be 1 or more, not {value}.")
    if simulations < 0:
        raise Problem(f"--simulations must be 0 or more, not {simulations}.")
    try:
        board_named(size)
        if against is not None:
            _match(net, against, size, pairs, seed, time)
        else:
            _truth(net, size, simulations, games, positions, seed, solver=solver)
    except (TrainError, BotError) as error:
        raise Problem(str(error), trace=getattr(error, "trace", "")) from None


def _truth(
    path: Path, size: str, simulations: int, games: int, positions: int, seed: int, *, solver: bool
) -> None:
    from bots.training.judging.games import Desk, Player
    from bots.training.judging.truth import measure
    from bots.training.settings import GAME, board_named
    from bots.training.teachers.labels import prepare_labels
    from bots.zero.net import Net
    from bots.zero.planes import PLANES

    loaded = Net.load(path, GAME, PLANES)
    prepare_labels()
    desk = Desk(board_named(size))
    player: Player | None = None
    if simulations:
        from bots.training.judging.searching import SearchPlayer

        player = SearchPlayer(desk.board, loaded, simulations, Random(seed), exact=solver)
    found = measure(
        desk, loaded, games=games, positions=positions, seed=f"{seed}/test", player=player
    )
    how = f"{simulations} simulations a move" if simulations else "the net without a search"
    part = "whole games" if found.free == desk.board.num_edges else f"from {found.free} free edges"
    say(f"{path} on {size}, {how}:")
    say(f"  a best move in {100 * found.best:.1f} % of {found.positions} positions,")
    say(f"  {found.loss:.3f} boxes lost in a position,")
    say(f"  {found.lost:.3f} boxes lost a game against best play ({found.games} games, {part})")


def _match(path: Path, against: str, size: str, pairs: int, seed: int, time: float | None) -> None:
    from bots.training.judging.matches import play_match

    found = play_match(path, against, size, pairs, seed, seconds=time)
    say(f"{path} on {size} against {against}: {found['score']:.1f} % of {2 * pairs} games")
    say(f"  pairs with 0, ½, 1, 1½, 2 points: {' '.join(map(str, found['counts']))}")
