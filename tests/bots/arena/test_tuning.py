"""Search for better values of options, and continue a search that was stopped."""

from __future__ import annotations

from pathlib import Path

import pytest

from doublecross.bots.api import BotError
from doublecross.bots.arena.folder import OtherTerms
from doublecross.bots.arena.moves import MoveBudget
from doublecross.bots.arena.tuning import Tuned, Tuning, TuningJob, read_tuned, save_plots
from doublecross.bots.registry import bot_class, parse_spec
from doublecross.games.registry import make_game


def job_of(seed: int = 1) -> TuningJob:
    game = make_game("dots-and-boxes", {"rows": 1, "cols": 2})
    tuned = (Tuned("depth", 1, 3, whole=True),)
    spec = parse_spec("minimax")
    return TuningJob(spec, spec, tuned, game, MoveBudget(time_s=5.0), pairs=1, seed=seed)


@pytest.mark.processes
async def test_a_search_continues_where_it_was_stopped(tmp_path: Path) -> None:
    tuning = Tuning(job_of(), tmp_path)
    lost = tuning.study.ask({"depth": tuning.job.tuned[0].distribution})
    again = Tuning(job_of(), tmp_path)
    seen: list[tuple[object, float]] = []
    await again.run(2, workers=1, on_trial=lambda values, value: seen.append((values, value)))
    assert [set(values) for values, _ in seen] == [{"depth"}] * 2
    assert lost.number not in [trial.number for trial in again.finished]
    assert [trial.value for trial in Tuning(job_of(), tmp_path).finished] == sorted(
        (value for _, value in seen), reverse=True
    )
    assert [file.name for file in save_plots(again, tmp_path)] == ["history.png", "options.png"]
    with pytest.raises(OtherTerms, match="has games of another run: there the seed is 1, here 2"):
        Tuning(job_of(seed=2), tmp_path)


def test_options_to_tune_are_read() -> None:
    mcts = bot_class("mcts")
    assert read_tuned("c=0.5..3", mcts) == Tuned("c", 0.5, 3.0)
    assert read_tuned("simulations=10..200", mcts) == Tuned("simulations", 10, 200, whole=True)
    for wrong in ("c", "c=1", "c=3..1", "c=a..b", "c=1|"):
        with pytest.raises(BotError, match="is no option to tune"):
            read_tuned(wrong, mcts)
    with pytest.raises(BotError, match="has no option 'x'"):
        read_tuned("x=1..2", mcts)
