"""E-mail addresses are confirmed, and lost passwords are reset by links that count once."""

from __future__ import annotations

import asyncio
from pathlib import Path

from doublecross.protocol.version import CloseCode
from tests.fakes.smtp import post_office
from tests.server.shell.accounts.people import GOOD, OTHER, Visitor, guest, member
from tests.server.shell.accounts.test_second_factor import Clock
from tests.server.shell.accounts.test_secrets import everything
from tests.server.shell.admin.hosting import hosted

ADDRESS = "ann@example.org"


async def test_a_forgotten_password_is_reset_by_mail(tmp_path: Path) -> None:
    async with post_office() as post, hosted(tmp_path, **post.settings) as (server, host):
        ann, visitor = await member(server), Visitor(server)
        await guest(server, "Bob")
        assert (await visitor.ask("login/ways"))["mail"]
        email = {"email": "Ann@Example.org", "current": GOOD}
        await ann.refused("account/email", "bad_login", {**email, "current": OTHER})
        assert await ann.ask("account/email", 400, {**email, "email": "a@b"})
        logins = await ann.ask("account/email", body=email)
        assert (logins["email"], logins["unconfirmed"]) == (None, ADDRESS)
        first = await post.link(ADDRESS, "confirm")

        # Nobody can use an address before it is confirmed.
        await visitor.ask("login/forgotten", body={"who": "Ann"})
        await visitor.refused("login/reset", "bad_parameter", {"link": first, "password": OTHER})
        await visitor.ask("login/confirm", body={"link": first})
        await visitor.refused("login/confirm", "bad_parameter", {"link": first})
        assert (await ann.ask("account/logins"))["email"] == ADDRESS
        (found,) = (await host.ask("admin/accounts?search=ann"))["accounts"]
        assert found["email"] == ADDRESS
        assert "email" not in await ann.ask("account")

        # The answer is the same for a name, an address, and what nobody has.
        for who in ("Bob", "Nobody", "nobody@example.org", "ann", "ANN@example.org"):
            assert await visitor.ask("login/forgotten", body={"who": who}) == {"done": True}
        links = [await post.link(ADDRESS, "reset") for _ in range(2)]
        await asyncio.gather(*server.authority.mailer.waiting)
        assert post.nothing()
        stored = everything(tmp_path)
        assert not any(link.encode() in stored for link in links)
        client = await ann.connect()
        new = {"link": links[0], "password": "aaaaaaaa"}
        await visitor.refused("login/reset", "weak_password", new)
        new["password"] = OTHER
        assert await visitor.ask("login/reset", body=new) == {"name": "Ann"}
        assert await client.closed_with() == CloseCode.REVOKED
        for link in links:  # the other one has ended too
            await visitor.refused("login/reset", "bad_parameter", {**new, "link": link})
        await visitor.refused("login", "bad_login", {"name": "Ann", "password": GOOD})
        issued = await visitor.ask("login", body={"name": "Ann", "password": OTHER})

        # One mailbox gets only so many mails, whoever asks; the address leaves with the account.
        for _ in range(10):
            await visitor.ask("login/forgotten", body={"who": "Ann"})
        await asyncio.gather(*server.authority.mailer.waiting)
        count = 0
        while not post.nothing():
            count += bool(await post.mail())
        assert count == 10 - 3
        data = await host.ask("admin/player-data?player=Ann")
        kinds = {(each["kind"], each["label"]) for each in data["credentials"]}
        assert kinds == {("email", ADDRESS), ("reset", "")}
        assert "credential_id" not in str(data)
        await host.ask("admin/delete-player", body={"player": "Ann", "confirm": "Ann"})
        account_id = issued["token"]["token_id"] and data["account"]["account_id"]
        assert not await server.authority.store.accounts.credentials([account_id])


async def test_a_host_makes_a_link_that_counts_once_for_a_day(tmp_path: Path) -> None:
    clock = Clock()
    async with hosted(tmp_path, now=clock) as (server, host):
        ann, visitor = await member(server), Visitor(server)
        await visitor.refused("login/forgotten", "wrong_state", {"who": "Ann"})
        made = [(await host.ask("admin/password", body={"player": "Ann"}))["link"]]
        await ann.refused("account", "bad_token")
        await visitor.refused("login", "bad_login", {"name": "Ann", "password": GOOD})
        made.append((await host.ask("admin/password", body={"player": "Ann"}))["link"])
        paths, links = zip(*(link.split("#reset=") for link in made), strict=True)
        assert set(paths) == {"/account"}
        new = {"link": links[1], "password": OTHER}
        await visitor.refused("login/reset", "bad_parameter", {**new, "link": links[0]})
        clock.ms += 86_400_000
        await visitor.refused("login/reset", "bad_parameter", new)
        clock.ms -= 1
        await visitor.ask("login/reset", body=new)
        issued = await visitor.ask("login", body={"name": "Ann", "password": OTHER})
        again = Visitor(server, issued["secret"])

        # All logins can be ended at once, and those of programs go on.
        api = {"label": "x", "scopes": ["play"]}
        program = Visitor(server, (await again.ask("account/tokens/new", body=api))["secret"])
        await program.refused("account/sign-out", "missing_scope", {})
        await again.ask("account/sign-out", body={})
        await again.refused("account", "bad_token")
        await program.ask("account")
