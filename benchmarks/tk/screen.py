"""Measures the whole screen of a game in a real window: its first draw, clicks, and moves of the
opponent.

Theory of operation
-------------------
As in `measure`, but with all that stands beside the board: seats, clocks, moves, buttons. There is
no server: what a click asks of it is dropped, and the pictures in which it would confirm the move
or tell of one by the opponent are made here, between or within the times that are taken.
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
from games.api import Game
from protocol.common import PlayerInfo, TimeControl

if TYPE_CHECKING:
    from client.tk.context import Context
    from client.tk.models.pictures import RoomPicture
    from client.tk.screens.room.screen import RoomScreen


class _Nowhere:
    """Stands for what a screen asks of others: the network, helpers, other screens."""

    def __getattr__(self, name: str) -> Any:
        return lambda *_, **__: None


def first(plan: Plan) -> Numbers:
    """The time from the first picture of a room to its drawn screen."""
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
    """The times from a click on a free edge until it is drawn, and (`told`) from the picture that
    tells of the opponent's move until that is drawn, for every edge of whole games; `early` and
    `late` are the medians of both in the first and the last tenth of their moves."""
    game = game_of(plan)
    clicked, told, early, late = [], [], [], []
    tenth = max(1, game.num_actions // 10)
    for seed in range(plan.games):
        with _context() as context:
            times = list(_one_game(context, game, Random(seed)))
        clicked.append([took for mine, took in times if mine])
        told.append([took for mine, took in times if not mine])
        early += [took for _, took in times[:tenth]]
        late += [took for _, took in times[-tenth:]]
    return {
        "seconds": spread(list(itertools.chain(*clicked))),
        "told": spread(list(itertools.chain(*told))),
        "early": statistics.median(early),
        "late": statistics.median(late),
        "rounds": clicked,
    }


def _one_game(context: Context, game: Game, rng: Random) -> Iterator[tuple[bool, float]]:
    """Whether the move was clicked, and how long it took, for every edge in an order of chance."""
    screen = _open(context, game)
    view, model = screen.view, screen.model
    if view is None or model is None:
        raise BenchmarkError("The screen of the game has not come.")
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
        after = _picture(game, tuple(actions[: count + 1]))
        began = time.perf_counter()
        if mine:
            view.board.event_generate("<ButtonPress-1>", x=x, y=y)
        else:
            screen.take(after)
        draw(context.root)
        yield mine, time.perf_counter() - began
        if model.position.board.last != action:
            raise BenchmarkError(f"The move {action} has not been drawn.")
        if mine:
            screen.take(after)


def _open(context: Context, game: Game) -> RoomScreen:
    from client.tk.screens.room.screen import RoomScreen

    screen = RoomScreen(context, "r1")
    screen.grid(row=0, column=0, sticky="nsew")
    screen.take(_picture(game, ()))
    return screen


def _picture(game: Game, moves: tuple[int, ...]) -> RoomPicture:
    """The room after some moves, as Ann sees it, who plays against a bot."""
    from client.tk.models.pictures import RoomPicture

    state = game.initial_state()
    for action in moves:
        state.apply(action)
    over = state.is_terminal()
    picture = RoomPicture(
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
    return replace(picture, status="finished") if over else picture


@contextmanager
def _context() -> Iterator[Context]:
    """A window that is shown, and what a screen in it has at hand."""
    from client.tk.context import Context
    from client.tk.home import Home
    from client.tk.models.latest import LatestPictures
    from client.tk.models.look import make_look
    from client.tk.sound import Sound

    nowhere = cast(Any, _Nowhere())
    with tempfile.TemporaryDirectory() as folder, window() as root:
        root.columnconfigure(0, weight=1)
        root.rowconfigure(0, weight=1)
        yield Context(
            root=root,
            network=nowhere,
            helpers=nowhere,
            home=Home(Path(folder)),
            look=make_look("classic", dark=False),
            sound=Sound(on=False),
            latest=LatestPictures(),
            navigation=nowhere,
            program=nowhere,
            clock=time.monotonic,
        )
