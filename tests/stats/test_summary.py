"""The summary of a tournament: counted pairs, crosstable, scores, ratings, times."""

from __future__ import annotations

import math
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from doublecross.stats.bootstrap import Interval
from doublecross.stats.course import MOMENTS
from doublecross.stats.elo import RESAMPLES, EloPairing, rate
from doublecross.stats.pairs import Pentanomial, elo_interval, elo_of_score, los, score_interval
from doublecross.stats.results import Place, PlayedGame, Results
from doublecross.stats.summary import OpeningCounts, Summary, summarise
from tests.stats.tournaments import game, pair, results, tournament


def summary(found: Results, **options: Any) -> Summary:
    return summarise(found, Random(5), **options)


def three(*more: PlayedGame) -> Results:
    """Return results: A beats B 2-0 and draws 1-1 with it, B beats C 1½-½; C and A do not meet."""
    games = [
        *pair(0, (0, 1), 0, 0, scores=(6, 3)),
        *pair(1, (1, 0), 1, 0),
        *pair(2, (1, 2), 1, None),
        *more,
    ]
    return results(["A", "B", "C"], games)


def test_points_pairs_and_games_are_each_players_own() -> None:
    found = summary(three())
    a, b, c = found.standings
    assert [standing.points for standing in found.standings] == [3, 2.5, 0.5]
    assert [standing.games for standing in found.standings] == [4, 6, 2]
    assert [standing.score for standing in found.standings] == [0.75, 2.5 / 6, 0.25]
    assert a.pairs.counts == (0, 0, 1, 0, 1)
    assert b.pairs.counts == (1, 0, 1, 1, 0)
    assert (b.won, b.drawn, b.lost) == (2, 1, 3)
    assert c.pairs.counts == (0, 1, 0, 0, 0)
    assert found.decided == (1, 1, 1)


def test_the_crosstable_has_all_players_who_met_from_both_sides() -> None:
    found = summary(three())
    assert set(found.cells) == {(0, 1), (1, 0), (1, 2), (2, 1)}
    one, other = found.cells[0, 1], found.cells[1, 0]
    assert one.pairs.counts == (0, 0, 1, 0, 1)
    assert other.pairs == one.pairs.reversed()
    assert (one.games, other.games) == (4, 4)
    # Pair 0: 6:3 from seat 0 and 3:6 from seat 1, so 3 - 3 = 0. Pair 1: 5:4 each way for whoever
    # won, A lost one by 1 and won one by 1.
    assert (one.net, other.net) == (0, 0)
    assert found.cells[1, 2].net == (1 + (-1 * -1)) / 2
    assert one.los == los(one.pairs)
    assert one.los + other.los == pytest.approx(1)


def test_net_scores_are_taken_by_seat() -> None:
    games = [
        game(0, 0, (0, 1), 0, scores=(7, 2)),
        game(0, 1, (0, 1), 0, scores=(1, 8)),
        game(1, 0, (0, 1), 1, scores=(4, 5)),
        game(1, 1, (0, 1), 1, scores=(6, 3)),
    ]
    found = summary(results(["A", "B"], games))
    assert found.cells[0, 1].net == ((5 + 7) / 2 + (-1 - 3) / 2) / 2 == 2
    assert found.cells[1, 0].net == -2
    assert found.standings[0].net is not None
    assert found.standings[1].net is not None
    assert found.standings[0].net.mean == 2
    assert found.standings[1].net.mean == -2


def test_only_complete_pairs_without_a_void_game_count() -> None:
    whole = summary(three())
    more = [
        game(3, 0, (0, 2), 2),  # its other game is missing
        *pair(4, (0, 2), 2, 2, void=True, termination="void"),
        *pair(5, (0, 1), 1, 1, void=True),
        *pair(5, (0, 1), 0, 0, name="again"),
    ]
    found = summary(three(*more))
    assert [g.name for g in found.unfinished] == ["3.0"]
    assert [g.name for g in found.void] == ["4.0", "4.1", "5.0", "5.1"]
    assert found.standings[2].pairs == whole.standings[2].pairs
    assert found.standings[2].games == whole.standings[2].games
    assert found.cells[0, 1].pairs.counts == (0, 0, 1, 0, 2)
    assert (0, 2) not in found.cells
    assert "void" not in found.terminations


