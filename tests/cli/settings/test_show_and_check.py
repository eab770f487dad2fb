"""`serve --show-settings` prints a file with the same settings; `serve --check` starts nothing."""

from __future__ import annotations

import re
import sqlite3
import tomllib
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from doublecross.cli.main import main
from doublecross.cli.settings.load import Loaded, load
from doublecross.cli.settings.show import toml_of
from doublecross.server.shell.settings import MOST, ServerSettings


def _shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["serve", "--show-settings", *arguments]) == 0
    shown = capsys.readouterr()
    assert shown.err == ""
    return shown.out


def test_what_is_shown_is_a_file_with_the_same_settings(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("own settings.toml").write_text('bots = ["rules:seed=1", "greedy"]\ngrace_s = 0.25\n')
    monkeypatch.setenv("DOUBLECROSS_HTTP_PORT", "0")
    flags = ("--no-advice", "--trusted-proxy", "::1, 10.0.0.0/8", "--bots", 'mine:B,text="\\')
    shown = _shown(capsys, "--settings", "own settings.toml", *flags)
    lines = shown.splitlines()
    sources = {line.split()[0]: line.rpartition("# ")[2] for line in lines if " = " in line}
    assert sources["grace_s"] == "own settings.toml line 2"
    assert (sources["http_port"], sources["port"]) == ("DOUBLECROSS_HTTP_PORT", "default")
    assert (sources["bots"], sources["no_advice"]) == ("--bots", "--no-advice")
    assert re.search(r"^# analysis is not set +# default$", shown, re.MULTILINE)
    names = set(re.findall(r"^(?:# )?(\w+) (?:=|is not set)", shown, re.MULTILINE))
    assert names == set(ServerSettings.model_fields)

    before = load(
        {"no_advice": True, "trusted_proxy": flags[2], "bots": flags[4]}, "own settings.toml"
    )
    monkeypatch.delenv("DOUBLECROSS_HTTP_PORT")
    Path("shown.toml").write_text(shown)
    assert load({}, "shown.toml").settings.model_dump() == before.settings.model_dump()


@settings(max_examples=30)
@given(
    st.text(st.characters(exclude_categories=["Cs"])),
    st.floats(0, MOST),
    st.integers(1, MOST),
)
def test_any_value_survives(text: str, number: float, whole: int) -> None:
    chosen = ServerSettings(host=text, stop_s=number, burst=whole)
    shown = toml_of(Loaded(chosen, dict.fromkeys(ServerSettings.model_fields, "default"), None))
    read = tomllib.loads(shown)
    assert (read["host"], read["stop_s"], read["burst"]) == (text, number, whole)


@pytest.mark.parametrize(
    ("name", "value", "shown_value"),
    [
        ("database", "postgresql://ann:secret@host/games", "postgresql://ann:***@host/games"),
        ("database", "postgresql://ann:se/cr@et@h:x", "postgresql://ann:***@h:x"),
        (
            "database",
            "postgresql://ann@host/games?sslpassword=secret&x=y",
            "postgresql://ann@host/games?sslpassword=***&x=y",
        ),
        (
            "nats",
            "nats://secret@one:4222,nats://two, tls://ann:secret@three",
            "nats://***@one:4222,nats://two, tls://***@three",
        ),
    ],
)
def test_passwords_are_hidden(
    name: str,
    value: str,
    shown_value: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("DOUBLECROSS_CLUSTER", "true")
    shown = _shown(capsys, f"--{name}", value)
    (line,) = re.findall(rf"^{name} = .*", shown, re.MULTILINE)
    assert re.split(" +# ", line) == [
        f'{name} = "{shown_value}"',
        f"--{name}; the password is hidden",
    ]
    Path("shown.toml").write_text(shown)
    assert main(["serve", "--check", "--settings", "shown.toml"]) == 2
    assert f"{name} is wrong: *** stands for a password that was hidden" in capsys.readouterr().err


def test_a_check_of_right_settings_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # To pack the page would take seconds.
    monkeypatch.setenv("DOUBLECROSS_PAGE_RELOAD", "true")
    assert main(["serve", "--check"]) == 0
    assert capsys.readouterr().out == "The settings are right.\n"
    Path("serve.toml").write_text('database = "deep/in/games.db"\nhost = "0.0.0.0"\n')
    assert main(["serve", "--check", "--settings", "serve.toml"]) == 0
    assert capsys.readouterr().out == "serve.toml is right.\n"
    assert [path.name for path in tmp_path.iterdir()] == ["serve.toml"]


def test_a_check_tells_all_that_cannot_be_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(sqlite3.connect("other.db")) as other:
        other.execute("create table x (y)")
    Path("empty").mkdir()
    Path("serve.toml").write_text('bots = ["nobody"]\npage = "empty"\n')
    monkeypatch.setenv("DOUBLECROSS_DATABASE", "other.db")
    monkeypatch.setattr("doublecross.cli.serve.reviews.NETWORKS", ("no_such_package",))
    flags = ("--host", "203.0.113.7", "--analysis", "1")
    assert main(["serve", "--check", "--settings", "serve.toml", *flags]) == 2
    host, page, database, bots, analysis = capsys.readouterr().err.splitlines()
    assert host.startswith("Error: --host: This machine cannot listen on '203.0.113.7';")
    assert page.startswith("Error: serve.toml line 2: The folder of the browser page has no")
    assert database == (
        "Error: DOUBLECROSS_DATABASE: The database contains the tables of another program."
    )
    assert bots.startswith("Error: serve.toml line 1: There is no bot 'nobody'")
    assert analysis.startswith("Error: --analysis: Reviews need packages")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty", "other.db", "serve.toml"]


def test_a_check_stands_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--check", "--json"]) == 2
    assert "--show-settings and --check" in capsys.readouterr().err
