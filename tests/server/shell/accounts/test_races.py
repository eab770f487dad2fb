"""Requests about one account that cross each other."""

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from doublecross.server.core.people.accounts import Token
from doublecross.server.core.storage import Batch
from doublecross.server.shell.accounts.passwords import Passwords
from doublecross.server.shell.accounts.tokens import MOST_BOTS
from doublecross.server.shell.app import DoublecrossServer
from tests.fakes.http import plain_client
from tests.server.shell.accounts.people import (
    CHEAP,
    GOOD,
    OTHER,
    Visitor,
    guest,
    member,
    open_server,
)

THIRD = "grey horse two bridges"
RIGHT = {"name": "Ann", "password": GOOD}


class Paused(Passwords):
    """Passwords whose first check takes until `go_on` is set."""

    def __init__(self) -> None:
        super().__init__(CHEAP)
        self.checked = asyncio.Event()
        self.go_on = asyncio.Event()

    async def check(self, known: str | None, password: str) -> tuple[bool, str | None]:
        found = await super().check(known, password)
        if not self.checked.is_set():
            self.checked.set()
            await self.go_on.wait()
        return found


def pausing(server: DoublecrossServer) -> Paused:
    paused = Paused()
    server.authority.accounts.passwords.close()
    server.authority.accounts.passwords = paused
    return paused


async def post(visitor: Visitor, path: str, body: dict[str, Any]) -> httpx.Response:
    headers = {"Authorization": f"Bearer {visitor.secret}"} if visitor.secret else {}
    address = f"{visitor.server.addresses.http}/api/{path}"
    async with plain_client(headers=headers) as client:
        return await client.post(address, json=body)


async def test_a_login_during_a_change_of_the_password_needs_the_new_one(tmp_path: Path) -> None:
    async with open_server(tmp_path) as server:
        ann, paused = await member(server), pausing(server)
        late = asyncio.create_task(
            post(Visitor(server), "login", {"name": "Ann", "password": GOOD})
        )
        await paused.checked.wait()
        await ann.ask("account/password", body={"password": OTHER, "current": GOOD})
        paused.go_on.set()
        assert (await late).json()["code"] == "bad_login"
        listed = (await ann.ask("account/tokens"))["tokens"]
        assert [token["current"] for token in listed] == [True]
        await Visitor(server).ask("login", body={"name": "Ann", "password": OTHER})


async def test_a_login_that_renews_the_hash_leaves_a_new_password_alone(tmp_path: Path) -> None:
    async with open_server(tmp_path) as server:
        ann, paused = await member(server), pausing(server)
        paused._hasher = type(CHEAP)(time_cost=2, memory_cost=16, parallelism=1)
        late = asyncio.create_task(
            post(Visitor(server), "login", {"name": "Ann", "password": GOOD})
        )
        await paused.checked.wait()
        await ann.ask("account/password", body={"password": OTHER, "current": GOOD})
        paused.go_on.set()
        await late
        await Visitor(server).ask("login", body={"name": "Ann", "password": OTHER})
        await Visitor(server).refused("login", "bad_login", RIGHT)


async def test_two_logins_at_once_both_renew_an_old_hash(tmp_path: Path) -> None:
    async with open_server(tmp_path) as server:
        await member(server)
        paused = pausing(server)
        paused._hasher = type(CHEAP)(time_cost=2, memory_cost=16, parallelism=1)
        late = asyncio.create_task(post(Visitor(server), "login", RIGHT))
        await paused.checked.wait()
        await Visitor(server).ask("login", body=RIGHT)
        paused.go_on.set()
        assert (await late).status_code == 200


async def test_only_the_first_of_two_passwords_claims_a_name(tmp_path: Path) -> None:
    async with open_server(tmp_path) as server:
        ann = await guest(server)
        words = (GOOD, OTHER, THIRD)
        answers = await asyncio.gather(
            *(post(ann, "account/password", {"password": word}) for word in words)
        )
        statuses = [answer.status_code for answer in answers]
        assert sorted(statuses) == [200, 401, 401]
        right = words[statuses.index(200)]
        await Visitor(server).ask("login", body={"name": "Ann", "password": right})


async def test_nobody_gets_more_bots_by_asking_at_once(tmp_path: Path) -> None:
    async with open_server(tmp_path) as server:
        ann = await member(server)
        names = [f"Robot {chr(ord('a') + number)}" for number in range(MOST_BOTS + 5)]
        answers = await asyncio.gather(
            *(post(ann, "account/bots/new", {"name": name}) for name in names)
        )
        statuses = [answer.status_code for answer in answers]
        assert (statuses.count(200), statuses.count(409)) == (MOST_BOTS, 5)


async def test_a_bot_that_two_people_adopt_belongs_to_one(tmp_path: Path) -> None:
    async with open_server(tmp_path) as server:
        people = [await member(server, name) for name in ("Ann", "Bob")]
        robot = await guest(server, "Robot")
        engine = {"name": "rules", "version": "1"}
        await (await robot.connect(kind="bot", engine=engine)).close()
        answers = await asyncio.gather(
            *(post(person, "account/bots/new", {"token": robot.secret}) for person in people)
        )
        assert sorted(answer.status_code for answer in answers) == [200, 403]
        owners = [(await person.ask("account"))["bots"] for person in people]
        assert sorted(owners) == [[], ["Robot"]]


