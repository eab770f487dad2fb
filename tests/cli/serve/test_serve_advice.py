"""Tests for the advice of a server: a process of its own, which the first question starts."""

from __future__ import annotations

import importlib.util
import signal
from pathlib import Path

import psutil
import pytest

from doublecross.cli.serve import advice
from doublecross.cli.serve.advice import ServerAdviser, server_adviser
from doublecross.client.core.errors import RequestRefused
from doublecross.client.transport import Client
from doublecross.games.registry import make_game
from doublecross.protocol.client_messages import GetAdvice
from doublecross.protocol.common import MatchSettings
from doublecross.protocol.server_messages import AdviceGiven
from doublecross.server.shell.analysis.advice import AdviceFailedError
from tests.bots.running import until
from tests.cli.family import Family
from tests.cli.serve.hosting import begin, hosting, ready, visitor

GAME = make_game("tic-tac-toe")
SETTINGS = MatchSettings(game=GAME.key)
MODULE = "doublecross.bots.advising.adviser"


async def ask(client: Client, room: str) -> AdviceGiven:
    answer = await client.request(lambda i: GetAdvice(id=i, room=room))
    assert isinstance(answer, AdviceGiven)
    return answer


async def test_a_server_advises_a_person_and_survives_the_end_of_its_adviser(
    tmp_path: Path,
) -> None:
    children = Family()
    with hosting(tmp_path, "random", forks=True) as server:
        url, bots = ready(server, 1)
        async with visitor(url) as client:
            assert client.session.welcome is not None
            assert client.session.welcome.advice
            room = await begin(client, next(iter(bots)), SETTINGS)
            assert children(MODULE) == []
            found = await ask(client, room)
            assert (found.room, found.match, found.ply) == (room, 1, 0)
            assert found.exact
            assert found.net == 0
            assert set(found.best) == set(range(9))
            (thinker,) = children(MODULE)
            thinker.kill()
            await until(lambda: not thinker.is_running())
            try:
                again = await ask(client, room)
            except RequestRefused:  # its end may not be known yet
                again = await ask(client, room)
            assert set(again.best) == set(range(9))
            assert thinker not in children(MODULE)
        server.send(signal.SIGINT)
        assert server.wait() == 0
    await until(lambda: not children(MODULE))


async def test_a_host_can_do_without(tmp_path: Path) -> None:
    with hosting(tmp_path, "random", "--no-advice", forks=True) as server:
        url, bots = ready(server, 1)
        async with visitor(url) as client:
            assert client.session.welcome is not None
            assert not client.session.welcome.advice
            room = await begin(client, next(iter(bots)), SETTINGS)
            with pytest.raises(RequestRefused) as refused:
                await ask(client, room)
            assert refused.value.code == "no_advice"


async def test_the_process_has_a_limit_and_comes_back_after_a_rest() -> None:
    children, adviser = Family(), ServerAdviser()
    try:
        await adviser.ask(GAME, (), ())
        (thinker,) = children(MODULE)
        assert max(thinker.rlimit(psutil.RLIMIT_DATA)) < 1 << 32
        await adviser.rest()
        assert children(MODULE) == []
        await adviser.ask(GAME, (), ())
        assert len(children(MODULE)) == 1
    finally:
        await adviser.close()


async def test_a_failure_has_the_sentence_of_the_process() -> None:
    adviser = ServerAdviser()
    try:
        with pytest.raises(AdviceFailedError, match="The game is over"):
            await adviser.ask(GAME, (), (0, 3, 1, 4, 2))
    finally:
        await adviser.close()


def test_there_is_no_adviser_without_its_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    assert server_adviser() is not None
    real = importlib.util.find_spec
    monkeypatch.setattr(
        advice.importlib.util, "find_spec", lambda name: None if name == "numba" else real(name)
    )
    assert server_adviser() is None
