"""Check the lines of the lobby: players, offers, games, own offers and available bots."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doublecross.client.tk.models.helpers import BotChoice
from doublecross.client.tk.models.lobby.levels import Levels
from doublecross.client.tk.models.lobby.model import (
    BotOption,
    LobbyModel,
    about_player,
    bot_options,
    has_bots,
    player_row,
    room_row,
    seek_row,
    staying,
)
from doublecross.client.tk.models.lobby.offers import OfferWatch, over_line, own_entries
from doublecross.client.tk.models.snapshots import (
    OfferOver,
    OffersSnapshot,
    OpenOffer,
    RoomSnapshot,
)
from doublecross.games.registry import make_game
from doublecross.protocol.common import EngineInfo, MatchSettings, PlayerInfo, TimeControl
from doublecross.protocol.server_messages import LobbyRating, LobbyRoom, LobbySeek

LEVELS = Levels(("easy", "medium", "hard", "perfect"))
ME = "Ann"


def person(name: str) -> PlayerInfo:
    return PlayerInfo(name=name, kind="human")


def bot(name: str, engine: str | None = None, version: str = "1") -> PlayerInfo:
    return PlayerInfo(
        name=name, kind="bot", engine=EngineInfo(name=engine or name, version=version)
    )


def match(time: str = "300+3", game: str = "dots-and-boxes", **more: Any) -> MatchSettings:
    return MatchSettings(game=game, time=TimeControl.parse(time), **more)


def seek(key: str, player: PlayerInfo, seat: int | None = None, **more: Any) -> LobbySeek:
    return LobbySeek(seek=key, player=player, settings=match(**more), seat=seat)


def room(key: str, status: Any, *players: PlayerInfo | None, **more: Any) -> LobbyRoom:
    both = (*players, None, None)[:2]
    return LobbyRoom(room=key, settings=match(**more), status=status, players=both)  # type: ignore[arg-type]


def snapshot(key: str, status: Any, seat: int | None, other: PlayerInfo | None) -> RoomSnapshot:
    players = (person(ME), other) if seat == 0 else (other, person(ME))
    game = make_game("dots-and-boxes", {"rows": 2, "cols": 2})
    return RoomSnapshot(
        who="me",
        room=key,
        at=0.0,
        game=game,
        opening=(),
        moves=(),
        match=0,
        status=status,
        seat=seat,
        players=players,
        to_move=None,
        clock_ms=None,
        clock_runs=False,
        move_ms=None,
        time=TimeControl(),
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


# -- players -----------------------------------------------------------------------------------


def test_levels_are_known_by_their_engine() -> None:
    found = [LEVELS.of(bot(f"any-{level}", level)) for level in LEVELS.names]
    assert found == [1, 2, 3, 4]
    assert LEVELS.of(bot("easy", "mcts")) is None
    assert LEVELS.of(person("easy")) is None


def test_the_strength_of_bots() -> None:
    assert LEVELS.strength(bot("Hal", "hard")) == "level 3 of 4: hard"
    assert LEVELS.strength(bot("Hal", "mcts", "1.2")) == "mcts 1.2"
    assert LEVELS.strength(person("Hal")) == ""


def test_bots_are_marked_and_a_level_is_named_once() -> None:
    assert player_row(bot("medium"), ME, LEVELS, playing=False).cells == (
        "medium",
        "bot, level 2 of 4",
        "",
    )
    assert player_row(bot("medium-2", "medium"), ME, LEVELS, playing=True).cells == (
        "medium-2",
        "bot, level 2 of 4",
        "playing",
    )
    assert (
        player_row(bot("Hal", "easy"), ME, LEVELS, playing=False).cells[1]
        == "bot, level 1 of 4: easy"
    )
    assert player_row(person("Bob"), ME, LEVELS, playing=False).cells == ("Bob", "person", "")
    assert player_row(person(ME), ME, LEVELS, playing=False).cells[0] == "Ann (you)"


def test_players_are_sorted_and_show_their_activity() -> None:
    players = [bot("zeta", "mcts"), bot("hard"), person("bob"), person("Zoe"), person(ME)]
    players.insert(0, bot("easy"))
    rooms = [
        room("a", "playing", person("Zoe"), bot("easy")),
        room("b", "finished", person("bob"), bot("hard")),
        room("c", "waiting", person(ME)),
    ]
    rows = LobbyModel(LEVELS).players(players, rooms, ME)
    assert [row.key for row in rows] == [ME, "bob", "Zoe", "easy", "hard", "zeta"]
    assert [row.kind for row in rows] == ["me", "person", "person", "bot", "bot", "bot"]
    assert [row.key for row in rows if row.cells[2]] == ["Zoe", "easy"]


def test_the_text_about_the_selected_player() -> None:
    abouts = {"easy": "For beginners."}
    assert (
        about_player(bot("easy"), abouts, LEVELS) == "easy: bot, level 1 of 4: easy. For beginners."
    )
    assert about_player(bot("Hal", "mine", "3"), abouts, LEVELS) == "Hal: bot, mine 3."
    assert about_player(person("Bob"), abouts, LEVELS) == ""


def test_whether_there_are_bots() -> None:
    assert not has_bots([person("easy")])
    assert has_bots([person("Bob"), bot("Hal")])


# -- offers and games --------------------------------------------------------------------------


def test_an_offer_shows_settings_seat_and_player() -> None:
    row = seek_row(seek("s", bot("Hal"), 1, rated=True, params={"rows": 3, "cols": 4}))
    assert row.cells == ("Hal (bot)", "Dots and Boxes 3x4, rated", "5 min + 3 s", "yours")
    assert seek_row(seek("s", person("Bob"), 0)).cells[3] == "theirs"
    assert seek_row(seek("s", person("Bob"), opening=(1, 2))).cells[1:] == (
        "Dots and Boxes 5x5, from an opening",
        "5 min + 3 s",
        "chance",
    )


def test_own_offers_are_not_listed_among_those_of_others() -> None:
    seeks = [seek("a", person(ME)), seek("b", person("Bob")), seek("c", person("Zoe"))]
    assert [row.key for row in LobbyModel(LEVELS).seeks(seeks, ME)] == ["b", "c"]


def test_a_game_that_this_program_does_not_know_is_listed_under_its_key() -> None:
    assert seek_row(seek("s", person("Bob"), game="hex")).cells[1] == "hex"


def test_rooms_that_wait_come_first_and_finished_ones_last() -> None:
    rooms = [
        room("over", "finished", person("Bob"), bot("Hal")),
        room("on", "playing", person("Bob"), bot("Hal")),
        room("wait", "waiting", person("Bob")),
        room("on-too", "playing", person(ME), bot("Hal")),
        room("mine", "waiting", person(ME)),
    ]
    rows = LobbyModel(LEVELS).rooms(rooms, ME)
    assert [(row.key, row.kind) for row in rows] == [
        ("wait", "waiting"),
        ("mine", "mine"),
        ("on", "playing"),
        ("on-too", "mine"),
        ("over", "finished"),
    ]
    assert rows[0].cells == ("Bob", "Dots and Boxes 5x5", "5 min + 3 s", "waits for a player")
    assert rows[2].cells[0] == "Bob – Hal (bot)"


def test_the_seats_of_a_room_stand_in_their_order() -> None:
    assert room_row(room("r", "waiting", None, person("Bob")), ME).cells[0] == "Bob"
    assert room_row(room("r", "waiting"), ME).cells[0] == "nobody"


def test_an_unchanged_entry_keeps_its_line_object() -> None:
    model = LobbyModel(LEVELS)
    rooms = [room("a", "waiting", person("Bob")), room("b", "waiting", person("Zoe"))]
    first = model.rooms(rooms, ME)
    changed = [rooms[0], room("b", "playing", person("Zoe"), person("Bob"))]
    second = model.rooms(changed, ME)
    assert second[0] is first[0]
    assert second[1] != first[1]
    # For another player the same rooms have other lines.
    assert model.rooms(changed, "Bob")[0].kind == "mine"
    assert model.rooms(changed[:1], ME) == first[:1]


@given(st.lists(st.sampled_from("abcdefgh"), unique=True), st.permutations("abcdefgh"))
def test_only_lines_out_of_order_are_moved(before: list[str], after: list[str]) -> None:
    fixed = staying(before, after)
    assert [key for key in before if key in fixed] == [key for key in after if key in fixed]
    both = [key for key in after if key in before]
    longest = max(
        len(part)
        for count in range(len(both) + 1)
        for part in combinations(both, count)
        if list(part) == sorted(part, key=before.index)
    )
    assert len(fixed) == longest


# -- one's own ---------------------------------------------------------------------------------


def test_own_open_offers_and_rooms_are_listed() -> None:
    offers = OffersSnapshot(
        "me",
        (
            OpenOffer("s", mine=True, other=None, settings=match()),
            OpenOffer("c", mine=True, other="Bob", settings=match("unlimited")),
            OpenOffer("x", mine=False, other="Zoe", settings=match()),
        ),
    )
    rooms = [
        snapshot("watched", "playing", None, None),
        snapshot("waits", "waiting", 0, None),
        snapshot("goes", "playing", 1, person("Zoe")),
        snapshot("over", "finished", 0, person("Zoe")),
    ]
    lines = own_entries(offers, rooms)
    assert [(line.kind, line.key) for line in lines] == [
        ("waiting", "waits"),
        ("seek", "s"),
        ("challenge", "c"),
    ]
    assert lines[0].text.startswith("Your room waits for a player: Dots and Boxes 2x2")
    assert lines[1].text == "Waiting for an opponent: Dots and Boxes 5x5 · 5 min + 3 s"
    assert lines[2].text == "Waiting for Bob to answer: Dots and Boxes 5x5 · no clock"
    assert own_entries(None, []) == ()


def offer(other: str | None = "Bob", *, mine: bool = True) -> OpenOffer:
    return OpenOffer("o", mine=mine, other=other, settings=match())


@pytest.mark.parametrize(
    ("given", "outcome", "reason", "line"),
    [
        (offer(), "declined", "Not now.", "Bob declined your challenge. Not now."),
        (offer(), "left", "", "Bob has left, so the challenge is over."),
        (offer(), "expired", "", "Your challenge to Bob has ended."),
        (offer(None), "expired", "", "Your offer has ended."),
        (offer(None), "left", "", ""),
        (offer(), "cancelled", "", ""),
        (offer(mine=False), "cancelled", "", "Bob took the challenge back."),
        (offer(mine=False), "expired", "", "The challenge of Bob has ended."),
    ],
)
def test_the_text_about_an_ended_offer(
    given: OpenOffer, outcome: str, reason: str, line: str
) -> None:
    assert over_line(given, OfferOver("me", "o", outcome, reason)) == line


def test_a_challenge_is_followed_until_it_is_over() -> None:
    watch = OfferWatch()
    assert watch.begin("o", "Bob") is None
    assert not watch.over(OfferOver("me", "other", "declined", ""))
    assert watch.over(OfferOver("me", "o", "declined", "No."))
    watch.stop()
    assert not watch.over(OfferOver("me", "o", "declined", "No."))


def test_a_challenge_that_was_over_before_its_own_answer_came() -> None:
    watch = OfferWatch()
    over = OfferOver("me", "o", "declined", "No.")
    assert not watch.over(over)
    assert watch.begin("o", "Bob") == over


def test_a_challenge_that_was_made_again_under_another_id() -> None:
    watch = OfferWatch()
    watch.begin("o", "Bob")
    seek_of_mine = OpenOffer("s", mine=True, other=None, settings=match())
    theirs = OpenOffer("x", mine=False, other="Bob", settings=match())
    watch.offers(OffersSnapshot("me", (offer(), seek_of_mine, theirs)))
    assert watch.offer == "o"
    watch.offers(OffersSnapshot("me", (seek_of_mine, theirs)))
    assert watch.offer == "o"
    again = OpenOffer("o2", mine=True, other="Bob", settings=match())
    watch.offers(OffersSnapshot("me", (seek_of_mine, theirs, again)))
    assert watch.offer == "o2"
    assert watch.over(OfferOver("me", "o2", "declined", ""))


# -- bots --------------------------------------------------------------------------------------

CHOICES = (
    *(BotChoice(name, f"About {name}.", level) for level, name in enumerate(LEVELS.names, 1)),
    BotChoice("greedy", "Takes what it can."),
    BotChoice("mcts:simulations=500", "Searches."),
)


def test_all_levels_can_be_started_where_no_bot_is_online() -> None:
    options = bot_options(CHOICES, [person(ME), person("easy")], ME, LEVELS)
    assert [option.key for option in options] == [
        *(f"level:{name}" for name in LEVELS.names),
        "spec:greedy",
        "spec:mcts:simulations=500",
    ]
    assert all(option.player is None and option.spec for option in options)
    assert {option.state for option in options} == {"can join"}
    assert options[0] == BotOption(
        "level:easy", "Easy", "level 1 of 4", "About easy.", None, "easy"
    )


def test_a_level_that_is_online_is_played_there() -> None:
    players = [bot("easy-2", "easy"), bot("easy"), bot("Hal", "perfect")]
    options = {option.key: option for option in bot_options(CHOICES, players, ME, LEVELS)}
    assert options["level:easy"].player == "easy"
    assert options["level:easy"].state == "online"
    assert options["level:perfect"].player == "Hal"
    assert options["level:hard"].player is None
    # A second bot of the same level can also be started.
    assert options["player:easy-2"].strength == "level 1 of 4"
    assert options["player:easy-2"].about == "About easy."
    assert "player:Hal" not in options


def test_other_online_bots_are_sorted_by_strength_among_the_levels() -> None:
    players = [bot("zed", "theirs", "2"), bot("greedy"), bot(ME)]
    options = bot_options(CHOICES, players, ME, LEVELS)
    assert [option.key for option in options][4:] == [
        "player:greedy",
        "player:zed",
        "spec:mcts:simulations=500",
    ]
    assert options[4].about == "Takes what it can."
    assert options[5].strength == "theirs 2"


def test_without_local_bots_only_the_servers_levels_are_listed() -> None:
    options = bot_options((), [bot("easy")], ME, LEVELS)
    assert [(option.key, option.player, option.spec) for option in options] == [
        ("level:easy", "easy", None)
    ]
    assert bot_options((), [person(ME)], ME, LEVELS) == ()


def rating(
    player: str, points: float, *, size: str = "5x5", games: int = 30, off: float = 60
) -> LobbyRating:
    return LobbyRating(
        player=player, game="dots-and-boxes", size=size, rating=points, deviation=off, games=games
    )


def test_the_strength_comes_from_the_rating() -> None:
    easy = PlayerInfo(name="easy", kind="bot", engine=EngineInfo(name="easy", version="1"))
    ann, ben = PlayerInfo(name="Ann", kind="human"), PlayerInfo(name="Ben", kind="human")
    ratings = (
        rating("easy", 1321.4),
        rating("easy", 1900, size="3x3", games=2),
        rating("Ann", 1612.5, games=3, off=180),
        rating("Ben", 1499.6),
    )
    rows = LobbyModel(LEVELS).players((ann, ben, easy), (), "Ann", ratings)
    assert [row.cells[1] for row in rows] == ["1612?", "person, 1500", "bot, level 1 of 4, 1321"]
