"""Merge what two browsers have kept, and rate solvers and puzzles against each other."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from doublecross.server.core.people.progress import merge_settings, merge_solved
from doublecross.server.core.people.solver import (
    DAY_MS,
    LATELY_MS,
    SPREAD,
    Solver,
    first_rating,
    next_puzzle,
)
from doublecross.server.core.people.storm import (
    COMBO,
    COMBO_MS,
    MISS_MS,
    STORM_MS,
    Storm,
    storm_order,
)

HARD, EASY = first_rating("hard", 5), first_rating("easy", 1)


def test_a_merge_loses_nothing_that_is_known_and_keeps_the_newer_setting() -> None:
    known = {"a", "b", "c"}
    one, other = {"solved": ["a"], "days": ["2026-01-01"]}, {"solved": ["b", "x"], "days": []}
    merged = merge_solved(one, other, known)
    assert merged == {"solved": ["a", "b"], "days": ["2026-01-01"]}
    assert merge_solved(merged, one, known) == merged
    stored = {"theme": ["dark", 20], "rim": [True, 20]}
    # A clock that goes fast does not win for ever.
    sent = {"theme": ["light", 10], "rim": [False, 999], "sound": [False, 0]}
    merged = merge_settings(stored, sent, 30)
    assert merged == {"rim": [False, 30], "sound": [False, 0], "theme": ["dark", 20]}
    assert merge_settings(merged, {"rim": [True, 31]}, 31)["rim"] == [True, 31]


def test_only_the_first_attempt_is_rated_and_a_wrong_one_ends_the_streak() -> None:
    solver, rated = Solver().attempted(HARD, True, 1)
    assert rated is not None
    assert rated.attempts == 1
    assert rated.glicko.rating < HARD.glicko.rating < 2000 < solver.rating + 400
    again, unrated = solver.attempted(rated, False, 2)
    assert (unrated, again.rating, again.streak) == (None, solver.rating, 1)
    assert again.tries == {"hard": (True, 2)}
    # A puzzle that was tried long ago counts for the streak again.
    assert again.attempted(rated, True, 2 + LATELY_MS)[0].streak == 2
    wrong, _ = again.attempted(EASY, False, 3)
    assert (wrong.streak, wrong.best_streak) == (0, 1)
    assert wrong.rating < again.rating
    assert wrong.now(3 + 400 * DAY_MS).deviation > wrong.deviation


def test_a_copy_of_a_browser_adds_bests_and_tries() -> None:
    stored = Solver(rating=1700, at_ms=5, tries={"hard": (False, 5)}, best_streak=3)
    sent = Solver(rating=2900, tries={"hard": (True, 99), "easy": (True, 7), "?": (True, 1)})
    sent = sent.stormed(12, 0)
    both = stored.joined(sent, ["hard", "easy"], 50)
    assert both.rating == 1700
    assert both.tries == {"hard": (False, 50), "easy": (True, 7)}
    assert (both.best_streak, both.storm_best, both.storm_days) == (3, 12, {"1970-01-01": 12})
    assert both.joined(sent, ["hard", "easy"], 50) == both
    # Whoever begins here goes on from the rating in the browser, which is uncertain again.
    new = Solver().joined(replace(sent, deviation=40, at_ms=9, streak=2), ["easy"], 50)
    assert (new.rating, new.deviation, new.at_ms, new.streak) == (1900, 350, 0, 2)
    assert new.joined(Solver(), ["easy"], 60) == new
    later = both.stormed(4, 7 * DAY_MS)
    assert (later.storm_best, later.storm_days) == (12, {"1970-01-08": 4})


def test_the_next_puzzle_is_new_and_fits_the_solver() -> None:
    puzzles = [first_rating(f"{level}-{n}", level) for level in (1, 3, 5) for n in range(SPREAD)]
    strong, rng = Solver(rating=1850), Random(1)
    chosen = {next_puzzle(strong, puzzles, rng) for _ in range(200)}
    assert chosen == {f"5-{n}" for n in range(SPREAD)}
    tried = {each.puzzle_id: (True, at) for at, each in enumerate(puzzles)}
    left = next_puzzle(Solver(tries=dict(list(tried.items())[1:])), puzzles, rng)
    assert left == "1-0"
    # All were tried: those of long ago come again.
    again = {next_puzzle(Solver(tries=tried), puzzles, rng) for _ in range(200)}
    assert again <= {each.puzzle_id for each in puzzles[:12]}


def test_a_storm_becomes_harder_and_mistakes_cost_time() -> None:
    order = storm_order([(f"{level}-{n}", level) for n in range(12) for level in (2, 1)], Random(1))
    assert [name[0] for name in order] == ["1"] * 9 + ["2"] * 9 + ["2"] * 3 + ["1"] * 3
    storm = Storm("", order, STORM_MS)
    for _ in range(COMBO):
        storm.answer(True)
    assert (storm.score, storm.combo, storm.ends_ms) == (COMBO, COMBO, STORM_MS + COMBO_MS)
    storm.answer(False)
    assert (storm.score, storm.combo) == (COMBO, 0)
    assert storm.ends_ms == STORM_MS + COMBO_MS - MISS_MS
    assert storm.puzzle(storm.ends_ms - 1) == order[COMBO + 1]
    assert storm.puzzle(storm.ends_ms) is None