def test_ratings_are_those_of_all_players_at_once() -> None:
    found = summary(three())
    pairings = [
        EloPairing(0, 1, Pentanomial((0, 0, 1, 0, 1))),
        EloPairing(1, 2, Pentanomial((0, 0, 0, 1, 0))),
    ]
    expected = rate(3, pairings, Random(5), resamples=RESAMPLES)
    assert tuple(standing.rating for standing in found.standings) == expected.ratings
    assert found.groups == expected.groups
    assert found.order == (0, 1, 2)


def test_a_player_without_a_pair_has_no_rating_and_does_not_change_the_others() -> None:
    games = tournament({"A": 100, "B": 0}, 20).games
    alone = summary(results(["A", "B"], games))
    found = summary(results(["X", "A", "B", "Y"], [_moved(g, 1) for g in games]), anchor=0)
    assert found.anchor is None  # X has not played
    assert (found.standings[0].rating, found.standings[3].net, found.standings[0].score) == (
        None,
        None,
        None,
    )
    assert found.standings[0].mean_s is found.standings[0].longest_s is None
    assert found.standings[1].rating == alone.standings[0].rating
    assert found.order == (1, 2, 0, 3)
    assert found.groups == ((1, 2),)
    assert set(found.los) == {(1, 2), (2, 1)}
    rating = found.standings[1].rating
    assert rating is not None
    assert math.isfinite(rating.interval.low)
    assert math.isfinite(rating.interval.high)


def _moved(played: PlayedGame, by: int) -> PlayedGame:
    first, second = played.players
    return replace(played, players=(first + by, second + by))


def test_the_anchor_is_at_zero() -> None:
    found = summary(tournament({"A": 200, "B": 0, "C": 50}, 15), anchor=1)
    assert found.standings[1].rating is not None
    assert found.standings[1].rating.elo == 0
    assert set(found.standings[1].course) == {0}
    with pytest.raises(ValueError, match="no player 3"):
        summary(three(), anchor=3)


@pytest.mark.parametrize("anchor", [None, 2])
def test_ratings_over_time_end_at_the_ratings(anchor: int | None) -> None:
    # The games finish in another order than they are listed.
    games = tournament({"A": 200, "B": 0, "C": -50}, 15).games[::-1]
    found = summary(results(["A", "B", "C"], games), anchor=anchor)
    assert len(found.moments) == MOMENTS
    assert found.moments[-1] == len(found.pairs) == 45
    assert found.moments[0] == 5
    for standing in found.standings:
        assert standing.rating is not None
        assert standing.course[-1] == pytest.approx(standing.rating.elo, abs=1e-6)
    early = [g for pair_ in found.pairs[:5] for g in pair_]
    assert max(g.finished_ms for g in early) < min(
        max(g.finished_ms for g in p) for p in found.pairs[5:]
    )
    until = summary(results(["A", "B", "C"], early), anchor=anchor)
    first, second = (standing.course[0] for standing in found.standings[:2])
    one, two = (standing.rating for standing in until.standings[:2])
    assert first is not None and second is not None and one and two  # noqa: PT018
    assert first - second == pytest.approx(one.elo - two.elo, abs=1e-6)


def test_no_player_has_a_rating_before_the_first_pair_of_the_anchor() -> None:
    games = [*pair(0, (0, 1), 0, 1), *pair(1, (1, 2), 1, 2)]
    found = summary(results(["A", "B", "C"], games), anchor=2)
    assert found.moments == (1, 2)
    assert [standing.course[0] for standing in found.standings] == [None, None, None]
    assert None not in [standing.course[1] for standing in found.standings]
    found = summary(results(["A", "B", "C"], games))
    assert [standing.course[0] is None for standing in found.standings] == [False, False, True]


def test_ratings_over_time_keep_the_mean_of_the_steady_players() -> None:
    """A newcomer who loses changes the ratings only of players who met it."""
    games = list(tournament({"A": 100, "B": 0, "C": 0}, 10).games)
    late = tournament({"A": 100, "B": 0, "C": 0, "D": -300}, 10, seed=2).games
    games += [
        replace(g, pair=g.pair + 100, finished_ms=g.finished_ms + 10**9, name=f"late {g.name}")
        for g in late
        if 3 in g.players
    ]
    found = summary(results(["A", "B", "C", "D"], games))
    assert set(found.home) == {0, 1, 2, 3}
    assert set(found.steady) == {0, 1, 2}
    held = sum(standing.rating.elo for standing in found.standings[:3] if standing.rating) / 3
    for at, _ in enumerate(found.moments):
        values = [standing.course[at] for standing in found.standings[:3]]
        if None not in values:
            assert sum(v for v in values if v is not None) / 3 == pytest.approx(held)
    assert found.standings[3].course[0] is None
    assert found.standings[3].course[-1] is not None


