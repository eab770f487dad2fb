"""Measure the screen of a game in a real window: its first drawing, clicks, the opponent's moves.

Theory of operation
-------------------
It works as in `measure`, but with everything beside the board: seats, clocks, moves, buttons. There
is no server. Requests of the screen are dropped. This module makes the snapshots of the room in
which a server would confirm a move or report one of the opponent, and gives them to the screen.
"""

from __future__ import annotations

import itertools
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, cast

from benchmarks.processes import BenchmarkError
from benchmarks.tk.measure import MOST_S, Numbers, Plan, draw, game_of, spread, window
from doublecross.games.api import Game
from doublecross.protocol.common import PlayerInfo, TimeControl

if TYPE_CHECKING:
    from doublecross.client.tk.context import Context
    from doublecross.client.tk.models.snapshots import RoomSnapshot
    from doublecross.client.tk.screens.room.screen import RoomScreen


class _Nowhere:
    """Stands for everything that a screen calls, such as the network, and ignores all calls."""

    def __getattr__(self, name: str) -> Any:
        return lambda *_, **__: None


def first(plan: Plan) -> Numbers:
    """Time from the first snapshot of a room until its screen is drawn."""
    game = game_of(plan)
    times = []
    for _ in range(plan.boards):
        with _context() as context:
            began = time.perf_counter()
            _open(context, game)
            draw(context.root)
            times.append(time.perf_counter() - began)
    return {"seconds": spread(times), "rounds": times}


def click(plan: Plan) -> Numbers:
    """Time from a click on a free edge until it is drawn, for every edge of whole games.

    `opponent` has the times from a snapshot with the opponent's move until that move is drawn.
    `early` and `late` are the medians of both in the first and the last tenth of the moves of a
    game.
    """
    game = game_of(plan)
    clicked, opponent, early, late = [], [], [], []
    tenth = max(1, game.num_actions // 10)
    for seed in range(plan.games):
        with _context() as context:
            times = list(_one_game(context, game, Random(seed)))
        clicked.append([took for mine, took in times if mine])
        opponent.append([took for mine, took in times if not mine])
        early += [took for _, took in times[:tenth]]
        late += [took for _, took in times[-tenth:]]
    return {
        "seconds": spread(list(itertools.chain(*clicked))),
        "opponent": spread(list(itertools.chain(*opponent))),
        "early": statistics.median(early),
        "late": statistics.median(late),
        "rounds": clicked,
    }


def _one_game(context: Context, game: Game, rng: Random) -> Iterator[tuple[bool, float]]:
    """Play all edges in random order; yield whether a click played the edge, and its seconds."""
    screen = _open(context, game)
    view, model = screen.view, screen.model
    if view is None or model is None:
        raise BenchmarkError("The screen of the game did not appear.")
    draw(context.root)
    actions = list(range(game.num_actions))
    rng.shuffle(actions)
    for count, action in enumerate(actions):
        mine = model.position.board.state.current_player() == 0
        x, y = view.board.pixel_of(action)
        view.board.event_generate("<Motion>", x=x, y=y)
        for step in range(1, 50):
            screen.tick(time.monotonic() + step * MOST_S / 50)
        draw(context.root)
        after = _snapshot(game, tuple(actions[: count + 1]))
        began = time.perf_counter()
        if mine:
            view.board.event_generate("<ButtonPress-1>", x=x, y=y)
        else:
            screen.take(after)
        draw(context.root)
        yield mine, time.perf_counter() - began
        if model.position.board.last != action:
            raise BenchmarkError(f"The screen did not draw move {action}.")
        if mine:
            screen.take(after)


def _open(context: Context, game: Game) -> RoomScreen:
    from doublecross.client.tk.screens.room.screen import RoomScreen

    screen = RoomScreen(context, "r1")
    screen.grid(row=0, column=0, sticky="nsew")
    screen.take(_snapshot(game, ()))
    return screen


def _snapshot(game: Game, moves: tuple[int, ...]) -> RoomSnapshot:
    """Return the snapshot of a room after some moves, as its player Ann gets it."""
    from doublecross.client.tk.models.snapshots import RoomSnapshot

    state = game.initial_state()
    for action in moves:
        state.apply(action)
    over = state.is_terminal()
    snapshot = RoomSnapshot(
        who="me",
        room="r1",
        at=time.monotonic(),
        game=game,
        opening=(),
        moves=moves,
        match=1,
        status="playing",
        seat=0,
        players=(PlayerInfo(name="Ann", kind="human"), PlayerInfo(name="Robo", kind="bot")),
        to_move=None if over else state.current_player(),
        clock_ms=(300_000, 300_000),
        clock_runs=not over,
        move_ms=None,
        time=TimeControl.parse("300+3"),
        rated=False,
        private=False,
        code=None,
        rematch=(False, False),
        result=None,
        present=(True, True),
        claim_at=None,
        spectators=0,
        sentence="",
    )
    return replace(snapshot, status="finished") if over else snapshot


@contextmanager
def _context() -> Iterator[Context]:
    """Show a window inside this context; give what its screens need."""
    from doublecross.client.tk.context import Context
    from doublecross.client.tk.home import Home
    from doublecross.client.tk.models.colours import make_colours
    from doublecross.client.tk.models.latest import LatestSnapshots
    from doublecross.client.tk.sound import Sound

    nowhere = cast(Any, _Nowhere())
    with tempfile.TemporaryDirectory() as folder, window() as root:
        root.columnconfigure(0, weight=1)
        root.rowconfigure(0, weight=1)
        yield Context(
            root=root,
            network=nowhere,
            helpers=nowhere,
            home=Home(Path(folder)),
            colours=make_colours("classic", dark=False),
            sound=Sound(on=False),
            latest=LatestSnapshots(),
            navigation=nowhere,
            program=nowhere,
            clock=time.monotonic,
        )
