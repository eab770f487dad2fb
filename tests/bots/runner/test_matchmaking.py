"""Check whom a bot challenges, and what it accepts at which time, without a server or a clock."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random

import pytest

from doublecross.bots.runner import Matchmaking, NumberRange, Policy, QuietHours
from doublecross.bots.runner.core.ledger import Ledger
from doublecross.client.core.lobby import LobbyMirror
from doublecross.protocol.common import EngineInfo, MatchSettings, PlayerInfo
from doublecross.protocol.server_messages import LobbyRating

NOON = datetime(2030, 1, 1, 12, 0, tzinfo=UTC)
FIVE = MatchSettings(game="dots-and-boxes")
HOUR = timedelta(hours=1)


def lobby() -> LobbyMirror:
    mirror = LobbyMirror()
    engine = EngineInfo(name="x", version="1")
    for name in ("me", "weak", "strong", "new"):
        mirror.players[name] = PlayerInfo(name=name, kind="bot", engine=engine)
    mirror.players["Ann"] = PlayerInfo(name="Ann", kind="human")
    for name, rating in (("weak", 900.0), ("strong", 2000.0)):
        mirror.ratings[name, "dots-and-boxes", "5x5"] = LobbyRating(
            player=name, game="dots-and-boxes", size="5x5", rating=rating, deviation=50, games=9
        )
    return mirror


def chosen(policy: Policy, ledger: Ledger, now: datetime = NOON, rating: str = "1000-") -> set[str]:
    """Return all whom the bot may challenge."""
    making = Matchmaking((FIVE,), rating=NumberRange.parse(rating), again_hours=24)
    found = (
        making.choose(lobby(), ledger, policy, {"me"}, now, Random(seed)) for seed in range(20)
    )
    return {each[0] for each in found if each is not None}


def test_a_bot_challenges_bots_in_its_range_who_have_not_declined_lately() -> None:
    ledger = Ledger(NOON)
    assert chosen(Policy(), ledger) == {"strong", "new"}
    assert chosen(Policy(), ledger, rating="-1400") == {"weak"}
    assert chosen(Policy(refused=frozenset({"new"})), ledger) == {"strong"}
    assert chosen(Policy(only=frozenset({"new", "Ann"})), ledger) == {"new"}
    ledger.decline("new", NOON)
    assert chosen(Policy(), ledger, NOON + 23 * HOUR) == {"strong"}
    assert chosen(Policy(), ledger, NOON + 24 * HOUR) == {"strong", "new"}
    ledger.begin("g", "strong", NOON)
    assert chosen(Policy(each_day=1), ledger) == set()


def test_a_challenge_is_due_when_nothing_has_begun_for_some_minutes() -> None:
    making, ledger = Matchmaking((FIVE,), idle_minutes=5), Ledger(NOON)
    assert not making.is_due(ledger, NOON + timedelta(minutes=4))
    assert making.is_due(ledger, NOON + timedelta(minutes=5))
    ledger.begin("g", "Ann", NOON + timedelta(minutes=4))
    assert not making.is_due(ledger, NOON + timedelta(minutes=5))


def test_the_games_of_a_day_with_one_player_are_bounded() -> None:
    policy, ledger = Policy(each_day=2), Ledger(NOON)
    ledger.begin("g", "Ann", NOON)
    assert policy.objection_now("Ann", ledger, NOON) is None
    ledger.begin("h", "Ann", NOON + HOUR)
    assert (
        policy.objection_now("Ann", ledger, NOON + HOUR) == "I play 2 games a day with one player."
    )
    assert policy.objection_now("Bob", ledger, NOON + HOUR) is None
    assert policy.objection_now("Ann", ledger, NOON + 24 * HOUR) is None


def test_the_next_run_knows_the_games_and_who_declined() -> None:
    told: list[str] = []
    ledger, later = Ledger(NOON, lambda: told.append(ledger.text)), Ledger(NOON + HOUR)
    ledger.begin("g", "Ann", NOON)
    ledger.decline("new", NOON)
    later.read(told[-1])
    later.begin("g", "Ann", NOON + HOUR)  # the game goes on
    assert later.games_of_day("Ann", NOON + HOUR) == 1
    assert chosen(Policy(), later, NOON + HOUR) == {"strong"}
    for text in ("", "[]", '{"begun": {"g": ["2030-01-01T12:00", "Ann"]}, "declined": {}}'):
        with pytest.raises(ValueError, match="Kept"):
            later.read(text)
    assert later.games_of_day("Ann", NOON + HOUR) == 1


@pytest.mark.parametrize(
    ("hours", "quiet"),
    [("12:00-13:00", True), ("11:00-12:00", False), ("22:00-12:01", True), ("13:00-11:00", False)],
)
def test_no_game_begins_in_quiet_hours(hours: str, quiet: bool) -> None:
    policy = Policy(quiet=(QuietHours.parse(hours),))
    sentence = policy.objection_now("Ann", Ledger(NOON), NOON)
    assert (sentence is not None) == quiet
    assert sentence is None or f"from {hours.replace('-', ' to ')}" in sentence
