"""What a game teaches its players, in every game that is registered."""

from __future__ import annotations

from dataclasses import replace

import pytest

from doublecross.analysis.judgement import Estimate, Judgement
from doublecross.analysis.report import GameReport, make_report
from doublecross.analysis.verdict import price, verdict
from doublecross.games.api import State
from doublecross.games.registry import make_game
from tests.analysis.endings import KEYS, best_play, blunder

PRAISE = "No move of yours cost anything. Well played!"
STILL = {0: "You could still have drawn.", 1: "You could still have won."}


def said(report: GameReport, seat: int, termination: str, winner: int | None) -> str:
    return " ".join(map(str, verdict(report, seat, termination, winner).phrases))


@pytest.mark.parametrize("key", KEYS)
def test_a_blunder_that_loses_is_shown_in_the_words_of_its_game(key: str) -> None:
    game = blunder(key)
    found = verdict(game.report, game.seat, "completed", 1 - game.seat)
    assert found.move is not None
    assert found.move.ply == game.blunder
    text, spent = " ".join(map(str, found.phrases)), str(price(game.report.game, found.move))
    better = game.report.game.action_name(found.move.judgement.best[0])  # type: ignore[union-attr]
    assert better in text
    if game.report.game.unit:
        assert spent.endswith(("1 box", "boxes"))
    else:
        edge = game.report.game.action_name(found.move.action)
        assert text == f"{edge} cost {spent}; {better} was better."
        assert spent in ("the win", "the draw")


@pytest.mark.parametrize("key", KEYS)
def test_a_mistake_without_a_reason_says_what_it_cost(key: str) -> None:
    game = blunder(key)
    bare = replace(
        game.report, moves=tuple(replace(move, phrases=()) for move in game.report.moves)
    )
    found = verdict(bare, game.seat, "completed", 1 - game.seat)
    assert found.move is not None
    spent = price(game.report.game, found.move)
    assert f" cost {spent}; " in " ".join(map(str, found.phrases))


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("termination", ["resigned", "timeout", "disconnect"])
@pytest.mark.parametrize("plies", [0, 1, 2])
def test_a_game_that_is_given_up_early_earns_no_praise(
    key: str, termination: str, plies: int
) -> None:
    report = best_play(key, 2).report
    report = replace(report, moves=report.moves[:plies])
    for seat in (0, 1):
        text = said(report, seat, termination, 1 - seat)
        if not plies:
            assert text == ""
            continue
        end = report.moves[-1].after.of(seat)
        moved = plies > seat
        lost = "No certain mistake of yours was found." if moved else ""
        assert text == (STILL[int(end > 0)] if end >= 0 else lost)


@pytest.mark.parametrize("key", KEYS)
def test_who_gave_up_after_a_mistake_reads_of_both(key: str) -> None:
    game = blunder(key)
    assert game.blunder is not None
    other, ply = 1 - game.seat, game.blunder
    early = replace(game.report, moves=game.report.moves[: ply + 1])
    texts = [said(early, game.seat, "timeout", other), said(early, other, "timeout", game.seat)]
    assert "was better." in texts[0] or "Better: " in texts[0]
    assert texts[1] == "You could still have won."


@pytest.mark.parametrize("key", KEYS)
def test_a_game_without_mistakes_is_praised_and_a_lost_one_is_not_blamed(key: str) -> None:
    game = best_play(key)
    net = game.report.moves[-1].after.of(game.seat)
    winner = game.seat if net else None
    assert said(game.report, game.seat, "completed", winner) == PRAISE
    lost = "You lost, although no move of yours cost anything." if net else PRAISE
    assert said(game.report, 1 - game.seat, "completed", winner) == lost
    # The opponent gave up, so the rest of the game is unknown.
    assert said(game.report, game.seat, "resigned", game.seat).startswith("No certain mistake")


def test_estimates_prove_neither_a_mistake_nor_its_absence() -> None:
    class Guess:
        def judge(self, state: State, action: int) -> Judgement:
            value = Estimate(9.0, 1.0)
            return Judgement(value, Estimate(-9.0, 1.0), (action,))

    game = make_game("dots-and-boxes", {"rows": 1, "cols": 1})
    found = verdict(make_report(game, (), [0, 1, 2, 3], Guess()), 0, "completed", 1)
    assert found.move is None
    assert [str(each) for each in found.phrases] == ["No certain mistake of yours was found."]
