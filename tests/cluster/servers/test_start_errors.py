"""What keeps a node from starting is one sentence."""

from __future__ import annotations

import asyncio
import socket

import pytest
from structlog.testing import capture_logs

from doublecross.cli.main import main
from doublecross.server.cluster import checking, server
from doublecross.server.core.storage import StoreError
from doublecross.server.shell.listening import StartError
from doublecross.server.shell.settings import ServerSettings
from doublecross.server.store.cluster import database, session
from tests.cluster.servers.conftest import Start
from tests.services.nats import Nats

CLOSED = "postgresql://ann:secret@127.0.0.1:9/games"


def far_future() -> int:
    return 4_000_000_000_000


async def refusal(start: Start, name: str, **options: object) -> str:
    with pytest.raises(StartError) as refused:
        await start(name, **options)
    return str(refused.value)


async def test_a_node_that_does_not_fit_to_the_others(
    start: Start, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await start("first")
    assert await refusal(start, "second", settings={"cluster_name": "other"}) == (
        "The node first of this database belongs to the cluster 'main', and this one would belong"
        " to 'other'; give all nodes of a database the same cluster_name."
    )
    late = "The clock of this machine is "
    assert (await refusal(start, "second", date=far_future)).startswith(late)
    monkeypatch.setattr(checking, "Dates", lambda: far_future)
    with pytest.raises(StartError, match=rf"^{late}\d+ s ahead of that of PostgreSQL"):
        await checking.check_postgresql(url)


async def test_a_start_says_what_it_waits_for(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "SLOW_S", 0.01)
    for module in (database, session):
        monkeypatch.setattr(module, "ANSWER_S", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as silent, capture_logs() as logs:
        where = f"127.0.0.1:{silent.getsockname()[1]}/games"
        mute = f"postgresql://ann:secret@{where}"
        said = await refusal(start, "first", settings={"database": mute})
        with pytest.raises(StoreError) as checked:
            await checking.check_postgresql(mute)
    assert said == str(checked.value)
    assert said == (
        f"The database postgresql://ann:***@{where} has not answered within 0.1 s; is its address"
        " right?"
    )
    waits = [line["what"] for line in logs if line["event"] == "start_waits"]
    assert waits == ["PostgreSQL has not answered yet."]


async def test_a_check_names_the_settings(nats: Nats, capsys: pytest.CaptureFixture[str]) -> None:
    await checking.check_nats(ServerSettings(database=CLOSED, cluster=True, nats=nats.url))
    options = ("--database", CLOSED, "--nats", "nats://127.0.0.1:9", "--check")
    assert await asyncio.to_thread(main, ["serve", "--cluster", *options]) == 2
    database, nats = capsys.readouterr().err.splitlines()
    name = CLOSED.replace("secret", "***")
    assert database.startswith(f"Error: --database: The database {name} cannot be opened: ")
    assert nats.startswith("Error: --nats: No NATS server listens at 127.0.0.1:9. Start it,")
