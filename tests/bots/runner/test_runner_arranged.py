"""Runners play the matches that a person arranges: they pause, and keep a place for people."""

from __future__ import annotations

from pathlib import Path

import pytest

from doublecross.bots.runner import Policy
from doublecross.client.core.errors import RequestRefused
from doublecross.protocol.server_messages import RoomState
from tests.bots.runner.test_runner_pause import Noted
from tests.bots.running import RATED, TINY, human, running, serving, until


async def test_two_bots_play_and_pause_for_the_person_who_asked(tmp_path: Path) -> None:
    pauses = Noted(most_s=0.01), Noted(most_s=0.01)
    async with serving(tmp_path) as server:
        url = server.addresses.ws
        async with (
            running(url, tmp_path, "rules", pause=pauses[0]) as (first, _),
            running(url, tmp_path, "greedy", pause=pauses[1]) as (second, _),
            human(url) as ann,
        ):
            state = await ann.offers.arrange_match("rules", "greedy", TINY)
            assert isinstance(state, RoomState)
            assert state.seat is None
            mirror = ann.session.rooms[state.room]
            assert mirror.asked_by == "Ann"
            assert [p.name for p in mirror.players if p is not None] == ["rules", "greedy"]
            await until(lambda: mirror.status in ("finished", "closed"))
            await until(lambda: first.report.games == second.report.games == 1)
            assert mirror.result is not None
            assert mirror.result.termination == "completed"
            assert all(max(pause.asked) > 0 for pause in pauses)
            # Nobody offers a rematch, so the bots leave, and the room closes.
            await until(lambda: mirror.status == "closed")
            with pytest.raises(RequestRefused) as refused:
                await ann.offers.arrange_match("rules", "greedy", RATED)
            assert refused.value.code == "bad_parameter"


async def test_arranged_matches_leave_a_place_for_people(tmp_path: Path) -> None:
    """A bot with two places plays one arranged match, and then still a person."""
    slow = Noted()
    async with serving(tmp_path) as server:
        url = server.addresses.ws
        async with (
            running(url, tmp_path, "rules", pause=slow, policy=Policy(at_once=2)),
            running(url, tmp_path, "greedy", pause=slow),
            human(url) as ann,
        ):
            first = await ann.offers.arrange_match("rules", "greedy", TINY)
            with pytest.raises(RequestRefused) as refused:
                await ann.offers.arrange_match("greedy", "rules", TINY)
            assert refused.value.code == "declined"
            assert refused.value.sentence == (
                "rules declined the match: I keep a place for people who play."
            )
            await ann.offers.challenge("rules", TINY, seat=0)
            rooms = ann.session.rooms
            await until(lambda: any(r.seat == 0 and r.status == "playing" for r in rooms.values()))
            assert rooms[first.room].status == "playing"


async def test_a_bot_with_one_place_plays_one_arranged_match(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        url = server.addresses.ws
        single = Policy(at_once=1)
        async with (
            running(url, tmp_path, "rules", pause=Noted(), policy=single),
            running(url, tmp_path, "greedy", pause=Noted(), policy=single),
            human(url) as ann,
        ):
            state = await ann.offers.arrange_match("rules", "greedy", TINY)
            assert ann.session.rooms[state.room].status == "playing"
