"""Check what the areas of the lobby show of its lists."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from doublecross.client.tk.models.lobby.shortlists import (
    counts_line,
    friend_entries,
    kept_order,
    open_entries,
    running_entries,
)
from doublecross.client.tk.models.snapshots import LobbySnapshot
from doublecross.protocol.server_messages import LobbyRating
from tests.client.tk.models.contests import line as tournament
from tests.client.tk.models.test_lobby_model import bot, person, room, seek

ANN, BOB, CID, HAL = person("Ann"), person("Bob"), person("cid"), bot("Hal")
SIZE = {"rows": 5, "cols": 5}


def lobby(**more: object) -> LobbySnapshot:
    given_parts = {"players": (), "seeks": (), "rooms": (), **more}
    return LobbySnapshot("me", stale=False, **given_parts)  # type: ignore[arg-type]


def test_offers_and_rooms_that_wait_are_open_but_not_ones_own() -> None:
    seen = lobby(
        seeks=(seek("s1", BOB, params=SIZE), seek("s2", ANN)),
        rooms=(
            room("r1", "waiting", CID, params=SIZE, rated=True),
            room("r2", "waiting", ANN),
            room("r3", "playing", BOB, CID),
            room("r4", "finished", BOB, CID),
        ),
    )
    lines = open_entries(seen, "Ann")
    assert [(each.key, each.title, each.about[0], each.action) for each in lines] == [
        ("s1", "Bob", "Dots and Boxes 5 × 5 · 5 min + 3 s · casual", "Accept"),
        ("r1", "cid", "Dots and Boxes 5 × 5 · 5 min + 3 s · rated", "Join"),
    ]
    assert lines[1].about[1:] == ("5 × 5 · 5 min + 3 s · rated", "5 × 5")
    assert [each.thing for each in lines] == [seen.seeks[0], seen.rooms[0]]


def test_friends_are_other_people_and_free_ones_come_first() -> None:
    rating = LobbyRating(
        player="cid", game="dots-and-boxes", size="5x5", rating=1523.4, deviation=60, games=9
    )
    seen = lobby(
        players=(ANN, BOB, CID, HAL), rooms=(room("r", "playing", BOB, HAL),), ratings=(rating,)
    )
    assert [(each.title, each.about) for each in friend_entries(seen, "Ann")] == [
        ("cid", ("1523 · here", "here")),
        ("Bob", ("playing",)),
    ]


def test_games_of_others_are_to_watch_and_those_of_people_come_first() -> None:
    seen = lobby(
        rooms=(
            room("bots", "playing", HAL, bot("Max")),
            room("waits", "waiting", BOB),
            room("people", "playing", BOB, HAL),
            room("mine", "playing", CID, ANN),
        )
    )
    assert [(each.key, each.action) for each in running_entries(seen, "Ann")] == [
        ("people", "Watch"),
        ("bots", "Watch"),
    ]
    assert running_entries(seen, "Ann")[0].title == "Bob – Hal (bot)"


def test_counts() -> None:
    assert counts_line(lobby(), "Ann") == "0 players, 0 offers, 0 games"
    seen = lobby(
        players=(ANN,),
        seeks=(seek("s1", BOB), seek("s2", ANN)),
        rooms=(room("r", "finished", BOB, CID),),
        tournaments=(tournament("t1"), tournament("t2")),
    )
    assert counts_line(seen, "Ann") == "1 player, 1 offer, 1 game, 2 tournaments"


@given(
    st.lists(st.sampled_from("abcdef"), unique=True), st.permutations("abcdef"), st.integers(0, 6)
)
def test_entries_that_are_shown_keep_their_order(
    shown: list[str], order: list[str], count: int
) -> None:
    wanted = order[:count]
    kept = kept_order(shown, wanted)
    assert sorted(kept) == sorted(wanted)
    stayed = [key for key in shown if key in wanted]
    assert kept[: len(stayed)] == stayed
    assert kept[len(stayed) :] == [key for key in wanted if key not in shown]
