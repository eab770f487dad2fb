"""Live ratings: which games count, and the order of the lists."""

from __future__ import annotations

import pytest

from doublecross.protocol.common import PROVISIONAL
from doublecross.server.core.rating_book import (
    HISTORY,
    NEWCOMER_GAMES,
    PAIR_GAMES,
    PERIOD_MS,
    RatedGame,
    RatingBook,
)
from doublecross.stats.glicko2 import MAX_DEVIATION, Glicko, update

T0 = 1_700_000_000_000
BOTS = ("random 1", "rules 1")
"""Between two bots every game counts."""


def game(
    number: int,
    players: tuple[str, str] = ("Ann", "Robo"),
    winner: int | None = 0,
    *,
    engines: tuple[str, str] = ("", "rules 1"),
    size: str = "5x5",
    at_ms: int = T0,
) -> RatedGame:
    return RatedGame(f"g{number}", "dots-and-boxes", size, players, engines, winner, at_ms)


def test_both_updates_use_the_ratings_before_the_game() -> None:
    book = RatingBook()
    assert book.add(game(1))
    (ann,), (robo,) = book.of("Ann"), book.of("ROBO")
    assert ann.glicko == update(Glicko(), [(Glicko(), 1.0)], periods=0.0)
    assert robo.glicko == update(Glicko(), [(Glicko(), 0.0)], periods=0.0)
    assert ann.glicko.rating - 1500 == pytest.approx(1500 - robo.glicko.rating)
    assert (ann.games, ann.at_ms, robo.engine) == (1, T0, "rules 1")


def test_repeated_games_and_games_against_oneself_do_not_count() -> None:
    book = RatingBook()
    assert book.add(game(1))
    assert not book.add(game(1, winner=1)), "it is known already"
    assert not book.add(game(2, ("Ann", "ANN"))), "oneself"
    assert [rated.games for rated in book.of("Ann")] == [1]


def test_each_size_and_each_version_has_a_rating_of_its_own() -> None:
    book = RatingBook()
    book.add(game(1))
    book.add(game(2, size="3x3"))
    book.add(game(3, engines=("", "rules 2")))
    book.add(game(4, engines=("", "rules 2")))
    assert [(r.engine, r.size, r.games) for r in book.of("Robo")] == [
        ("rules 2", "5x5", 2),
        ("rules 1", "5x5", 1),
        ("rules 1", "3x3", 1),
    ]
    assert book.rating("robo", "rules 1", "dots-and-boxes", "3x3") is book.of("Robo")[2]
    assert book.rating("Robo", "rules 3", "dots-and-boxes", "3x3") is None
    assert list(book.pools()) == [("dots-and-boxes", "5x5", 3), ("dots-and-boxes", "3x3", 2)]


def test_the_deviation_grows_without_games() -> None:
    book = RatingBook()
    for number in range(30):
        book.add(game(number, winner=number % 2, engines=BOTS))
    (ann,) = book.of("Ann")
    deviation = ann.now(T0).deviation
    assert deviation < PROVISIONAL
    assert ann.now(T0 + 1000 * PERIOD_MS).deviation > PROVISIONAL
    assert ann.now(T0 + 10**9 * PERIOD_MS).deviation == MAX_DEVIATION
    assert ann.now(T0 + PERIOD_MS).rating == ann.glicko.rating
    # A game after a year moves the rating more than one at once.
    book.add(game(100, engines=BOTS, at_ms=T0 + 365 * PERIOD_MS))
    assert book.of("Ann")[0].games == 31
    assert book.of("Ann")[0].now(T0 + 365 * PERIOD_MS).deviation > deviation


def test_provisional_ratings_are_listed_last() -> None:
    book = RatingBook()
    for number in range(40):
        book.add(game(number, ("Ann", "Robo"), 0 if number % 4 else 1, engines=BOTS))
    book.add(game(100, ("Lucky", "Robo"), 0, engines=BOTS))
    best = [rated.player for rated in book.best("dots-and-boxes", "5x5", T0, 10)]
    assert best == ["Ann", "Robo", "Lucky"]
    assert len(book.best("dots-and-boxes", "5x5", T0, 1)) == 1
    assert book.best("dots-and-boxes", "7x7", T0, 10) == []


def test_the_history_is_bounded() -> None:
    book = RatingBook()
    for number in range(HISTORY + 10):
        book.add(game(number, winner=number % 2, engines=BOTS, at_ms=T0 + number))
    (ann,) = book.of("Ann")
    assert len(ann.history) == HISTORY
    assert ann.history[-1] == (T0 + HISTORY + 9, ann.glicko.rating)


def test_the_best_people_and_the_best_bots_are_listed_separately() -> None:
    book = RatingBook()
    book.add(game(1))

    def names(bots: bool | None) -> list[str]:
        return [r.player for r in book.best("dots-and-boxes", "5x5", T0, 9, bots=bots)]

    assert names(None) == ["Ann", "Robo"]
    assert names(True) == ["Robo"]
    assert names(False) == ["Ann"]


def test_pools_of_one_size_come_in_the_order_of_their_names() -> None:
    book = RatingBook()
    for number, size in enumerate(("7x7", "3x3", "5x5", "5x5")):
        book.add(game(number, (f"P{number}", "Robo"), size=size))
    assert list(book.pools()) == [
        ("dots-and-boxes", "5x5", 3),
        ("dots-and-boxes", "3x3", 2),
        ("dots-and-boxes", "7x7", 2),
    ]


def test_a_player_cannot_reach_the_top_against_accounts_of_their_own() -> None:
    book, people = RatingBook(), ("", "")
    for number in range(90):
        book.add(game(number, ("Ann", f"guest {number}"), engines=people, at_ms=T0 + number))
    (ann,) = book.of("Ann")
    assert ann.games == NEWCOMER_GAMES
    assert ann.glicko.deviation > PROVISIONAL
    later = T0 + 2 * PERIOD_MS
    for number in range(100, 120):
        book.add(game(number, ("Ann", "guest 1"), engines=people, at_ms=later + number))
    assert ann.games == NEWCOMER_GAMES + PAIR_GAMES
    assert book.add(game(200, ("Ann", "guest 1"), engines=people, at_ms=later + PERIOD_MS + 200))


def test_games_of_two_bots_count_always_and_a_newcomer_may_play_others_without_end() -> None:
    book = RatingBook()
    for number in range(50):
        book.add(game(number, ("one", "two"), engines=("rules 1", "rules 2")))
    assert [rated.games for rated in book.of("one")] == [50]
    later = T0 + 2 * PERIOD_MS
    for number in range(100, 110):
        book.add(game(number, ("Eve", f"old {number}"), engines=("", "x"), at_ms=T0))
    for number in range(200, 210):
        book.add(game(number, ("Ann", f"old {number - 100}"), engines=("", "x"), at_ms=later))
    assert [rated.games for rated in book.of("Ann")] == [10]
