"""Check a runner with several bots, challenges of its own, and games from before a restart."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from doublecross.bots.registry import parse_spec
from doublecross.bots.runner import Engine, GameRange, GameResult, Matchmaking, Policy, Runner
from doublecross.bots.runner.ready import PlayedBot
from doublecross.bots.runner.tasks import local_now
from doublecross.games.registry import make_game
from doublecross.protocol.client_messages import DeclineChallenge, Request, Resume
from doublecross.protocol.common import PlayerInfo
from doublecross.protocol.server_messages import Challenged
from tests.bots.running import (
    RATED,
    TINY,
    configured,
    human,
    play_out,
    running,
    serving,
    until,
)
from tests.fakes.rooms import SMALL
from tests.fakes.server import FakeServer


@pytest.mark.parametrize(
    ("game", "bot"),
    [
        (make_game("dots-and-boxes"), "rules"),
        (make_game("dots-and-boxes", {"rows": 4}), "greedy"),
        (make_game("nim"), "rules"),  # a game from before a change of the settings
    ],
)
def test_the_first_engine_that_plays_a_game_gets_it(game: object, bot: str) -> None:
    ranges = (GameRange.parse("any 5x5"), GameRange.parse("dots-and-boxes"))
    played = PlayedBot(
        (Engine(parse_spec("rules"), ranges[:1]), Engine(parse_spec("greedy"), ranges[1:])), 1
    )
    assert played.spec_for(game).name == bot  # type: ignore[arg-type]
    assert played.info().name == "rules+greedy"


async def test_games_from_before_a_restart_take_their_places_before_a_challenge(
    tmp_path: Path,
) -> None:
    rooms = tuple(f"r{number}" for number in range(12))
    async with FakeServer() as server:
        policy = Policy(at_once=12)
        runner = Runner(configured(server.url, tmp_path, "rules", name="Ann", policy=policy))
        task = asyncio.create_task(runner.run())
        peer = await server.accept()
        await peer.welcome(*rooms)
        zoe = PlayerInfo(name="Zoe", kind="human")
        await peer.send(Challenged(challenge="c", player=zoe, settings=SMALL, seat=None))
        asked = [await peer.next(Request) for _ in range(13)]
        assert {each.room for each in asked if isinstance(each, Resume)} == set(rooms)
        (answer,) = (each for each in asked if isinstance(each, DeclineChallenge))
        assert answer.reason == "I play 12 at once and no more."
        runner.stop()
        runner.stop()
        await task


async def test_a_seek_is_withdrawn_when_all_places_are_taken(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        url = server.addresses.ws
        policy = Policy(at_once=1)
        async with running(url, tmp_path, "rules", seek=RATED, policy=policy), human(url) as ann:
            offers = server.authority.lobby.offers
            await until(lambda: offers.seek_count == 1)
            await ann.offers.challenge("rules", TINY, seat=0)
            await until(lambda: bool(ann.session.rooms) and offers.seek_count == 0)
            (room,) = ann.session.rooms
            await play_out(ann, room)
            await ann.leave(room)
            await until(lambda: offers.seek_count == 1)


async def test_a_bot_that_starts_again_counts_on_and_withdraws_its_old_seek(tmp_path: Path) -> None:
    policy = Policy(at_once=1, each_day=1)
    async with serving(tmp_path) as server, human(server.addresses.ws) as ann:
        url, offers = server.addresses.ws, server.authority.lobby.offers
        async with running(url, tmp_path, "random", seek=TINY, policy=policy) as (_, task):
            await until(lambda: offers.seek_count == 1)
            await ann.offers.challenge("random", TINY, seat=0)
            await until(lambda: bool(ann.session.rooms))
            (room,) = ann.session.rooms
            await play_out(ann, room)
            await ann.leave(room)
            await until(lambda: offers.seek_count == 1)
            task.cancel()  # as a crash, this withdraws nothing
        (old,) = offers
        async with running(url, tmp_path, "random", seek=RATED, policy=policy):
            await until(lambda: old not in offers and offers.seek_count == 1)
            await ann.offers.challenge("random", TINY)
            await until(lambda: not ann.session.offers)
            assert ann.session.rooms.keys() <= {room}  # it has had its game of the day


async def test_an_idle_bot_challenges_others_and_leaves_alone_who_declines(tmp_path: Path) -> None:
    seen: list[GameResult] = []
    making = Matchmaking((TINY,), idle_minutes=0.0)
    async with serving(tmp_path) as server:
        url = server.addresses.ws
        making_bot = running(url, tmp_path, "rules", matchmaking=making, on_game=seen.append)
        async with (
            running(url, tmp_path, "greedy", policy=Policy(bots=False)),
            making_bot as (runner, _),
        ):
            assert runner._visit is not None
            ledger = runner._visit._matchmaker._ledger
            await until(lambda: ledger.has_declined("greedy", local_now(), 1.0))
            assert not seen
            async with running(url, tmp_path, "random"):
                await until(lambda: bool(seen))
    assert {result.opponent for result in seen} == {"random"}
