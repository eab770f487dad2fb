"""Passwords: guests become accounts, log in elsewhere, and cannot be guessed."""

from __future__ import annotations

from pathlib import Path

import pytest

from server.core.errors import Refused
from server.shell.accounts.desk import GUESSES, WRONG
from server.shell.accounts.passwords import MOST_WAITING, Passwords
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
        assert await here.closed_with() == 4001  # a player has one connection
        await there.close()


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


async def test_guesses_are_limited_by_name_and_right_ones_do_not_count(tmp_path: Path) -> None:
    async with open_server(tmp_path) as server:
        await member(server)
        right, wrong = ({"name": "Ann", "password": word} for word in (GOOD, OTHER))
        for _ in range(GUESSES.most - 1):
            await Visitor(server).refused("login", "bad_login", wrong)
            await Visitor(server).ask("login", body=right)
        await Visitor(server).refused("login", "bad_login", wrong)
        for asked in (right, wrong):
            sentence = await Visitor(server).refused("login", "rate_limited", asked)
            assert "this name" in sentence
        for name in ("Bob", "Nobody"):
            await Visitor(server).refused("login", "bad_login", {**wrong, "name": name})


async def test_guesses_are_limited_by_address(tmp_path: Path) -> None:
    async with open_server(tmp_path, exempt_addresses="", passwords_per_minute=2) as server:
        for name in ("Ann", "Bob"):
            await Visitor(server).refused("login", "bad_login", {"name": name, "password": OTHER})
        asked = {"name": "Cat", "password": OTHER}
        assert "your address" in await Visitor(server).refused("login", "rate_limited", asked)


@pytest.mark.parametrize(
    ("password", "words"),
    [
        ("short", "too short"),
        ("x" * 129, "too long"),
        ("password1234", "easy to guess"),
        ("Ann Ann Ann", "your name"),
    ],
)
async def test_a_weak_password_is_refused_and_changes_nothing(
    tmp_path: Path, password: str, words: str
) -> None:
    async with open_server(tmp_path) as server:
        ann = await guest(server)
        asked = {"password": password}
        assert words in await ann.refused("account/password", "weak_password", asked)
        assert not (await ann.ask("account"))["claimed"]


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


async def test_only_so_many_passwords_wait() -> None:
    passwords = Passwords(CHEAP)
    passwords.waiting = MOST_WAITING
    with pytest.raises(Refused, match="Too many people"):
        await passwords.hash(GOOD)
    passwords.waiting = 0
    assert await passwords.check(await passwords.hash(GOOD), GOOD) == (True, None)
    assert await passwords.check("no hash", GOOD) == (False, None)
    passwords.close()


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"name": "Ann"}, "password is missing"),
        ({"name": "Ann", "password": GOOD, "admin": True}, "no field 'admin'"),
        ({"name": "Ann", "password": 7}, "password is wrong"),
        ([], "JSON object"),
    ],
)
async def test_a_bad_body_gets_one_sentence_without_what_was_sent(
    tmp_path: Path, body: object, words: str
) -> None:
    async with open_server(tmp_path) as server:
        answer = await Visitor(server).ask("login", 400, body)  # type: ignore[arg-type]
        assert words in answer["error"]
        assert GOOD not in answer["error"]
