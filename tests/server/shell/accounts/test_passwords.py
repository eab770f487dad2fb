"""Passwords: guests become accounts, log in elsewhere, and cannot be guessed."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from argon2 import extract_parameters
from zxcvbn import zxcvbn
from zxcvbn.frequency_lists import FREQUENCY_LISTS
from zxcvbn.matching import (
    L33T_TABLE,
    RANKED_DICTIONARIES,
    enumerate_l33t_subs,
    relevant_l33t_subtable,
)

from doublecross.server.core.errors import Refused
from doublecross.server.shell.accounts.guesses import Guesses
from doublecross.server.shell.accounts.passwords import LEAST, Passwords
from doublecross.server.shell.accounts.service import WRONG
from doublecross.server.shell.addresses.admission import Action, Admission
from doublecross.server.shell.settings import ServerSettings
from tests.protocol.wire import WireClient
from tests.server.shell.accounts.people import (
    CHEAP,
    GOOD,
    HELLO,
    OTHER,
    Visitor,
    guest,
    member,
    open_server,
)


async def test_a_guest_with_a_password_logs_in_elsewhere_with_the_same_account(
    tmp_path: Path,
) -> None:
    async with open_server(tmp_path) as server:
        ann = await guest(server)
        here = await ann.connect()
        before = await ann.ask("account")
        assert (before["claimed"], before["scopes"]) == (False, ["bot", "play", "organise"])
        after = await ann.ask("account/password", body={"password": GOOD})
        assert (after["claimed"], after["session"], after["name"]) == (True, True, "Ann")
        assert after["account_id"] == before["account_id"]
        assert (await here.ask({"type": "ping"}))["type"] == "pong"  # the connection goes on
        issued = await Visitor(server).ask("login", body={"name": "aNN", "password": GOOD})
        elsewhere = Visitor(server, issued["secret"])
        assert (await elsewhere.ask("account"))["account_id"] == before["account_id"]
        there = await elsewhere.connect()
        assert there.received[0]["player"]["name"] == "Ann"
        assert (await here.ask({"type": "ping"}))["type"] == "pong"  # and so does this one


async def test_a_claimed_name_is_closed_to_guests_even_with_the_old_key(tmp_path: Path) -> None:
    async with open_server(tmp_path) as server:
        client = await WireClient.player(server, "Ann", key="k" * 32)
        ann = Visitor(server, client.received[0]["token"])
        await ann.ask("account/password", body={"password": GOOD})
        assert await client.refused({"type": "hello", **HELLO, "name": "Ann"}) == "hello_first"
        await client.close()
        for key in ("k" * 32, "l" * 32):
            other = await WireClient.open(server, client.codec)
            assert await other.refused({**HELLO, "name": "ann", "key": key}) == "name_taken"
            await other.close()


async def test_a_wrong_name_and_a_wrong_password_get_the_same_answer(tmp_path: Path) -> None:
    async with open_server(tmp_path) as server:
        await member(server)
        await guest(server, "Bob")
        for name in ("Ann", "Bob", "Nobody"):
            asked = {"name": name, "password": OTHER}
            assert await Visitor(server).refused("login", "bad_login", asked) == WRONG


async def test_guesses_are_limited_by_name(tmp_path: Path) -> None:
    async with open_server(tmp_path) as server:
        await member(server)
        right, wrong = ({"name": "Ann", "password": word} for word in (GOOD, OTHER))
        for _ in range(10):
            await Visitor(server).refused("login", "bad_login", wrong)
        for asked in (right, wrong):
            sentence = await Visitor(server).refused("login", "rate_limited", asked)
            assert "this name" in sentence
        for name in ("Bob", "Nobody"):
            await Visitor(server).refused("login", "bad_login", {**wrong, "name": name})


def admitting() -> Admission:
    return Admission(ServerSettings().addresses, lambda: 0.0)


def test_right_passwords_cost_no_guess_and_strangers_lock_nobody_out() -> None:
    admission = admitting()
    guesses = Guesses(admission, lambda: 0.0)
    for _ in range(11):
        guesses.right(guesses.take("Ann", "192.0.2.1"), "Ann", "192.0.2.1")
    for _ in range(10):
        guesses.take("aNN", "192.0.2.2")
    for stranger in ("192.0.2.2", "192.0.2.3"):
        with pytest.raises(Refused, match="for this name; try again in 60 s"):
            guesses.take("Ann", stranger)
    for _ in range(10):
        guesses.take("Ann", "192.0.2.1")
    with pytest.raises(Refused):
        guesses.take("Ann", "192.0.2.1")
    assert admission.hits == {Action.GUESS: 3}


def test_only_so_many_addresses_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("doublecross.server.shell.accounts.guesses.MOST_KNOWN", 2)
    guesses = Guesses(admitting(), lambda: 0.0)
    for name in ("Ann", "Bob", "Ann", "Cat"):
        guesses.know(name, "192.0.2.1")
    taken = [guesses.take(name, "192.0.2.1") for name in ("Ann", "Bob", "Cat")]
    assert taken == ["ann\n192.0.2.1", "bob", "cat\n192.0.2.1"]


async def test_guesses_are_limited_by_address(tmp_path: Path) -> None:
    async with open_server(tmp_path, exempt_addresses="", passwords_per_minute=2) as server:
        for name in ("Ann", "Bob"):
            await Visitor(server).refused("login", "bad_login", {"name": name, "password": OTHER})
        asked = {"name": "Cat", "password": OTHER}
        assert "your address" in await Visitor(server).refused("login", "rate_limited", asked)


async def test_a_weak_password_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    async with open_server(tmp_path) as server:
        ann = await guest(server)
        for password, words in (
            ("short", "too short"),
            ("x" * 129, "too long"),
            ("password1234", "easy to guess"),
            ("Ann Ann Ann", "your name"),
        ):
            asked = {"password": password}
            assert words in await ann.refused("account/password", "weak_password", asked)
            assert not (await ann.ask("account"))["claimed"]


async def test_no_common_password_is_accepted() -> None:
    # zxcvbn's list has them by how often they were found in leaks.
    common = [word for word in FREQUENCY_LISTS["passwords"][:3000] if len(word) >= LEAST]
    assert len(common) > 100
    passwords = Passwords(CHEAP)
    for word in common[::5]:
        assert await passwords.problem(word, "Ann"), word
    passwords.close()


async def test_a_password_may_have_all_characters_and_counts_exactly() -> None:
    passwords = Passwords(CHEAP)
    for good in (
        "gray otter under ten bridges",
        "    correct   horse  \t battery  ",
        "пять зелёных мостов у реки",
        "🐙🦑🐠🐟🦀🐡🦐🐳 swim",
        "x7" + "plum anchor velvet " * 6,  # 116 characters
    ):
        assert not await passwords.problem(good, "Ann")
        known = await passwords.hash(good)
        assert await passwords.check(known, good) == (True, None)
        for other in (good.swapcase(), good[:-1], f"{good} ", good.strip(), f" {good}"):
            if other != good:
                assert await passwords.check(known, other) == (False, None)
    passwords.close()


async def test_a_new_password_needs_the_old_one_and_ends_other_sessions(tmp_path: Path) -> None:
    async with open_server(tmp_path) as server:
        ann = await member(server)
        issued = await Visitor(server).ask("login", body={"name": "Ann", "password": GOOD})
        other = Visitor(server, issued["secret"])
        connected = await other.connect()
        asked = {"password": OTHER, "current": "not this one"}
        await ann.refused("account/password", "bad_login", asked)
        await ann.refused("account/password", "bad_login", {"password": OTHER})
        await ann.ask("account/password", body={"password": OTHER, "current": GOOD})
        assert await connected.closed_with() == 4005
        await other.refused("account", "bad_token")
        await Visitor(server).refused("login", "bad_login", {"name": "Ann", "password": GOOD})
        await Visitor(server).ask("login", body={"name": "Ann", "password": OTHER})
        await ann.ask("account")


async def test_an_old_hash_is_replaced_at_the_next_login(tmp_path: Path) -> None:
    async with open_server(tmp_path) as server:
        await member(server)
        store = server.authority.store.accounts
        before = await store.account_named("Ann")
        server.authority.accounts.passwords = Passwords(
            type(CHEAP)(time_cost=2, memory_cost=16, parallelism=1)
        )
        await Visitor(server).ask("login", body={"name": "Ann", "password": GOOD})
        after = await store.account_named("Ann")
        assert before is not None
        assert after is not None
        assert before.account.password_hash != after.account.password_hash
        await Visitor(server).ask("login", body={"name": "Ann", "password": GOOD})


async def test_nobodys_password_is_hashed_once_like_everybodys() -> None:
    passwords = Passwords(CHEAP)
    known = await passwords.hash(GOOD)
    checked: list[str] = []

    class Counting:
        def verify(self, known: str, password: str) -> bool:
            checked.append(known)
            return CHEAP.verify(known, password)

        def hash(self, password: str) -> str:
            raise AssertionError("only a check is due")

    passwords._hasher = Counting()  # type: ignore[assignment]
    for name in (None, None, known):
        assert await passwords.check(name, OTHER) == (False, None)
    assert len(checked) == 3
    parts = [extract_parameters(each) for each in checked]
    assert parts[0] == parts[1] == parts[2]
    passwords.close()


async def test_the_name_of_one_person_does_not_judge_the_password_of_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun, at_once = 0, 0

    def judge(password: str, *, user_inputs: list[str]) -> object:
        nonlocal begun, at_once
        begun += 1
        at_once = max(at_once, begun)
        RANKED_DICTIONARIES.pop("user_inputs", None)  # as at the first call
        found = zxcvbn(password, user_inputs=user_inputs)
        begun -= 1
        return found

    monkeypatch.setattr("zxcvbn.zxcvbn", judge)
    passwords = Passwords(CHEAP)
    names = [f"Wolfeschlegel {number}" for number in range(12)]
    problems = await asyncio.gather(*(passwords.problem(f"{name[::-1]}x", name) for name in names))
    assert all(problems)
    assert at_once == 1
    passwords.close()


async def test_no_password_takes_long_to_be_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    # zxcvbn tries all ways to read digits and signs as letters: 5 s for 48 of many kinds.
    judged: list[str] = []

    def judge(password: str, **more: Any) -> object:
        judged.append(password)
        return zxcvbn(password, **more)

    monkeypatch.setattr("zxcvbn.zxcvbn", judge)
    passwords = Passwords(CHEAP)
    assert not await passwords.problem("4@8({[<369!|1/0$57+%2" * 6, "Ann")
    assert "easy to guess" in await passwords.problem("p4$$w0rd!", "Ann")
    assert "easy to guess" in await passwords.problem("1q2w3e4r5t6y!", "Ann")
    for seen in judged:
        readings = enumerate_l33t_subs(relevant_l33t_subtable(seen, L33T_TABLE))
        assert len(seen) <= 16 or (len(seen) <= 32 and len(readings) <= 16)
    passwords.close()


async def test_only_so_many_passwords_wait() -> None:
    passwords = Passwords(CHEAP, most=1)
    passwords.waiting = 1
    with pytest.raises(Refused, match="Too many people"):
        await passwords.hash(GOOD)
    assert passwords.hits == 1
    passwords.waiting = 0
    assert await passwords.check(await passwords.hash(GOOD), GOOD) == (True, None)
    assert await passwords.check("no hash", GOOD) == (False, None)
    passwords.close()


async def test_a_bad_body_gets_one_sentence_without_what_was_sent(tmp_path: Path) -> None:
    bodies: tuple[tuple[Any, str], ...] = (
        ({"name": "Ann"}, "password is missing"),
        ({"name": "Ann", "password": GOOD, "admin": True}, "no field 'admin'"),
        ({"name": "Ann", "password": 7}, "password is wrong"),
        ({"name": "A\n", "password": GOOD}, "name has characters that are not allowed"),
        ({"name": "Ann  Lee", "password": GOOD}, "name is wrong: the name has characters that"),
        ([], "JSON object"),
    )
    async with open_server(tmp_path) as server:
        for body, words in bodies:
            answer = await Visitor(server).ask("login", 400, body)
            assert words in answer["error"]
            assert GOOD not in answer["error"]
