"""Passkeys log in without a name; a challenge counts once, and for its own site only."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.fakes.authenticator import Authenticator
from tests.fakes.http import plain_client
from tests.server.shell.accounts.people import GOOD, OTHER, Visitor, member, open_server

SITE = "https://games.example.org"


class BrowserVisitor(Visitor):
    """A visitor whose requests come from the page at `origin`."""

    origin = SITE

    async def _send(self, path: str, body: dict[str, Any] | None) -> Any:
        headers = {"Origin": self.origin}
        if self.secret:
            headers["Authorization"] = f"Bearer {self.secret}"
        async with plain_client(f"{self.server.addresses.http}/api/", headers=headers) as client:
            return await (client.get(path) if body is None else client.post(path, json=body))


async def test_a_passkey_logs_in_without_a_name(tmp_path: Path) -> None:
    async with open_server(tmp_path, public_http=SITE, allowed_origins="https://a.org") as server:
        ann = BrowserVisitor(server, (await member(server)).secret)
        visitor, device = BrowserVisitor(server), Authenticator(SITE)
        current = {"current": GOOD}
        await ann.refused("account/passkeys/options", "bad_login", {"current": OTHER})
        await Visitor(server, ann.secret).refused(
            "account/passkeys/options", "bad_parameter", current
        )

        async def make(device: Authenticator) -> dict[str, Any]:
            options = await ann.ask("account/passkeys/options", body=current)
            assert options["options"]["rp"]["id"] == "games.example.org"
            return {"credential": device.make(options["options"]), "label": "phone"}

        async def sign(device: Authenticator) -> dict[str, Any]:
            options = await visitor.ask("login/passkey/options", body={})
            return {"credential": device.sign(options["options"])}

        made = await make(device)
        bea = BrowserVisitor(server, (await member(server, "Bea")).secret)
        await bea.refused("account/passkeys/new", "bad_login", made)  # the challenge was for Ann
        made = await make(device)
        logins = await ann.ask("account/passkeys/new", body=made)
        assert [each["label"] for each in logins["passkeys"]] == ["phone"]
        for again in (made, await make(device)):  # used up; a passkey that is there already
            await ann.refused("account/passkeys/new", "bad_login", again)

        signed = await sign(device)
        issued = await visitor.ask("login/passkey", body=signed)
        assert issued["token"]["player"] == "Ann"
        assert (await Visitor(server, issued["secret"]).ask("account"))["session"]
        await visitor.refused("login/passkey", "bad_login", signed)  # used up

        # What does not fit: another site, nobody who was looked at, a copy, an unknown passkey.
        device.origin = "https://games.example.org.evil.example"
        await visitor.refused("login/passkey", "bad_login", await sign(device))
        device.origin, device.flags = SITE, 0x01
        await visitor.refused("login/passkey", "bad_login", await sign(device))
        device.flags, device.count = 0x05, 0
        await visitor.refused("login/passkey", "bad_login", await sign(device))
        await visitor.refused("login/passkey", "bad_login", await sign(Authenticator(SITE)))
        for credential in ({}, {"response": {"clientDataJSON": "x"}}, {"id": 1, "response": 1}):
            await visitor.refused("login/passkey", "bad_login", {"credential": credential})

        # A page of another site may play here, but has no passkeys of this one.
        visitor.origin = "https://a.org"
        await visitor.refused("login/passkey/options", "bad_parameter", {})
        visitor.origin = SITE

        device.count = 5
        late = await sign(device)
        (passkey,) = logins["passkeys"]
        logins = await bea.ask("account/passkeys/remove", body={"id": passkey["id"]})
        assert (await ann.ask("account/logins"))["passkeys"]
        await ann.ask("account/passkeys/remove", body={"id": passkey["id"]})
        await visitor.refused("login/passkey", "bad_login", late)
