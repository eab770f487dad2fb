"""Check that the page says what Python says about games that were lost, in every game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from doublecross.analysis.as_json import report_to_json
from doublecross.analysis.verdict import price, verdict
from tests.analysis.endings import KEYS, Played, best_play, blunder
from tests.client.web.harness.node import run


def sample(game: Played, termination: str) -> dict[str, Any]:
    report, winner = game.report, 1 - game.seat
    found = verdict(report, game.seat, termination, winner)
    return {
        "name": f"{report.game.key}, {termination}",
        "unit": report.game.unit,
        "seat": game.seat,
        "report": report_to_json(report, termination, winner),
        "text": " ".join(map(str, found.phrases)),
        "costliest": None if found.move is None else found.move.ply,
        "price": None if found.move is None else str(price(report.game, found.move)),
    }


@pytest.mark.processes
def test_the_page_says_what_the_report_teaches(tmp_path: Path) -> None:
    samples = [sample(blunder(key), "completed") for key in KEYS]
    samples += [sample(best_play(key, 2), "resigned") for key in KEYS]
    samples += [sample(best_play(key, 1), "timeout") for key in KEYS]
    file = tmp_path / "verdicts.json"
    file.write_text(json.dumps(samples))
    run(Path(__file__).with_name("verdicts.mjs"), VERDICTS=str(file))
