"""Settings come from flags, variables and one file, and wrong ones are named with their place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from doublecross.bots.hosting.orders import split_specs
from doublecross.cli.settings.file import MOST_BYTES, WrongSettingsError, lines_of
from doublecross.cli.settings.load import OF_TESTS, OTHERS, load, own_page, unknown_variables
from doublecross.server.shell.settings import ServerSettings
from tests.cli.commands import ROOT


def _file(text: str) -> str:
    Path("serve.toml").write_text(text)
    return "serve.toml"


def _problems(text: str | None = None, **flags: object) -> list[str]:
    with pytest.raises(WrongSettingsError) as caught:
        load(flags, None if text is None else _file(text))
    assert all(s.endswith(".") and "\n" not in s for s in caught.value.args)
    return list(caught.value.args)


def test_a_flag_beats_a_variable_beats_the_file_beats_the_default(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    name = _file("port = 1\nburst = 1\nmax_rooms = 1\n\n# more\nverbose = true\n")
    monkeypatch.setenv("DOUBLECROSS_PORT", "2")
    monkeypatch.setenv("doublecross_burst", "2")
    monkeypatch.setenv("DOUBLECROSS_HTTP_PORT", "")
    monkeypatch.setenv("DOUBLECROSS_EXEMPT_ADDRESSES", "")
    monkeypatch.setenv("DOUBLECROSS_SETTINGS", "elsewhere.toml")
    loaded = load({"port": "3", "host": None, "verbose": False}, name)
    found = loaded.settings
    assert (found.port, found.burst, found.max_rooms) == (3, 2, 1)
    assert (found.verbose, found.http_port, found.exempt_addresses) == (False, None, "")
    assert (found.bot_games, found.page, found.host) == (8, own_page(), "127.0.0.1")
    shown = loaded.places
    assert (shown["port"], shown["burst"]) == ("--port", "DOUBLECROSS_BURST")
    assert (shown["max_rooms"], shown["verbose"]) == ("serve.toml line 3", "--verbose")
    assert (shown["host"], shown["http_port"]) == ("default", "default")
    assert shown["exempt_addresses"] == "DOUBLECROSS_EXEMPT_ADDRESSES"
    # The variable names the file where no flag does; an empty flag means no file.
    monkeypatch.setenv("DOUBLECROSS_SETTINGS", name)
    monkeypatch.delenv("DOUBLECROSS_PORT")
    assert load({}).settings.port == 1
    assert load({}, "").settings.port == 8765


def test_lists_can_be_lists_in_the_file() -> None:
    text = """
        trusted_proxy = ["10.0.0.0/8",
            "::1",
        ]
        exempt_addresses = []
        bots = ["rules:seed=1,sacrifice=classical", "greedy"]
    """
    found = load({}, _file(text)).settings
    assert found.trusted_proxy == "10.0.0.0/8,::1"
    assert found.exempt_addresses == ""
    assert split_specs([found.bots]) == ("rules:seed=1,sacrifice=classical", "greedy")


def test_every_wrong_value_is_told_at_once_with_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOUBLECROSS_STOP_S", "soon")
    monkeypatch.setenv("DOUBLECROSS_PAGE_RELOAD", "perhaps")
    monkeypatch.setenv("DOUBLECROSS_METRICS", "some")
    text = """# A file.
port = 70000
http_port = true
prot = 3
public_http = "games.example.org"
trusted_proxy = [
    1,
]
grace_s = inf
hello_s = 0
burst = 1.5
host = 7
database = ["postgresql://u:secret@h/x"]

