"""What the window remembers of matches, and what it reports about their ends."""

from __future__ import annotations

from typing import Any

import pytest

from doublecross.client.tk.game_watch import GameWatch
from doublecross.client.tk.home import Home
from doublecross.client.tk.models.games_elsewhere import GameNews
from doublecross.client.tk.models.snapshots import LinkSnapshot, LobbySnapshot, RoomGone
from doublecross.client.tk.network.thread import ME
from doublecross.client.tk.refusal import Refusal
from doublecross.protocol.common import EngineInfo, PlayerInfo
from doublecross.protocol.errors import ErrorCode
from tests.client.tk.harness.staging import Stage
from tests.client.tk.harness.tables import ScriptedNetwork
from tests.client.tk.models.rooms import SeenRoom
from tests.fakes.rooms import ANN
from tests.games.test_record import finished

LOBBY = LobbySnapshot(ME, (), (), (), stale=False)


class Watched:
    """A `GameWatch` whose screen shows the room `shown`."""

    def __init__(self, stage: Stage) -> None:
        self.network = ScriptedNetwork()
        self.context = stage.context
        self.context.network = self.network  # type: ignore[assignment]
        self.context.latest.server = "ws://play.example:8765"
        self.context.latest.link = LinkSnapshot(ME, "connected", player=ANN)
        self.shown: str | None = None
        self.news: list[GameNews] = []
        self.complaints: list[str] = []
        self.watch = GameWatch(
            self.context,
            shown=lambda: self.shown,
            report=self.news.append,
            complain=self.complaints.append,
        )

    @property
    def kept(self) -> dict[str, str]:
        return self.context.home.settings.unfinished

    def put(self, room: SeenRoom) -> None:
        snapshot = room.seen()
        self.context.latest.take(snapshot)
        self.watch.take(snapshot)


@pytest.fixture
def watched(stage: Stage) -> Any:
    network = stage.context.network
    yield Watched(stage)
    stage.context.network = network


def test_the_end_of_a_match_on_another_screen_is_reported_once(watched: Watched) -> None:
    room = SeenRoom()
    watched.put(room)
    assert watched.kept == {"ws://play.example:8765 ann r1": "r1-1"}
    room.finish("timeout", winner=1)
    watched.put(room)
    watched.put(room)
    texts = [news.text for news in watched.news]
    assert texts == ["Your match against Bob is over: You lost. 0 : 0, You ran out of time."]
    assert watched.kept == {}


def test_an_end_that_the_person_sees_is_not_reported(watched: Watched) -> None:
    room = SeenRoom()
    watched.shown = "r1"
    watched.put(room)
    room.finish("timeout", winner=1)
    watched.put(room)
    assert watched.news == []
    assert watched.kept == {}


@pytest.mark.parametrize(("winner", "reports"), [(0, 1), (1, 0)])
def test_whoever_resigns_knows_it(watched: Watched, winner: int, reports: int) -> None:
    room = SeenRoom()
    watched.put(room)
    room.finish("resigned", winner=winner)
    watched.put(room)
    assert len(watched.news) == reports


def test_a_match_against_a_level_counts_once(watched: Watched) -> None:
    easy = PlayerInfo(name="easy-2", kind="bot", engine=EngineInfo(name="easy", version="1"))
    for number, winner in enumerate((0, 1, None)):
        room = SeenRoom(players=(ANN, easy), room=f"r{number}")
        watched.put(room)
        room.finish("completed", winner=winner)
        watched.put(room)
        watched.put(room)
    kept = {"dots-and-boxes 2x2 easy": "1 1 1 WLD"}
    assert watched.context.home.settings.ladder == kept
    assert Home(watched.context.home.folder).settings.ladder == kept


def test_a_match_that_one_only_watches_is_not_kept(watched: Watched) -> None:
    watched.put(SeenRoom(me="Zoe"))
    assert watched.kept == {}


@pytest.mark.parametrize("gone", [RoomGone(ME, "r1", "The room is closed."), None])
def test_a_room_that_is_gone_is_looked_up(watched: Watched, gone: RoomGone | None) -> None:
    watched.put(SeenRoom())
    watched.context.latest.rooms.clear()
    for _ in range(2):
        watched.watch.take(gone or LOBBY)
    (asked,) = watched.network.asked
    assert asked.name == "fetch_record"
    asked.done(finished(result="1-0", termination="disconnect"))
    assert [news.text.partition(":")[0] for news in watched.news] == [
        "Your match against Bob ended while you were away"
    ]
    assert "You won" in watched.news[0].text
    assert watched.kept == {}


def test_a_room_that_is_still_there_is_not_looked_up(watched: Watched) -> None:
    watched.put(SeenRoom())
    watched.watch.take(LOBBY)
    watched.context.latest.rooms.clear()
    watched.context.latest.link = LinkSnapshot(ME, "connected", player=ANN, rooms=("r1",))
    watched.watch.take(LOBBY)
    assert watched.network.asked == []


@pytest.mark.parametrize(
    ("code", "kept"), [(ErrorCode.UNKNOWN_RECORD.value, 0), (ErrorCode.RATE_LIMITED.value, 1)]
)
def test_without_a_record_nothing_is_reported(watched: Watched, code: str, kept: int) -> None:
    watched.put(SeenRoom())
    watched.context.latest.rooms.clear()
    watched.watch.take(LOBBY)
    watched.network.asked[0].failed(Refusal("No.", code))
    assert watched.news == []
    assert len(watched.kept) == kept
    watched.watch.take(LOBBY)
    assert len(watched.network.asked) == 1 + kept  # tried again, if that may help


def test_matches_of_other_players_and_servers_are_left_alone(watched: Watched) -> None:
    watched.kept.update({"ws://other:1 ann r9": "r9-1", "ws://play.example:8765 zoe r8": "r8-1"})
    watched.watch.take(LOBBY)
    assert watched.network.asked == []


def test_a_review_leads_back_or_says_why_not(watched: Watched, stage: Stage) -> None:
    news = GameNews("r1", "r1-1", "It is over.")
    watched.watch.review(news)
    record = finished()
    watched.network.asked[-1].done(record)
    assert stage.went == [("review", record, "Ann – Bob")]
    watched.watch.review(news)
    watched.network.asked[-1].failed(Refusal("There is no such record."))
    assert watched.complaints == ["There is no such record."]
