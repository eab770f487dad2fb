"""The mirror of the server's state: rooms, clocks, offers, lobby, and what makes it ask again."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.offers import MAX_CHALLENGES
from client.room import Desync, Gap, RoomMirror
from client.session import MAX_CLOSED, Session
from client.updates import (
    ChallengeReceived,
    LobbyUpdated,
    OfferEnded,
    PresenceChanged,
    Reconnected,
    RoomChanged,
    RoomLeft,
    RoomLost,
    SeatedByOffer,
    ServerClosing,
)
from protocol.client_messages import (
    AcceptChallenge,
    CancelSeek,
    Challenge,
    DeclineChallenge,
    FollowLobby,
    Leave,
    Request,
    Resume,
    Seek,
    Watch,
)
from protocol.common import MatchSettings, TimeControl
from protocol.server_messages import (
    Challenged,
    ChallengeSent,
    Closing,
    Done,
    Failed,
    LobbyChanged,
    LobbyRoom,
    LobbySeek,
    MatchStarted,
    RoomEvent,
    Seated,
    SeekPosted,
    Welcome,
)
from protocol.server_messages import OfferEnded as OfferEndedNotice
from tests.fakes.rooms import ANN, BOB, SMALL, FakeRoom, lobby_of, room_in_play
from tests.fakes.server import LIMITS, TOKEN


def welcome(*rooms: str, epoch: str = "e1") -> Welcome:
    return Welcome(
        id=1,
        protocol=1,
        server="fake",
        epoch=epoch,
        player=ANN,
        token=TOKEN,
        rooms=rooms,
        http=None,
        limits=LIMITS,
    )


def wanted(session: Session) -> list[Request]:
    return [build(n) for n, build in enumerate(session.take_wanted(), start=100)]


def following(room: FakeRoom, now: float = 0.0) -> tuple[Session, RoomMirror]:
    session = Session()
    assert session.receive(room.whole(1), now) == [RoomChanged(room.room)]
    return session, session.rooms[room.room]


def look(mirror: RoomMirror) -> dict[str, Any]:
    """All that can be seen of a mirror, but how its clock and its last events were learnt."""
    hidden = {"_clock_at", "_turn_at", "_game", "state", "started", "last_move", "expected"}
    seen = {name: getattr(mirror, name) for name in RoomMirror.__slots__ if name not in hidden}
    seen["finished"] = None if mirror.finished is None else mirror.finished.termination
    return {**seen, "state": mirror.state.serialize(), "key": mirror.state.key()}


# -- following a room ----------------------------------------------------------------------------


@st.composite
def streams(draw: st.DrawFn) -> FakeRoom:
    """A room with up to three matches, at any point of its life."""
    size = draw(st.sampled_from([(1, 1), (1, 2), (2, 2)]))
    time = draw(
        st.sampled_from([TimeControl(), TimeControl(base_ms=60_000), TimeControl(move_ms=50)])
    )
    room = FakeRoom(
        settings=MatchSettings(
            game="dots-and-boxes", params={"rows": size[0], "cols": size[1]}, time=time
        )
    )
    first = draw(st.sampled_from([0, 1]))
    room.sit(ANN, first)
    if draw(st.integers(0, 9)) == 0:
        return room
    room.sit(BOB, 1 - first)
    for match in range(draw(st.integers(1, 3))):
        if match:
            room.offer(draw(st.sampled_from([0, 1])))
        room.start()
        for _ in range(draw(st.integers(0, 12))):
            if room.state.is_terminal():
                break
            room.play(draw(st.sampled_from(room.state.legal_actions())))
        if room.state.is_terminal():
            room.finish()
        elif draw(st.integers(0, 3)) == 0:
            return room
        else:
            room.finish(draw(st.sampled_from(["resigned", "timeout", "aborted"])), 0)
    if draw(st.booleans()):
        room.close()
    return room


@given(room=streams(), data=st.data())
def test_any_way_to_hear_of_a_room_shows_the_same(room: FakeRoom, data: st.DataObject) -> None:
    """Cuts, second deliveries, lost events and snapshots end where a direct replay ends."""
    direct = RoomMirror(room.since(0), 0.0)
    session = Session()
    told = room.since(0)
    assert told.events is not None
    # Ann has her seat from the second event on, and it is that of the events told so far.
    seat, told_events = None, told.events[: data.draw(st.integers(2, room.seq), label="told")]
    for event in told_events:
        if isinstance(event, Seated) and event.player == ANN:
            seat = event.seat
        elif isinstance(event, MatchStarted):
            seat = event.players.index(ANN.name)
    session.receive(told.model_copy(update={"events": told_events, "seat": seat}), 0.0)
    mirror = session.rooms[room.room]
    while mirror.seq < room.seq or session.wanted:
        for request in wanted(session):
            assert isinstance(request, Resume)
            session.receive(room.since(request.seq, request.id), 0.0, request)
        if mirror.seq == room.seq:
            break
        step = data.draw(st.sampled_from(["next", "again", "skip", "cut", "snapshot"]))
        if step == "next":
            session.receive(room.events[mirror.seq], 0.0)
        elif step == "again":
            at = data.draw(st.integers(0, mirror.seq - 1))
            assert session.receive(room.events[at], 0.0) == []
        elif step == "skip":
            at = data.draw(st.integers(mirror.seq, room.seq - 1))
            session.receive(room.events[at], 0.0)
        elif step == "cut":
            session.receive(welcome(room.room), 0.0)
        else:
            session.receive(room.whole(), 0.0)
        assert mirror is session.rooms[room.room]
    assert look(mirror) == look(direct) | {"sentence": mirror.sentence}
    assert mirror.sentence in (direct.sentence, "")  # a snapshot does not say why


@given(room=streams(), data=st.data())
def test_what_does_not_follow_changes_nothing(room: FakeRoom, data: st.DataObject) -> None:
    told = data.draw(st.integers(1, room.seq))
    since = room.since(0)
    assert since.events is not None
    mirror = RoomMirror(since.model_copy(update={"events": since.events[:told]}), 0.0)
    before = look(mirror)
    event = data.draw(st.sampled_from(room.events))
    wrong = event.model_copy(update={"seq": told + 1})
    legal = told < room.seq and wrong.model_dump() == room.events[told].model_dump()
    try:
        mirror.apply(wrong, 0.0)
    except Desync:
        assert not legal
        assert look(mirror) == before
    else:
        assert mirror.seq == told + 1


@pytest.mark.parametrize(
    "change",
    [
        {"match": 2},
        {"ply": 1},
        {"seat": 1},
        {"action": 99},
        {"to_move": 0},
        {"to_move": None},
        {"scores": (1, 0)},
    ],
)
def test_a_move_that_cannot_be(change: dict[str, Any]) -> None:
    room = room_in_play()
    session, mirror = following(room)
    before = look(mirror)
    assert session.receive(room.play(0).model_copy(update=change), 1.0) == []
    assert look(mirror) == before
    assert [(r.room, r.seq) for r in wanted(session) if isinstance(r, Resume)] == [("r1", 0)]
    assert session.resume_requests == [("r1", 0)]


def test_a_gap_is_asked_for_once() -> None:
    room = room_in_play()
    session, mirror = following(room)
    room.play(0)
    session.receive(room.play(1), 1.0)
    session.receive(room.play(2), 1.0)
    (request,) = wanted(session)
    assert request == Resume(id=100, room="r1", seq=4)
    updates = session.receive(room.since(4, 100), 2.0, request)
    assert updates == [RoomChanged("r1", event) for event in room.events[4:]]
    assert wanted(session) == []
    with pytest.raises(Gap):
        mirror.apply(room.play(3).model_copy(update={"seq": 77}), 2.0)


def test_a_room_whose_whole_is_nonsense_is_lost() -> None:
    room = room_in_play()
    session, mirror = following(room)
    session.receive(room.play(0).model_copy(update={"action": 99}), 1.0)
    (request,) = wanted(session)
    whole = room.whole(100)
    assert whole.snapshot is not None
    for change in ({"moves": (0, 0)}, {"scores": (3, 4)}, {"to_move": 0}):
        bad = whole.snapshot.model_copy(update=change)
        with pytest.raises(Desync):
            RoomMirror(whole.model_copy(update={"snapshot": bad}), 1.0)
    updates = session.receive(whole.model_copy(update={"snapshot": bad}), 1.0, request)
    assert [type(update) for update in updates] == [RoomLost]
    assert mirror.status == "closed"
    assert mirror.sentence
    assert session.lose("r1", "Again.") == []


def test_a_game_that_is_unknown_here() -> None:
    room = room_in_play()
    whole = room.whole(1)
    assert whole.snapshot is not None
    other = whole.snapshot.model_copy(
        update={"settings": room.settings.model_copy(update={"game": "go"})}
    )
    session = Session()
    updates = session.receive(whole.model_copy(update={"snapshot": other}), 0.0)
    assert [type(update) for update in updates] == [RoomLost]
    assert session.rooms == {}


def test_an_old_snapshot_is_news_only_after_a_resume() -> None:
    room = room_in_play()
    old = room.whole(7)
    session, mirror = following(room)
    session.receive(room.play(0), 1.0)
    assert session.receive(old, 1.0) == []
    assert mirror.seq == 5
    # The server may have gone back to a backup; it is the authority.
    session.receive(old, 1.0, Resume(id=7, room="r1", seq=5))
    assert mirror.seq == 4


def test_seats_change_in_a_rematch() -> None:
    room = room_in_play()
    session, mirror = following(room)
    assert (mirror.seat, mirror.my_turn, mirror.to_move) == (0, True, 0)
    for event in (room.finish("resigned", 1), room.offer(1)):
        session.receive(event, 1.0)
    assert mirror.rematch == (False, True)
    assert mirror.result is not None
    session.receive(room.start(), 1.0)
    assert (mirror.match, mirror.seat, mirror.my_turn) == (2, 1, False)
    assert mirror.players == (BOB, ANN)
    assert (mirror.result, mirror.finished, mirror.rematch) == (None, None, (False, False))


def test_expectations_and_last_events() -> None:
    room = room_in_play()
    session, mirror = following(room)
    session.receive(room.play(0, expected=-2.0), 1.0)
    session.receive(room.play(1), 1.0)
    assert mirror.expected == (-2.0, None)
    assert mirror.last_move == room.events[-1]
    session.receive(room.play(2, expected=1.5), 1.0)
    assert mirror.expected == (1.5, None)


# -- clocks --------------------------------------------------------------------------------------


def test_the_movers_clock_counts_down() -> None:
    room = room_in_play()
    session, mirror = following(room, now=10.0)
    assert mirror.remaining_ms(10.0) == (60_000, 60_000)
    assert mirror.remaining_ms(12.5) == (57_500, 60_000)
    room.clock_ms = (50_000, 60_000)
    session.receive(room.play(0), 20.0)
    assert mirror.remaining_ms(21.0) == (50_000, 59_000)
    assert mirror.move_budget_ms(21.0) == 59_000
    assert mirror.remaining_ms(999.0) == (50_000, 0)
    session.receive(room.finish("timeout", 0), 80.0)
    assert mirror.remaining_ms(999.0) == (50_000, 60_000)
    assert mirror.move_budget_ms(999.0) is None


def test_clocks_after_a_resume_are_of_now() -> None:
    room = room_in_play()
    session, mirror = following(room, now=0.0)
    request = Resume(id=5, room="r1", seq=4)
    late = room.since(4, 5).model_copy(update={"clock_ms": (41_000, 60_000)})
    session.receive(late, 100.0, request)
    assert mirror.remaining_ms(101.0) == (40_000, 60_000)


def test_a_clock_that_stands_still() -> None:
    whole = room_in_play().whole()
    assert whole.snapshot is not None
    held = whole.snapshot.model_copy(update={"clock_runs": False})
    mirror = RoomMirror(whole.model_copy(update={"snapshot": held}), 0.0)
    assert mirror.remaining_ms(9.0) == (60_000, 60_000)


def test_limits_of_a_single_move() -> None:
    settings = SMALL.model_copy(update={"time": TimeControl(move_ms=5_000)})
    room = room_in_play(settings=settings)
    session, mirror = following(room, now=0.0)
    assert mirror.remaining_ms(1.0) is None
    assert mirror.move_budget_ms(1.0) == 4_000
    session.receive(room.play(0), 2.0)
    assert mirror.move_budget_ms(3.0) == 4_000
    # Hearing of the room again in the same turn does not begin the turn again.
    session.receive(room.since(5, 9), 6.0, Resume(id=9, room="r1", seq=5))
    assert mirror.move_budget_ms(6.0) == 1_000
    unlimited = room_in_play(settings=SMALL.model_copy(update={"time": TimeControl()}))
    assert RoomMirror(unlimited.whole(), 0.0).move_budget_ms(5.0) is None


# -- rooms that come and go ----------------------------------------------------------------------


def test_leaving_presence_and_strangers() -> None:
    room = room_in_play()
    session, _ = following(room)
    assert session.receive(room.presence, 1.0) == [PresenceChanged("r1")]
    assert session.receive(Done(id=2), 1.0, Leave(id=2, room="r1")) == [RoomLeft("r1")]
    assert session.rooms == {}
    assert session.receive(room.play(0), 1.0) == []
    assert session.receive(room.presence, 1.0) == []
    assert wanted(session) == []


def test_closed_rooms_stay_for_a_while() -> None:
    session = Session()
    for n in range(MAX_CLOSED + 5):
        room = room_in_play(f"r{n}")
        session.receive(room.whole(), 0.0)
        room.finish("resigned", 0)
        session.receive(room.events[-1], 0.0)
        assert session.receive(room.close(), 0.0) == [RoomChanged(f"r{n}", room.events[-1])]
    assert len(session.rooms) == MAX_CLOSED
    assert session.resume_requests == []
    assert "r4" not in session.rooms


def test_welcomes_ask_for_everything_again() -> None:
    room = room_in_play()
    session = Session()
    assert session.receive(welcome("r1", "r7"), 0.0) == []
    assert wanted(session) == [
        Resume(id=100, room="r1", seq=0),
        Resume(id=101, room="r7", seq=0),
    ]
    session.receive(room.whole(100), 0.0, Resume(id=100, room="r1", seq=0))
    assert session.receive(welcome("r1"), 0.0) == [Reconnected(False)]
    assert wanted(session) == [Resume(id=100, room="r1", seq=4)]
    assert session.receive(welcome(epoch="e2"), 0.0) == [Reconnected(True)]
    assert session.epoch == "e2"
    lost = Failed(id=5, code="unknown_room", message="Gone.")
    assert session.receive(lost, 0.0, Resume(id=5, room="r1", seq=4)) == [RoomLost("r1", "Gone.")]
    assert session.receive(lost, 0.0, Watch(id=5, room="r1")) == []


# -- offers and the lobby ------------------------------------------------------------------------


def test_own_offers() -> None:
    session = Session()
    seek = Seek(id=1, key="k1", settings=SMALL)
    challenge = Challenge(id=2, key="k2", player="Bob", settings=SMALL)
    session.receive(SeekPosted(id=1, seek="s1"), 0.0, seek)
    session.receive(ChallengeSent(id=2, challenge="c1"), 0.0, challenge)
    assert set(session.offers) == {"s1", "c1"}
    notice = OfferEndedNotice(offer="c1", outcome="declined", reason="Not now.")
    assert session.receive(notice, 0.0) == [OfferEnded("c1", "declined", "Not now.")]
    assert session.receive(notice, 0.0) == []
    room = room_in_play()
    assert session.receive(room.whole(origin="s1"), 0.0) == [
        SeatedByOffer("r1", "s1"),
        RoomChanged("r1"),
    ]
    assert session.offers == {}


def test_offers_are_renewed_unless_withdrawn_or_refused() -> None:
    session = Session()
    for n in (1, 2):
        seek = Seek(id=n, key=f"k{n}", settings=SMALL)
        session.receive(SeekPosted(id=n, seek=f"s{n}"), 0.0, seek)
    session.sending(CancelSeek(id=3, seek="s2"))
    session.receive(welcome(), 0.0)
    (renewal,) = wanted(session)
    assert renewal == Seek(id=100, key="k1", settings=SMALL)
    refused = Failed(id=100, code="too_many", message="Too many seeks.")
    assert session.receive(refused, 0.0, renewal) == [OfferEnded("s1", "left", "Too many seeks.")]
    assert session.receive(Done(id=3), 0.0, CancelSeek(id=3, seek="s2")) == [
        OfferEnded("s2", "cancelled")
    ]


def test_a_renewed_offer_that_had_led_to_a_room() -> None:
    session = Session()
    seek = Seek(id=1, key="k1", settings=SMALL)
    session.receive(SeekPosted(id=1, seek="s1"), 0.0, seek)
    session.receive(welcome(), 0.0)
    (renewal,) = wanted(session)
    assert session.receive(room_in_play().whole(100), 0.0, renewal) == [
        SeatedByOffer("r1", "s1"),
        RoomChanged("r1"),
    ]


def test_challenges_to_this_player() -> None:
    session = Session()
    challenges = [
        Challenged(challenge=f"c{n}", player=BOB, settings=SMALL, seat=None)
        for n in range(MAX_CHALLENGES + 1)
    ]
    for challenge in challenges:
        assert session.receive(challenge, 0.0) == [ChallengeReceived(challenge)]
    assert session.receive(challenges[-1], 0.0) == []
    assert len(session.challenges) == MAX_CHALLENGES
    gone = Failed(id=1, code="unknown_challenge", message="Too late.")
    accept = AcceptChallenge(id=1, key="k", challenge="c1")
    assert session.receive(gone, 0.0, accept) == [OfferEnded("c1", "expired", "Too late.")]
    decline = DeclineChallenge(id=2, challenge="c2", reason="No.")
    assert session.receive(Done(id=2), 0.0, decline) == [OfferEnded("c2", "declined", "No.")]
    session.receive(room_in_play().whole(3, origin="c3"), 0.0)
    assert "c3" not in session.challenges


def test_challenges_are_told_again_after_a_welcome() -> None:
    session = Session()
    first, second = (
        Challenged(challenge=name, player=BOB, settings=SMALL, seat=None) for name in ("c1", "c2")
    )
    session.receive(first, 0.0)
    session.receive(second, 0.0)
    session.receive(welcome(), 0.0)
    assert session.receive(second, 0.0) == []
    assert set(session.challenges) == {"c1", "c2"}
    assert session.receive(Closing(grace_ms=1), 0.0) == [
        OfferEnded("c1", "expired", "It ended while you were away."),
        ServerClosing(1),
    ]
    assert session.challenges == {"c2": second}


def test_the_lobby() -> None:
    session = Session()
    seek = LobbySeek(seek="s1", player=BOB, settings=SMALL, seat=None)
    room = LobbyRoom(room="r1", settings=SMALL, status="waiting", players=(BOB, None))
    assert session.receive(LobbyChanged(players=(BOB,)), 0.0) == []
    session.receive(lobby_of(1, ANN), 0.0, FollowLobby(id=1))
    change = LobbyChanged(players=(BOB,), players_gone=("Ann",), seeks=(seek,), rooms=(room,))
    assert session.receive(change, 0.0) == [LobbyUpdated(change)]
    lobby = session.lobby
    assert lobby is not None
    assert (lobby.players, lobby.seeks, lobby.rooms) == ({"Bob": BOB}, {"s1": seek}, {"r1": room})
    session.receive(LobbyChanged(seeks_gone=("s1", "s9"), rooms_gone=("r1",)), 0.0)
    assert (lobby.seeks, lobby.rooms) == ({}, {})
    session.receive(welcome(), 0.0)
    assert wanted(session) == [FollowLobby(id=100)]
    assert session.receive(LobbyChanged(players=(ANN,)), 0.0) == []
    session.receive(Done(id=2), 0.0, FollowLobby(id=2, on=False))
    assert session.lobby is None


def test_the_server_says_goodbye() -> None:
    assert Session().receive(Closing(grace_ms=500), 0.0) == [ServerClosing(500)]


def test_an_event_for_everybody_is_news_and_an_answer_too() -> None:
    """The mover gets one copy only, the one with the id; it counts as the event."""
    room = room_in_play()
    session, mirror = following(room)
    event: RoomEvent = room.play(0).model_copy(update={"id": 9})
    assert session.receive(event, 1.0) == [RoomChanged("r1", event)]
    assert session.receive(room.events[-1], 1.0) == []
    assert mirror.seq == 5
