"""A page whose node of a cluster is killed plays on at the other node."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
from pathlib import Path
from random import Random

import pytest
from playwright.async_api import expect

from doublecross.client.options import Login
from doublecross.client.transport import Client
from doublecross.processes.ports import free_port
from tests.cli.commands import Command, running
from tests.client.web.harness.browser import GONE, PageProblems
from tests.client.web.harness.fixtures import Visit
from tests.client.web.room.table import Opponent, click, game_of, join, settings, status
from tests.cluster.servers.conftest import ready
from tests.services.nats import Nats
from tests.services.shared import empty_database, running_server

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.slow
@pytest.mark.processes
async def test_a_game_goes_on_at_the_other_node(
    visit: Visit, problems: PageProblems, tmp_path: Path
) -> None:
    problems.allow(GONE)
    database = await empty_database(running_server())
    with contextlib.ExitStack() as stack:
        nats = Nats(tmp_path)
        nats.start()
        stack.callback(nats.stop)

        def serve(port: int) -> Command:
            options = ("--database", database, "--nats", nats.url, "--json", "--port", str(port))
            words = (*options, "--settings", str(named))
            return stack.enter_context(running("serve", "--cluster", *words, cwd=tmp_path))

        ports = [free_port() for _ in range(2)]
        first, second = urls = [f"ws://127.0.0.1:{port}" for port in ports]
        named = tmp_path / "nodes.toml"
        named.write_text(f"cluster_addresses = {json.dumps(urls)}\n")
        nodes = [serve(port) for port in ports]
        for node in nodes:
            await asyncio.to_thread(ready, node)
        client = Client(second, Login("human", name="Bob", takebacks=True), rng=Random(1))
        await client.start(patience_s=20)
        try:
            what = settings()
            bob = Opponent(client, await client.create_room(what, seat=1, private=True))
            page = await visit(first.replace("ws", "http", 1) + bob.path, name="Ann")
            await join(page)
            game = game_of(what)
            await expect(status(page)).to_have_text("Your turn.")
            nodes[0].send(signal.SIGKILL)
            await expect(status(page)).to_have_text("Your turn.", timeout=20_000)
            for _ in range(2):
                action = bob.mirror.state.legal_actions()[0]
                await click(page, game, action)
                await bob.sees(lambda room, action=action: action in room.state.history())
                await bob.play()
                await expect(status(page)).to_have_text("Your turn.", timeout=20_000)
            assert len(bob.mirror.state.history()) == 4
            assert nodes[0].process.wait(10) != 0
            assert client.url == second
        finally:
            await client.close()
