"""The session: rooms that come and go, offers, the lobby, and what makes it ask again."""

from __future__ import annotations

from client.core.offers import MAX_CHALLENGES
from client.core.rooms import MAX_CLOSED
from client.core.session import Session
from client.core.updates import (
    ChallengeReceived,
    LobbyUpdated,
    OfferClosed,
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
    Resume,
    Seek,
    Watch,
)
from protocol.server_messages import (
    Challenged,
    ChallengeSent,
    Closing,
    Done,
    Failed,
    LobbyChanged,
    LobbyRoom,
    LobbySeek,
    OfferEnded,
    SeekPosted,
)
from tests.client.core.mirrors import following, wanted, welcome
from tests.fakes.rooms import ANN, BOB, SMALL, lobby_of, room_in_play

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
    session.receive(welcome(), 0.0)
    assert wanted(session) == []  # nobody asks for a closed room again
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
    notice = OfferEnded(offer="c1", outcome="declined", reason="Not now.")
    assert session.receive(notice, 0.0) == [OfferClosed("c1", "declined", "Not now.")]
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
    assert session.receive(refused, 0.0, renewal) == [OfferClosed("s1", "left", "Too many seeks.")]
    assert session.receive(Done(id=3), 0.0, CancelSeek(id=3, seek="s2")) == [
        OfferClosed("s2", "cancelled")
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
    assert session.receive(gone, 0.0, accept) == [OfferClosed("c1", "expired", "Too late.")]
    decline = DeclineChallenge(id=2, challenge="c2", reason="No.")
    assert session.receive(Done(id=2), 0.0, decline) == [OfferClosed("c2", "declined", "No.")]
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
        OfferClosed("c1", "expired", "It ended while you were away."),
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
