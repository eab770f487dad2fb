"""Play through agents of KU Leuven's course."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from random import Random
from threading import Thread
from typing import Any

import pytest
from websockets.sync.server import ServerConnection, serve

from doublecross.bots.api import BotError, BotFault, Limit, NeverStop
from doublecross.bots.arena.moves import MoveBudget
from doublecross.bots.arena.referee import play_game
from doublecross.bots.registry import bot_class, checked_spec, make_bot
from doublecross.cli.shared.console import Problem
from doublecross.cli.shared.openings import check_openings
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes
from doublecross.processes.ports import free_port

GAME = DotsAndBoxes({"rows": 2, "cols": 3})
Messages = list[dict[str, Any]]


class Agent:
    """An agent that moves at random among the places that were not played."""

    def __init__(self, messages: Messages) -> None:
        self.messages = messages

    def __call__(self, socket: ServerConnection) -> None:
        for text in socket:
            self.messages.append(message := json.loads(text))
            if message["type"] == "start":
                rows, cols = message["grid"]
                me, moves = message["player"], message["player"] == 1
                free = [(r, c, "h") for r in range(rows + 1) for c in range(cols)]
                free += [(r, c, "v") for r in range(rows) for c in range(cols + 1)]
            elif message["type"] == "action":
                free.remove((*message["location"], message["orientation"]))
                moves = message["nextplayer"] == me
            if moves and message["type"] != "end":
                r, c, orientation = Random(len(free)).choice(free)
                answer = {"type": "action", "location": [r, c], "orientation": orientation}
                socket.send(json.dumps(answer))


@contextmanager
def listening(agent: Callable[[ServerConnection], None]) -> Iterator[str]:
    with serve(agent, "127.0.0.1", 0) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"kuleuven:ws://127.0.0.1:{server.socket.getsockname()[1]}"
        server.shutdown()
        thread.join()


@pytest.mark.parametrize("order", [1, -1])
def test_an_agent_plays_a_whole_game(order: int) -> None:
    messages: Messages = []
    with listening(Agent(messages)) as name:
        bots = (make_bot(name, Random(1)), make_bot("random", Random(2)))
        failure = play_game(
            GAME, (), bots[::order], (MoveBudget(time_s=5),) * 2, 60, lambda _: None
        )
        bots[0].close()
    assert failure is None
    start, *moves, end = messages
    me = 1 if order == 1 else 2
    assert (start["player"], start["timelimit"], start["grid"]) == (me, 5, [2, 3])
    assert end["type"] == "end"
    assert {message["game"] for message in messages} == {start["game"]}
    # The score and the next player follow the rules.
    state = GAME.initial_state()
    for move in moves:
        (row, col), flat = move["location"], move["orientation"] == "h"
        assert move["player"] == state.current_player() + 1
        state.apply(row * 3 + col if flat else 9 + row * 4 + col)
        assert move["nextplayer"] == state.current_player() + 1
        assert move["score"] == list(state.scores())


def test_after_a_takeback_the_game_is_told_anew() -> None:
    messages: Messages = []
    with listening(Agent(messages)) as name:
        bot, state = make_bot(name, Random(1)), GAME.initial_state()
        for _ in range(2):
            state.apply(bot.choose(state, Limit(), NeverStop()).action)
            state.apply(state.legal_actions()[0])
        for _ in range(3):
            state.undo()
        state.apply(state.legal_actions()[1])
        assert state.is_legal(bot.choose(state, Limit(), NeverStop()).action)
        bot.close()
    types = [message["type"] for message in messages]
    assert types == ["start", *["action"] * 2, "start", *["action"] * 2, "end"]


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ('{"location": [9, 9], "orientation": "v"}', "chose .*9, 9.*, which is not legal"),
        ("nonsense", "its agent sent 'nonsense'"),
        (None, "its agent is gone"),
    ],
)
def test_an_agent_that_fails_loses(answer: str | None, sentence: str) -> None:
    def agent(socket: ServerConnection) -> None:
        for _ in socket:
            if answer is None:
                return
            socket.send(answer)

    with listening(agent) as name:
        bot = make_bot(name, Random(1))
        with pytest.raises(BotFault, match=sentence):
            bot.choose(GAME.initial_state(), Limit(), NeverStop())
        with pytest.raises(BotFault, match="--opening-length 0"):
            bot.choose(GAME.initial_state((0,)), Limit(), NeverStop())
        with suppress(BotFault):
            bot.close()


def test_what_an_agent_cannot_do_is_said() -> None:
    spec = checked_spec("kuleuven:ws://localhost:8001")
    assert bot_class(spec.name).name == "kuleuven-8001"
    with pytest.raises(Problem, match=r"plays no openings: .* --opening-length 0"):
        check_openings((spec,), ((1,),))
    check_openings((spec,), ((),))
    with pytest.raises(BotError, match="is no agent on this computer"):
        checked_spec("kuleuven:ws://example.org:8001")
    with pytest.raises(BotError, match=r"No agent answers at .*: start it before"):
        make_bot(f"kuleuven:ws://127.0.0.1:{free_port()}", Random(1)).get_ready(GAME)