def test_a_player_who_has_won_everything_so_far_has_no_rating_yet() -> None:
    games = [g for at in range(9) for g in pair(at, (0, 1), 0, 1)]
    games += [g for at in range(9, 18) for g in pair(at, (0, 2), 2, 2)]
    found = summary(results(["A", "B", "C"], games))
    assert set(found.home) == {0, 1}
    assert found.standings[2].course == (None,) * 10
    assert None not in found.standings[0].course
    games += pair(18, (0, 2), 0, 0)
    closed = summary(results(["A", "B", "C"], games)).standings[2].course
    assert closed[:-1] == (None,) * 9
    assert closed[-1] is not None


def test_two_players_have_the_figures_of_their_score() -> None:
    """They are the figures of an arena, whichever player is the anchor."""
    games = [*pair(0, (0, 1), 0, 0), *pair(1, (0, 1), 0, 1), *pair(2, (0, 1), None, 1)]
    counts = Pentanomial.of([2.0, 1.0, 0.5])
    elo, interval = elo_of_score(counts.score), elo_interval(score_interval(counts, Random(5)))
    for anchor, weights in ((1, (1.0, 0.0)), (0, (0.0, -1.0)), (None, (0.5, -0.5))):
        found = summary(results(["A", "B"], games), anchor=anchor)
        for standing, weight in zip(found.standings, weights, strict=True):
            assert standing.rating is not None
            assert standing.rating.elo == pytest.approx(weight * elo)
            ends = sorted((weight * interval.low, weight * interval.high)) if weight else (0, 0)
            assert [standing.rating.interval.low, standing.rating.interval.high] == pytest.approx(
                ends
            )
        assert found.los == {(0, 1): los(counts), (1, 0): pytest.approx(1 - los(counts))}
        assert found.standings[0].course[-1] == pytest.approx(weights[0] * elo)


def test_a_clean_score_between_two_players_is_only_a_bound() -> None:
    games = [g for at in range(6) for g in pair(at, (0, 1), 1, 1)]
    found = summary(results(["A", "B"], games))
    assert found.groups == ((1,), (0,))
    assert found.home == (1,)
    weak, strong = (standing.rating for standing in found.standings)
    assert weak is not None and strong is not None  # noqa: PT018
    assert (strong.elo, strong.interval) == (0.0, Interval(0.0, 0.0))
    assert weak.elo == weak.interval.low == -math.inf
    assert -1000 < weak.interval.high < -100
    assert [standing.course for standing in found.standings] == [(None,) * len(found.moments)] * 2


def test_the_first_mover_is_seat_0_in_pairs() -> None:
    games = [*pair(0, (0, 1), 0, 1), *pair(1, (0, 1), 0, 0), *pair(2, (0, 1), None, 1)]
    games += [*pair(3, (0, 1), 0, 0), *pair(4, (0, 1), 1, 1)]
    found = summarise(results(["A", "B"], games), Random(5), resamples=2)
    assert found.first_mover is not None
    assert found.first_mover.mean == (2 + 1 + 1.5 + 1 + 1) / 10
    assert found.first_mover.bounded
    assert found.openings is None


def test_the_first_movers_interval_is_over_openings_and_not_over_pairs() -> None:
    def played(openings: int) -> Summary:
        # Every other opening decides for seat 0.
        games = [
            g
            for at in range(80)
            for g in pair(
                at,
                (0, 1) if at % 3 else (1, 2),
                *(((0, 1) if at % 3 else (1, 2)) if at % openings % 2 else (None, None)),
                opening=(at % openings,),
            )
        ]
        return summary(results(["A", "B", "C"], games))

    many, few, one = played(80), played(8), played(1)
    assert many.first_mover and few.first_mover and one.first_mover  # noqa: PT018
    assert many.first_mover.mean == few.first_mover.mean == 0.75
    wide, narrow = few.first_mover.interval, many.first_mover.interval
    assert wide.high - wide.low > 2 * (narrow.high - narrow.low)
    assert not one.first_mover.bounded
    assert many.openings == OpeningCounts(80, 0)
    assert few.openings is not None
    assert (few.openings.different, few.openings.repeated) == (8, 80 - 16)
    assert one.openings == OpeningCounts(1, 78)


