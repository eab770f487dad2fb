"""Check engines that follow the protocol, and some that do not."""

from __future__ import annotations

from random import Random

import pytest

from doublecross.bots.programs import check
from doublecross.bots.programs.engine import read_command
from tests.bots.programs.running import engine


def findings_of(*wrong: str) -> list[check.Finding]:
    checking = check.EngineCheck(read_command(f"ugi:{engine(*wrong)}"), Random(1), lambda *_: None)
    checking.run()
    return checking.findings


@pytest.fixture(autouse=True)
def _short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "_QUERY_S", 0.3)


def test_an_engine_that_answers_no_questions_follows_the_protocol() -> None:
    assert [finding.note for finding in findings_of()] == [True]


@pytest.mark.parametrize(
    ("wrong", "sentence", "wanted"),
    [
        ("silent", "ugiok did not come within 0.3 s.", "ugiok"),
        ("crash", "The program ended with exit code 3. Its last words: it went wrong", ""),
        ("broken option", "This option cannot be read: 'option Hash 16'.", "option name Hash"),
        ("illegal", "is not legal after 'position", "bestmove "),
    ],
)
def test_what_is_wrong_is_listed(
    wrong: str, sentence: str, wanted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if wrong == "silent":
        monkeypatch.setattr(check, "READY_S", 0.3)
    assert any(
        sentence in finding.sentence and finding.wanted.startswith(wanted)
        for finding in findings_of(wrong)
        if not finding.note
    )
