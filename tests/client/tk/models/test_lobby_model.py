"""Check the lines of the lobby: players, offers, games, own offers and available bots."""

from __future__ import annotations

from typing import Any

import pytest

from doublecross.client.tk.models.helpers import BotChoice
from doublecross.client.tk.models.lobby.levels import Levels
from doublecross.client.tk.models.lobby.model import (
    BotOption,
    bot_options,
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
from doublecross.protocol.server_messages import LobbyRoom, LobbySeek

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
    entries = own_entries(offers, rooms)
    assert [(each.thing.kind, each.key, each.title, each.action) for each in entries] == [
        ("waiting", "waits", "Your room waits for a player", "Go there"),
        ("seek", "s", "Waiting for an opponent", ""),
        ("challenge", "c", "Waiting for Bob to answer", ""),
    ]
    assert entries[2].about[0] == "Dots and Boxes 5 × 5 · no clock · casual"
    assert own_entries(None, []) == []


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
        "level:easy", "easy", "level 1 of 4", "About easy.", None, "easy"
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
