"""New names: look-alikes, invisible characters and mixed scripts."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doublecross.protocol.codec import JsonCodec
from doublecross.server.shell.identity.names import (
    LOOK_VERSION,
    is_reserved,
    look_of,
    problem_with,
)
from tests.protocol.wire import Message, WireClient, serving

HELLO: Message = {"type": "hello", "protocol": 2, "kind": "human"}


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Boss", "bOSS"),
        ("Boss", "B0SS"),
        ("BOSS", "ВОЅЅ"),  # Cyrillic
        ("Bill", "BiIl"),
        ("Barn", "Bam"),
        ("pace", "расе"),  # Cyrillic
        ("bot 1", "bot l"),
    ],
)
def test_names_that_look_alike_have_equal_looks(name: str, other: str) -> None:
    assert look_of(name) == look_of(other)


def test_numbered_names_and_letters_have_different_looks() -> None:
    names = [f"bot {n}" for n in range(500)] + [f"{c}{d}" for c in "abdefghjk" for d in "pqrstuvwx"]
    assert len({look_of(name) for name in names}) == len(names)


@given(st.text(min_size=1, max_size=32))
def test_a_look_is_its_own_look_and_has_a_version(name: str) -> None:
    look = look_of(name)
    assert look.startswith(f"{LOOK_VERSION} ")
    text = look.removeprefix(f"{LOOK_VERSION} ")
    assert look_of(text.casefold()) == look_of(text)


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("Bo\u034fss", "invisible"),
        ("Boss\ufe0f", "invisible"),
        ("Bo\u1160ss", "invisible"),
        ("Bo\u115fss", "invisible"),  # Hangul filler of a leading consonant
        ("Bo\u17b4ss", "invisible"),  # inherent vowel of Khmer
        ("Bo\u180bss", "invisible"),  # Mongolian variation selector
        ("Bo\u180fss", "invisible"),
        ("Boss\ufe00", "invisible"),
        ("Boss\U000e01ef", "invisible"),
        ("Boss\U000e0100", "invisible"),
        ("B\u043ess", "scripts"),
        ("\u0410nn", "scripts"),
        ("Ελ\u0430", "scripts"),
        ("ﬁne", "look like others"),
        ("x\u0323\u0323", "marks"),
    ],
)
def test_a_name_that_could_deceive_is_refused(name: str, what: str) -> None:
    assert what in problem_with(name)


@pytest.mark.parametrize(
    "name",
    ["Zoë", "Мария", "Ελένη", "太郎さん", "太郎 Taro", "김Kim", "नमस्ते", "O'Neil-Smith+2", "ann_1"],
)
def test_ordinary_names_of_all_scripts_are_accepted(name: str) -> None:
    assert problem_with(name) == ""


async def test_a_stranger_gets_no_name_that_looks_like_a_taken_one(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann = await WireClient.player(server, "Bill", key="k" * 32)
        eve = await WireClient.open(server, JsonCodec())
        answer = await eve.ask({**HELLO, "name": "BiIl"})
        assert (answer["code"], "looks like Bill" in answer["message"]) == ("name_taken", True)
        assert await eve.refused({**HELLO, "name": "Bi\u034fll"}) == "bad_message"
        assert (await eve.ask({**HELLO, "name": "Billy"}))["type"] == "welcome"
        await ann.close()
        await WireClient.player(server, "Bill", key="k" * 32)


async def test_names_of_an_earlier_version_stay_valid_and_get_their_looks(tmp_path: Path) -> None:
    token = ""
    async with serving(tmp_path) as server:
        ann = await WireClient.player(server, "Bill")
        token = ann.received[0]["token"]
    with closing(sqlite3.connect(tmp_path / "games.db")) as database:
        database.execute(
            "update players set look = null, name = 'Bi\u034fll', name_key = 'bi\u034fll'"
        )
        database.commit()
    async with serving(tmp_path) as server:
        back = await WireClient.player(server, "whoever", token=token)
        assert back.received[0]["player"]["name"] == "Bi\u034fll"
    with closing(sqlite3.connect(tmp_path / "games.db")) as database:
        ((look,),) = database.execute("select look from players")
    assert look == look_of("Bi\u034fll")


@pytest.mark.parametrize(
    "name", ["admin", "ADMIN", "аdmin", "Adm1n", "H0st", "Double-Cross", "s e r v e r"]
)
def test_names_of_the_host_are_reserved(name: str) -> None:
    assert is_reserved(name)
    assert not is_reserved(f"{name} Smith")


async def test_a_reserved_name_is_refused_and_an_old_account_keeps_it(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann = await WireClient.player(server, "Ann")
        await ann.close()
    with closing(sqlite3.connect(tmp_path / "games.db")) as database, database:
        look = look_of("Server")
        database.execute(
            "UPDATE players SET name = 'Server', name_key = 'server', look = ?", (look,)
        )
    async with serving(tmp_path) as server:
        stranger = await WireClient.open(server, JsonCodec())
        answer = await stranger.ask({**HELLO, "name": "H0ST"})
        assert (answer["code"], "for the host" in answer["message"]) == ("name_taken", True)
        known = await stranger.ask({**HELLO, "token": ann.received[0]["token"]})
        assert known["player"]["name"] == "Server"