async def test_a_guest_who_comes_back_as_a_bot_while_claiming_the_name_plays_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_server(tmp_path) as server:
        ann, passwords = await guest(server), server.authority.accounts.passwords
        hashing, go_on = asyncio.Event(), asyncio.Event()
        hash_now = passwords.hash

        async def hash_later(password: str) -> str:
            hashing.set()
            await go_on.wait()
            return await hash_now(password)

        monkeypatch.setattr(passwords, "hash", hash_later)
        late = asyncio.create_task(post(ann, "account/password", {"password": GOOD}))
        await hashing.wait()
        client = await ann.connect(kind="bot", engine={"name": "rules", "version": "1"})
        go_on.set()
        assert (await late).status_code == 200
        settings = {"game": "dots-and-boxes", "params": {"rows": 2, "cols": 2}}
        seek = {"type": "seek", "key": "k", "settings": settings}
        assert await client.refused(seek) == "missing_scope"


class Hold:
    """A hello that waits, until `go_on` is set, between the look at its token and its welcome."""

    def __init__(self, server: DoublecrossServer, monkeypatch: pytest.MonkeyPatch) -> None:
        self.waiting, self.go_on = asyncio.Event(), asyncio.Event()
        monkeypatch.setattr("doublecross.server.shell.handlers.hello.pause", self._pause)
        monkeypatch.setattr(server.authority.used_rates, "wait_s", lambda *_: 1.0)

    async def _pause(self, _: float) -> None:
        self.waiting.set()
        await self.go_on.wait()


async def test_a_guest_who_claims_the_name_while_connecting_gets_the_new_rights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_server(tmp_path) as server:
        ann = await guest(server)
        hold = Hold(server, monkeypatch)
        late = asyncio.create_task(ann.connect())
        await hold.waiting.wait()
        await ann.ask("account/password", body={"password": GOOD})
        hold.go_on.set()
        client = await late
        assert server.authority.peers.of("Ann")[-1].rights.is_session
        await ann.ask("account/tokens/revoke", body={})
        assert await client.closed_with() == 4005


async def test_a_guest_who_becomes_a_bot_while_connecting_does_not_come_in_as_a_person(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_server(tmp_path) as server:
        ann, robot = await member(server), await guest(server, "Robot")
        login, _ = await server.authority.accounts.identify(robot.secret)
        hold = Hold(server, monkeypatch)
        late = asyncio.create_task(robot.hello_refused())
        await hold.waiting.wait()
        await server.authority.store.commit(
            Batch(None, players=[replace(login.player, kind="bot", engine="rules")])
        )
        await ann.ask("account/bots/new", body={"token": robot.secret})
        hold.go_on.set()
        assert await late == "wrong_kind"


async def test_an_admin_who_ceases_to_be_one_while_connecting_has_no_rights_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_server(tmp_path) as server:
        ann, bob = await member(server), await member(server, "Bob")
        for visitor in (ann, bob):
            account_id = (await visitor.ask("account"))["account_id"]
            await server.authority.store.accounts.set_admin(account_id, True)
        hold = Hold(server, monkeypatch)
        late = asyncio.create_task(ann.connect())
        await hold.waiting.wait()
        await bob.ask("admin/grant", body={"player": "Ann", "admin": False})
        hold.go_on.set()
        connected = await late
        rights = server.authority.peers.of("Ann")[-1].rights
        assert (rights.is_session, rights.is_admin) == (True, False)
        await connected.close()


@pytest.mark.parametrize(
    ("action", "body"),
    [
        ("end-tokens", {"player": "Ann"}),
        ("delete-player", {"player": "Ann", "confirm": "Ann"}),
    ],
)
async def test_a_token_that_is_being_made_does_not_outlive_the_end_of_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, action: str, body: dict[str, str]
) -> None:
    async with open_server(tmp_path, host_token="of-the-host") as server:
        ann, host = await member(server), Visitor(server, "of-the-host")
        store, turns = server.authority.store.accounts, server.authority.accounts.turns
        adding, go_on = asyncio.Event(), asyncio.Event()
        add_token, of = store.add_token, turns.of
        waiting: list[str] = []

        async def add_later(token: Token) -> None:
            adding.set()
            await go_on.wait()
            await add_token(token)

        def of_others(account_id: str) -> AbstractAsyncContextManager[None]:
            waiting.append(account_id)
            if len(waiting) == 2:  # the host waits for the one that makes a token
                go_on.set()
            return of(account_id)

        monkeypatch.setattr(store, "add_token", add_later)
        monkeypatch.setattr(turns, "of", of_others)
        asked = {"label": "x", "scopes": ["play"]}
        late = asyncio.create_task(post(ann, "account/tokens/new", asked))
        await adding.wait()
        await host.ask(f"admin/{action}", body=body)
        go_on.set()
        made = Visitor(server, (await late).json()["secret"])
        await made.refused("account", "bad_token")
        await ann.refused("account", "bad_token")