def test_a_tournaments_places_make_the_order_and_name_the_winner() -> None:
    """B is ahead by a bye, although A has the higher rating."""
    places = (Place(2, 3.0), Place(1, 4.5, byes=1), Place(2, 0.5))
    found = summary(replace(three(), places=places))
    assert found.order == (1, 0, 2)
    assert found.results.winners == (1,)
    assert [found.total(n) for n in range(3)] == [3.0, 4.5, 0.5]
    assert [found.bonus(n) for n in range(3)] == [0.0, 2.0, 0.0]
    assert replace(three(), places=places, over=False).winners == ()
    assert three().winners == ()
    assert summary(three()).total(1) == 2.5
    with pytest.raises(ValueError, match="places"):
        replace(three(), places=places[:2])


@pytest.mark.parametrize(
    ("format_", "winners"),
    [("round-robin", (0, 1)), ("swiss", (0, 1)), ("knockout", (1,)), ("gauntlet", (1,))],
)
def test_equal_points_share_the_first_place_where_points_decide(
    format_: str, winners: tuple[int, ...]
) -> None:
    """B is listed first by the net score, but has not won more points than A."""
    places = (Place(2, 3.0), Place(1, 3.0), Place(3, 0.5))
    found = replace(three(), places=places, format=format_)
    assert found.winners == winners
    assert replace(found, over=False).winners == ()
    assert replace(found, over=False).leaders == winners


def test_terminations_are_counted_for_winners_and_losers() -> None:
    games = [
        game(0, 0, (0, 1), 0, termination="crash"),
        game(0, 1, (0, 1), 0),
        game(1, 0, (0, 1), 1, termination="timeout"),
        game(1, 1, (0, 1), 0, termination="crash"),
        game(2, 0, (0, 1), 1, termination="illegal"),  # not counted
    ]
    found = summary(results(["A", "B"], games))
    a, b = found.standings
    assert a.wins == b.losses == {"crash": 2, "completed": 1}
    assert list(a.wins) == ["crash", "completed"]
    assert a.losses == b.wins == {"timeout": 1}
    assert found.terminations == {"crash": 2, "completed": 1, "timeout": 1}


def test_mean_times_are_weighted_by_moves_and_taken_by_seat() -> None:
    games = [
        game(0, 0, (0, 1), 0, mean_s=(1.0, 3.0), longest_s=(2.0, 4.0), moves=(10, 0)),
        game(0, 1, (0, 1), 0, mean_s=(5.0, 4.0), longest_s=(9.0, 8.0), moves=(7, 30)),
    ]
    a, b = summary(results(["A", "B"], games)).standings
    assert (a.mean_s, a.longest_s) == ((1.0 * 10 + 4.0 * 30) / 40, 8.0)
    assert (b.mean_s, b.longest_s) == (5.0, 9.0)


def test_a_summary_without_games_has_only_the_players() -> None:
    found = summary(results(["A", "B"], []))
    assert found.order == (0, 1)
    assert found.first_mover is None
    assert found.moments == ()
    assert (found.pairs, found.groups, found.cells, found.los) == ((), (), {}, {})


def test_the_order_of_the_games_does_not_matter() -> None:
    whole = tournament({"A": 200, "B": 0, "C": -50}, 8)
    mixed = list(whole.games)
    Random(3).shuffle(mixed)
    one, two = summary(whole), summary(replace(whole, games=tuple(mixed)))
    assert replace(one, results=whole) == replace(two, results=whole)


@pytest.mark.parametrize(
    ("games", "says"),
    [
        ([game(0, 0, (0, 2), 0)], "has an unknown player"),
        ([game(0, 0, (0, 1), 0), game(0, 1, (1, 0), 0)], "do not have the same players"),
        ([game(0, 0, (0, 1), 0), game(0, 0, (0, 1), 1)], "occurs twice"),
        ([game(0, 0, (0, 1), 0, opening=(1,)), game(0, 1, (0, 1), 0)], "the same opening"),
    ],
)
def test_inconsistent_results_are_refused(games: list[PlayedGame], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        results(["A", "B"], games)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"game": 2}, "must be game 0 or 1 of a pair"),
        ({"winner": 2}, "must be game 0 or 1 of a pair"),
        ({"players": (1, 1)}, "plays itself"),
        ({"mean_s": (math.nan, 0.0)}, "has impossible times"),
        ({"longest_s": (0.0, -1.0)}, "has impossible times"),
        ({"moves": (-1, 0)}, "has impossible times"),
        ({"finished_ms": 10**15}, "cannot have ended"),
    ],
)
def test_impossible_games_are_refused(wrong: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        replace(game(0, 0, (0, 1), 0), **wrong)
