"""A runner whose bot has an account plays with its token, and never as somebody else."""

from __future__ import annotations

from pathlib import Path

import pytest

from doublecross.bots.runner import RunnerError
from doublecross.client.core.errors import RequestRefused
from tests.bots.running import running
from tests.server.shell.accounts.people import member, open_server


async def test_a_runner_plays_with_the_token_of_an_account(tmp_path: Path) -> None:
    async with open_server(tmp_path) as server:
        ann = await member(server)
        made = await ann.ask("account/bots/new", body={"name": "Chainer"})
        secret, token_id = made["issued"]["secret"], made["issued"]["token"]["token_id"]
        url = server.addresses.ws
        async with running(url, tmp_path, "random", token=secret) as (runner, _):
            assert runner.report.name == "Chainer"
            async with running(url, tmp_path, "random", token=secret) as (_, second):
                with pytest.raises(RunnerError, match="with this token already"):
                    await second
            assert "Chainer" in server.authority.peers.sessions
        await ann.ask("account/tokens/revoke", body={"token_id": token_id})
        for wrong in (secret, ann.secret):  # ended, and that of a person
            async with running(url, tmp_path, "random", token=wrong) as (_, refused):
                with pytest.raises(RequestRefused):
                    await refused
    assert not list((tmp_path / "state").glob("*.json"))  # no token was kept, and no guest joined
