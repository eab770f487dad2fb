"""Codes of an app after the password: none counts twice, and recovery codes stand in for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pyotp import TOTP

from doublecross.server.shell.accounts.second_factor import NEEDED, STEP_S, WRONG
from tests.server.shell.accounts.people import GOOD, OTHER, Visitor, member
from tests.server.shell.accounts.test_secrets import everything
from tests.server.shell.admin.hosting import audit, hosted

RIGHT = {"name": "Ann", "password": GOOD}
START_MS = 1_800_000_000_000


class Clock:
    """A time that stands still until a test moves it."""

    ms = START_MS

    def __call__(self) -> int:
        return self.ms


async def test_a_login_needs_a_code_and_each_counts_once(tmp_path: Path) -> None:
    clock = Clock()
    async with hosted(tmp_path, now=clock) as (server, host):
        ann = await member(server)
        key = (await ann.ask("account/app/key", body={}))["key"]
        app = TOTP(key)

        def code(steps: int = 0) -> str:
            return app.generate_otp(clock.ms // STEP_S // 1000 + steps)

        asked = {"key": key, "code": code(), "current": GOOD}
        await ann.refused("account/app/on", "bad_login", {**asked, "current": OTHER})
        assert await ann.refused("account/app/on", "bad_login", {**asked, "code": "x"}) == WRONG
        codes = (await ann.ask("account/app/on", body=asked))["codes"]
        assert len(set(codes)) == 10

        visitor = Visitor(server)
        for _ in range(11):  # who knows the password and has no code yet has used no guess
            assert await visitor.refused("login", "code_needed", RIGHT) == NEEDED

        async def login(given: str, status: int = 200, **more: Any) -> dict[str, Any]:
            return await visitor.ask("login", status, {**RIGHT, "code": given, **more})

        await login(code(), 401)  # it was used to turn codes on
        await login(code(2), 401)
        await login(code(), 401, password=OTHER)
        await login(code(1))
        await login(code(1), 401)
        clock.ms += 3 * STEP_S * 1000
        await login(code(-2), 401)
        await login(code(-1))

        # A recovery code counts once too, however it is typed.
        await login(codes[0].upper().replace("-", " "))
        await login(codes[0], 401)
        logins = await ann.ask("account/logins")
        assert (logins["second_factor"], logins["recovery_codes"]) == (True, 9)
        stored = everything(tmp_path)
        assert not any(each.encode() in stored for each in codes)

        # The host helps somebody who has lost all.
        (found,) = (await host.ask("admin/accounts?search=ann"))["accounts"]
        assert found["second_factor"]
        await host.ask("admin/end-second-factor", body={"player": "Ann"})
        assert (await audit(host))[0] == ("host", "end_second_factor", "Ann")
        await visitor.ask("login", body=RIGHT)


async def test_codes_cannot_be_guessed(tmp_path: Path) -> None:
    async with hosted(tmp_path, now=Clock(), guesses_per_name=3) as (server, _):
        ann = await member(server)
        key = (await ann.ask("account/app/key", body={}))["key"]
        asked = {"key": key, "code": TOTP(key).at(START_MS // 1000), "current": GOOD}
        await ann.ask("account/app/on", body=asked)
        server.authority.accounts.guesses._known.clear()  # as from an address that nobody used
        for code in ("000000", "000001", "000002"):
            await Visitor(server).refused("login", "bad_login", {**RIGHT, "code": code})
        for code in ("000003", TOTP(key).generate_otp(START_MS // STEP_S // 1000 + 1)):
            await Visitor(server).refused("login", "rate_limited", {**RIGHT, "code": code})
