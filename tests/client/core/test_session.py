"""Check the session: rooms that appear and disappear, offers, the lobby, and new requests."""

from __future__ import annotations

from doublecross.client.core.offers import MAX_CHALLENGES
from doublecross.client.core.rooms import MAX_CLOSED
from doublecross.client.core.session import Session
from doublecross.client.core.updates import (
    Announced,
    ChallengeReceived,
    LobbyUpdated,
    OfferClosed,
    OfferRenewed,
    PresenceChanged,
    Reconnected,
    RoomChanged,
    RoomLeft,
    RoomLost,
    SeatedByOffer,
    SeatGiven,
    ServerClosing,
    TournamentChanged,
)
from doublecross.protocol.client_messages import (
    AcceptChallenge,
    CancelChallenge,
    CancelSeek,
    Challenge,
    DeclineChallenge,
    FollowLobby,
    Leave,
    Resume,
    Seek,
    Watch,
)
from doublecross.protocol.server_messages import (
    Announcement,
    Challenged,
    ChallengeSent,
    Closing,
    Done,
    Failed,
    LobbyChanged,
    LobbyRating,
    LobbyRoom,
    LobbySeek,
    LobbyTournament,
    OfferEnded,
    SeekPosted,
    TournamentState,
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


def test_a_room_that_was_left_is_not_asked_for_again() -> None:
    room = room_in_play()
    session, _ = following(room)
    room.play(0)
    session.receive(room.play(1), 1.0)  # a gap
    assert len(wanted(session)) == 1
    leave = Leave(id=2, room="r1")
    assert session.receive(Done(id=2), 1.0, leave) == [RoomLeft("r1")]
    assert session.receive(Done(id=2), 1.0, leave) == []
    session.receive(room.room_state(3), 2.0)
    room.play(2)
    session.receive(room.play(3), 2.0)  # another gap, in the room that is followed again
    assert [type(request) for request in wanted(session)] == [Resume]


def test_a_room_that_was_never_seen_is_lost() -> None:
    session = Session()
    session.receive(welcome("r9"), 0.0)
    (resume,) = wanted(session)
    gone = Failed(id=100, code="unknown_room", message="Gone.")
    assert session.receive(gone, 0.0, resume) == [RoomLost("r9", "Gone.")]
    assert session.rooms == {}


def test_a_private_room_is_watched_by_its_code_or_lost() -> None:
    room = room_in_play()
    session = Session()
    session.receive(room.room_state(1, me="Zoe"), 0.0, Watch(id=1, room="r1", code="sesame"))
    session.receive(welcome(), 0.0)
    (resume,) = wanted(session)
    refused = Failed(id=100, code="not_seated", message="Only with the code.")
    assert session.receive(refused, 0.0, resume) == []
    (watch,) = wanted(session)
    assert watch == Watch(id=100, room="r1", code="sesame")
    lost = [RoomLost("r1", "Only with the code.")]
    assert session.receive(refused, 0.0, watch) == lost
    assert session.rooms["r1"].status == "closed"


def test_other_refusals_lose_even_a_room_with_a_code() -> None:
    session = Session()
    session.receive(
        room_in_play().room_state(1, me="Zoe"), 0.0, Watch(id=1, room="r1", code="sesame")
    )
    session.receive(welcome(), 0.0)
    (resume,) = wanted(session)
    gone = Failed(id=100, code="unknown_room", message="Gone.")
    assert session.receive(gone, 0.0, resume) == [RoomLost("r1", "Gone.")]
    assert wanted(session) == []


def test_closed_rooms_stay_for_a_while() -> None:
    session = Session()
    for n in range(MAX_CLOSED + 5):
        room = room_in_play(f"r{n}")
        session.receive(room.room_state(), 0.0)
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
    session.receive(room.room_state(100), 0.0, Resume(id=100, room="r1", seq=0))
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
    assert session.receive(room.room_state(origin="s1"), 0.0) == [
        SeatedByOffer("r1", "s1"),
        RoomChanged("r1"),
    ]
    assert session.offers == {}


def test_a_seat_that_this_client_did_not_ask_for() -> None:
    session = Session()
    state = room_in_play().room_state()
    assert session.receive(state, 0.0) == [SeatGiven("r1"), RoomChanged("r1")]
    assert SeatGiven("r1") not in session.receive(state, 0.0)
    watched = room_in_play().room_state(me="Cleo")
    assert Session().receive(watched, 0.0) == [RoomChanged("r1")]


def test_offers_are_renewed_unless_withdrawn_or_refused() -> None:
    session = Session()
    for n in (1, 2):
        seek = Seek(id=n, key=f"k{n}", settings=SMALL)
        session.receive(SeekPosted(id=n, seek=f"s{n}"), 0.0, seek)
    session.note_request(CancelSeek(id=3, seek="s2"))
    session.receive(welcome(), 0.0)
    (renewal,) = wanted(session)
    assert renewal == Seek(id=100, key="k1", settings=SMALL)
    refused = Failed(id=100, code="too_many", message="Too many seeks.")
    assert session.receive(refused, 0.0, renewal) == [OfferClosed("s1", "left", "Too many seeks.")]
    assert session.receive(Done(id=3), 0.0, CancelSeek(id=3, seek="s2")) == [
        OfferClosed("s2", "cancelled")
    ]


def test_a_renewed_offer_keeps_its_request_under_a_new_id() -> None:
    session = Session()
    seek = Seek(id=1, key="k1", settings=SMALL)
    assert session.receive(SeekPosted(id=1, seek="s1"), 0.0, seek) == []
    session.receive(welcome(epoch="e2"), 0.0)
    (renewal,) = wanted(session)
    assert session.receive(SeekPosted(id=100, seek="s1"), 0.0, renewal) == []  # still known there
    assert session.receive(SeekPosted(id=100, seek="s2"), 0.0, renewal) == [
        OfferRenewed("s1", "s2")
    ]
    assert {name: offer.offer for name, offer in session.offers.items()} == {"s2": "s2"}


def test_an_offer_that_is_renewed_while_it_is_withdrawn_stays_withdrawn() -> None:
    session = Session()
    challenge = Challenge(id=1, key="k1", player="Bob", settings=SMALL)
    session.receive(ChallengeSent(id=1, challenge="c1"), 0.0, challenge)
    session.receive(welcome(), 0.0)
    (renewal,) = wanted(session)
    session.note_request(CancelChallenge(id=2, challenge="c1"))
    session.receive(ChallengeSent(id=100, challenge="c2"), 0.0, renewal)
    session.receive(welcome(), 0.0)
    assert wanted(session) == []


def test_offers_that_are_gone_and_offers_that_stay() -> None:
    session = Session()
    gone = [
        (CancelSeek(id=9, seek="s1"), "unknown_seek"),
        (CancelChallenge(id=9, challenge="c1"), "unknown_challenge"),
    ]
    for request, code in gone:
        seek = Seek(id=1, key="k1", settings=SMALL)
        session.receive(SeekPosted(id=1, seek="s1"), 0.0, seek)
        challenge = Challenge(id=2, key="k2", player="Bob", settings=SMALL)
        session.receive(ChallengeSent(id=2, challenge="c1"), 0.0, challenge)
        name = getattr(request, "seek", "c1")
        stays = Failed(id=9, code="storage_failed", message="Later.")
        assert session.receive(stays, 0.0, request) == []
        assert name in session.offers
        missing = Failed(id=9, code=code, message="There is no such offer.")
        ended = [OfferClosed(name, "expired", "There is no such offer.")]
        assert session.receive(missing, 0.0, request) == ended
        assert name not in session.offers
    refused = Failed(id=3, code="too_many", message="Too many seeks.")
    assert session.receive(refused, 0.0, Seek(id=3, key="k9", settings=SMALL)) == []


def test_a_challenge_that_cannot_be_accepted_now_stays() -> None:
    session = Session()
    session.receive(Challenged(challenge="c1", player=BOB, settings=SMALL, seat=None), 0.0)
    busy = Failed(id=1, code="too_many", message="You play enough games.")
    assert session.receive(busy, 0.0, AcceptChallenge(id=1, key="k", challenge="c1")) == []
    assert "c1" in session.challenges


def test_a_renewed_offer_that_had_led_to_a_room() -> None:
    session = Session()
    seek = Seek(id=1, key="k1", settings=SMALL)
    session.receive(SeekPosted(id=1, seek="s1"), 0.0, seek)
    session.receive(welcome(), 0.0)
    (renewal,) = wanted(session)
    assert session.receive(room_in_play().room_state(100), 0.0, renewal) == [
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
    session.receive(room_in_play().room_state(3, origin="c3"), 0.0)
    assert "c3" not in session.challenges


def test_a_challenge_that_the_server_repeats_after_a_welcome_is_kept() -> None:
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
    assert lobby.stale
    assert session.receive(LobbyChanged(players=(ANN,)), 0.0) == []
    whole = lobby_of(100, ANN, BOB)
    assert session.receive(whole, 0.0, FollowLobby(id=100)) == [LobbyUpdated()]
    assert set(lobby.players) == {"Ann", "Bob"}
    session.receive(Done(id=2), 0.0, FollowLobby(id=2, on=False))
    assert session.lobby is None


def test_tournaments_and_ratings_of_the_lobby() -> None:
    session = Session()
    session.receive(lobby_of(1, ANN), 0.0, FollowLobby(id=1))
    lobby = session.lobby
    assert lobby is not None
    spring = LobbyTournament(
        tournament="t1",
        name="Spring",
        format="swiss",
        settings=SMALL,
        owner="Ann",
        status="open",
        entrants=2,
        people=True,
    )
    rating = LobbyRating(
        player="Ann", game="dots-and-boxes", size="1x2", rating=1600.0, deviation=80.0, games=9
    )
    session.receive(LobbyChanged(tournaments=(spring,), ratings=(rating,)), 0.0)
    assert lobby.tournaments == {"t1": spring}
    assert lobby.ratings == {("Ann", "dots-and-boxes", "1x2"): rating}
    gone = LobbyChanged(players_gone=("Zoe",), rooms_gone=("r9",), tournaments_gone=("t1", "t2"))
    session.receive(gone, 0.0)
    assert lobby.tournaments == {}
    assert set(lobby.players) == {"Ann"}


def test_the_last_announcement_is_kept_until_an_empty_one_ends_it() -> None:
    session = Session()
    told = Announcement(text="Back at ten.", until_ms=5)
    assert session.receive(told, 0.0) == [Announced("Back at ten.", 5)]
    assert session.announcement == told
    assert session.receive(Announcement(text="", until_ms=None), 0.0) == [Announced("", None)]
    assert session.announcement is None


def test_the_server_says_goodbye() -> None:
    assert Session().receive(Closing(grace_ms=500), 0.0) == [ServerClosing(500)]


def test_a_tournament_is_passed_on() -> None:
    state = TournamentState.model_construct()
    assert Session().receive(state, 0.0) == [TournamentChanged(state)]