[limits]
pages_per_minute = 3
"""
    assert _problems(text, analysis="65", bot_pause="-0.5", exempt_addresses=None) == [
        "serve.toml line 4: prot is no setting; the nearest one is port.",
        "serve.toml line 15: limits is a table; write settings without tables, such as"
        " port = 8765.",
        "serve.toml line 12: host must be a text, not 7.",
        "serve.toml line 2: port must be from 0 to 65535, not 70000.",
        "serve.toml line 3: http_port must be a whole number from 0 to 65535, not true.",
        "serve.toml line 5: public_http must be a web address such as https://games.example.org,"
        ' not "games.example.org".',
        "serve.toml line 6: trusted_proxy must be a text or a list of texts, not [1].",
        "serve.toml line 13: database must be a text.",
        'DOUBLECROSS_PAGE_RELOAD must be true or false, not "perhaps".',
        "serve.toml line 9: grace_s must be a number of at least 0, not Infinity.",
        "--bot-pause must be from 0 to 10, not -0.5.",
        "--analysis must be from 0 to 64, not 65.",
        "serve.toml line 10: hello_s must be above 0, not 0.",
        'DOUBLECROSS_STOP_S must be a number of at least 0, not "soon".',
        "serve.toml line 11: burst must be a whole number of at least 1, not 1.5.",
        'DOUBLECROSS_METRICS must be off, local or all, not "some".',
    ]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("DOUBLECROSS_MAX-ROOMS = 1", "DOUBLECROSS_MAX-ROOMS is no setting; the nearest one is"),
        ("zzz = 1", "zzz is no setting; doublecross serve --show-settings lists all."),
        ("[[rooms]]", "rooms is a table; write settings without tables"),
        ("trusted_proxy = 'foo'", "trusted_proxy is wrong: 'foo' is no address or network;"),
        ("node = 'first'", "node is wrong: it is for the nodes of a cluster; add --cluster"),
        ("nats = 'http://ann:secret@host'", "nats must be a URL such as nats://host:4222, or tls:"),
        ("nats = 'nats://one,'", "nats must be a URL"),
        ("cluster_name = 'a.b'", "cluster_name must be up to 64 letters, digits, hyphens and"),
        (f"burst = 1{'0' * 400}", "burst is wrong: it must be at most 1000000000000."),
        ("analysis = ''", 'analysis must be a whole number from 0 to 64, not "".'),
    ],
)
def test_keys_and_values_that_cannot_be_meant(text: str, sentence: str) -> None:
    (problem,) = _problems(text)
    assert problem.startswith(f"serve.toml line 1: {sentence}")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"\nport =", "serve.toml is not TOML: Invalid value (at end of document)."),
        (b"\nport = x\n", "serve.toml is not TOML: Invalid value (at line 2, column 8)."),
        (b"port = 1\nhost = '\xff'", "serve.toml line 2: this is no text in UTF-8."),
        (b" " * (MOST_BYTES + 1), "--settings: serve.toml is too large; name a file of settings."),
        (None, "--settings: there is no file serve.toml."),
    ],
)
def test_a_file_that_cannot_be_read(content: bytes | None, sentence: str) -> None:
    if content is not None:
        Path("serve.toml").write_bytes(content)
    with pytest.raises(WrongSettingsError) as caught:
        load({"port": "-1"}, "serve.toml")
    first, second = caught.value.args
    assert first.startswith(sentence)
    # What the other sources say is told, too.
    assert second == "--port must be from 0 to 65535, not -1."


@pytest.mark.parametrize(("name", "kind"), [("/dev/zero", "a device"), (".", "a folder")])
def test_what_is_no_ordinary_file_is_not_read(
    name: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOUBLECROSS_SETTINGS", name)
    assert _problems() == [f"DOUBLECROSS_SETTINGS: {name} is {kind}; name a file of settings."]


_VALUES = ("1", "'a # b'", '"""\nx = 1\n\n"""', "[\n  1, # [\n\n  2 ]", "{ a = 1 }", "'''\n[t]'''")


@settings(max_examples=50)
@given(
    st.lists(st.sampled_from((*_VALUES, "", "# comment")), max_size=12),
    st.sampled_from(("\n", "\r\n")),
)
def test_the_line_of_each_key_is_that_of_its_name(values: list[str], newline: str) -> None:
    text, right = "", {}
    for number, value in enumerate(values):
        if value in _VALUES:
            right[f"key_{number}"] = text.count("\n") + 1
            value = f"  key_{number} = {value}"
        text += value + "\n"
    right["table"] = text.count("\n") + 1
    text += "[table.more]\nkey_0 = 1"
    found = lines_of(text.replace("\n", newline))
    assert {key: found[key] for key in right} == right


def test_unknown_variables_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("GRACE", "ZZZ", "BOT_GAMES", "PORT", "ORGANISER", "CACHE", "NEED_NODE"):
        monkeypatch.setenv(f"DOUBLECROSS_{variable}", "5")
    assert unknown_variables() == [
        "DOUBLECROSS_GRACE is no setting of the server and has no effect."
        " Is DOUBLECROSS_GRACE_S meant?",
        "DOUBLECROSS_ZZZ is no setting of the server and has no effect.",
    ]


def test_the_variables_of_other_programs_are_known() -> None:
    sources = [
        path
        for folder in ("bots", "cli", "server", "client")
        for path in (ROOT / folder).rglob("*.py")
    ]
    sources += [ROOT / "Makefile", ROOT / ".ci" / "run", *(ROOT / "tests" / "node").glob("*.mjs")]
    used = {
        name
        for path in sources
        for name in re.findall(r"\bDOUBLECROSS_([A-Z_]*[A-Z])\b", path.read_text())
    }
    others = {name for name in used if name.lower() not in ServerSettings.model_fields}
    assert {name for name in others if not name.startswith(OF_TESTS)} == set(OTHERS)
    assert {"NEED_DISPLAY", "SHOTS"} <= others
