"""The tables of the model, the file of costs, and the document that has them."""

from __future__ import annotations

from math import inf
from pathlib import Path

import pytest

from benchmarks.scaling import __main__ as program
from benchmarks.scaling import fit, model, report
from benchmarks.scaling.costs import read, values
from benchmarks.scaling.load import Load


def test_the_document_has_what_the_program_says() -> None:
    text = program.DOCUMENT.read_text()
    assert report.filled(text, read()) == text, "Run python -m benchmarks.scaling --write."
    asked = {name for name in report.BLOCKS if f"<!-- model: {name} -->" in text}
    assert asked == report.BLOCKS.keys()
    # Empty blocks, and what stands between two of them.
    two = "<!-- model: storms -->\n<!-- end -->\n\nbetween\n\n<!-- model: parts -->\n<!-- end -->\n"
    once = report.filled(two, read())
    assert once.count("\n\nbetween\n\n") == 1
    assert report.filled(once, read()) == once
    with pytest.raises(KeyError):
        report.filled("<!-- model: nothing -->\n<!-- end -->", read())


def test_the_words_of_the_document_agree_with_its_tables() -> None:
    plain = values(read())
    at = {
        each.name: model.full_at(report.LARGE, plain, each.name)
        for each in (model.limits(report.LARGE, plain))
    }
    order = sorted(at, key=lambda name: at[name])
    assert order[0] == "processor of the leader"
    assert set(order[1:3]) == {"processors of NATS", "commits of a node, one after the other"}
    assert at[order[1]] > 1_000_000
    assert round(at["processor of the leader"], -4) == 1_010_000
    leader = model.leader(report.LARGE, plain)
    assert max(leader, key=lambda name: leader[name]) == "reports of rooms"
    assert leader["updates of the lobby"] < 0.01 * sum(leader.values())
    kept = fit.read()
    expected = fit.expected(kept, plain)
    assert round(kept.used["leader"] / expected["leader"], 1) == 2.6
    assert round(kept.used["node"] / expected["node"]) == 2


def test_the_model_uses_every_cost_and_has_every_cost_that_it_uses() -> None:
    used: set[str] = set()

    class Noting(dict[str, float]):
        def __getitem__(self, name: str) -> float:
            used.add(name)
            return super().__getitem__(name)

    noting = Noting(values(read()))
    model.limits(Load(), noting)
    model.storms(Load(), noting)
    assert used == set(read())


def test_costs_are_checked(tmp_path: Path) -> None:
    file = tmp_path / "costs.toml"
    file.write_text('[a_us]\nvalue = -1\nwhat = "w"\nsource = "s"\n')
    with pytest.raises(ValueError, match="a_us is negative"):
        read(file)
    file.write_text('[a_us]\nvalue = 1\nwhat = "w"\n')
    with pytest.raises(TypeError, match="source"):
        read(file)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.0123, "0.012"),
        (3, "3"),
        (12.34, "12.3"),
        (123.4, "123"),
        (9_999.6, "10,000"),
        (12_345, "12,300"),
        (1_234_567, "1,230,000"),
        (inf, "never"),
    ],
)
def test_numbers(value: float, shown: str) -> None:
    assert report.number(value) == shown


def test_shares_and_times() -> None:
    assert [report.percent(share) for share in (0.0005, 0.5, 2.5)] == [
        "below 0.1%",
        "50%",
        "250%",
    ]
    assert [report.seconds(value) for value in (3, 150, 7200)] == ["3 s", "2.5 min", "2 h"]


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert program.main(["--processes", "2", "--connections", "1000", "--playing", "1"]) == 2
    assert "together" in capsys.readouterr().err
    assert program.main(["--processes", "2", "--connections", "1000"]) == 0
    shown = capsys.readouterr().out
    assert "| rooms in play | 300 |" in shown
    assert "| measured / model |" in shown
