from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest

import doublecross.server.cluster.links.access as access_file
from doublecross.processes.ports import free_port
from doublecross.server.cluster.links.access import Access, ConnectError, connect
from tests.cluster.links.conftest import url_of
from tests.fakes.certificates import make_pair
from tests.services.cuts import Cuts
from tests.services.nats import Nats

SECRET = "s3cret-passw0rd"


async def reason(access: Access) -> str:
    """Return why the servers cannot be used; no password may be in it."""
    with pytest.raises(ConnectError) as caught:
        await connect(access)
    assert SECRET not in str(caught.value) + repr(access)
    return str(caught.value)


async def works(access: Access) -> None:
    got: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
    client = await connect(access)
    await client.listen("test.x", got.set_result)
    for _ in range(2):  # the first ping overtakes the subscription
        await client.flush()
    client.send("test.x", b"hi")
    async with asyncio.timeout(10):
        assert await got == b"hi"
    await client.stop()
    assert client.is_closed


@asynccontextmanager
async def says(answer: bytes) -> AsyncIterator[str]:
    """A server that says something else than NATS; the URL."""

    async def speak(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(answer)
        with contextlib.suppress(OSError):
            await writer.drain()
        writer.close()

    server = await asyncio.start_server(speak, "127.0.0.1", 0)
    try:
        yield f"nats://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()


@pytest.mark.parametrize(
    ("options", "right", "wrong"),
    [
        (("--user", "node", "--pass", SECRET), f"node:{SECRET}@", f"other:{SECRET}@"),
        (("--auth", SECRET), f"{SECRET}@", "no-token@"),
    ],
)
async def test_logins(tmp_path: Path, options: tuple[str, ...], right: str, wrong: str) -> None:
    with closing(Nats(tmp_path, options).start()) as nats:
        at = f"127.0.0.1:{nats.port}"
        await works(Access((f"nats://{right}{at}",)))
        for login in ("", wrong):
            assert await reason(Access((f"nats://{login}{at}",))) == (
                f"The NATS server at {at} refuses the login. "
                "Check the user and password, the token, or the file of credentials."
            )


async def test_tls(tmp_path: Path) -> None:
    pair = make_pair(tmp_path)
    options = ("--tls", "--tlscert", str(pair.certificate), "--tlskey", str(pair.key))
    with closing(Nats(tmp_path, options).start()) as nats, closing(Nats(tmp_path)) as plain:
        plain.start()
        url = f"tls://localhost:{nats.port}"
        await works(Access((url,), tls_ca=pair.certificate))
        assert "is not trusted" in await reason(Access((url,)))
        # Nothing is written before the encryption, so nobody reads the password.
        assert "does not encrypt" in await reason(
            Access((f"tls://a:{SECRET}@localhost:{plain.port}",))
        )
        empty = tmp_path / "empty.pem"
        empty.touch()
        assert "has no certificates" in await reason(Access((url,), tls_ca=empty))


async def test_servers_that_are_none(
    monkeypatch: pytest.MonkeyPatch, shared_nats: Nats, cuts: Cuts
) -> None:
    port = free_port()
    nobody = f"No NATS server listens at 127.0.0.1:{port}. Start it, or check its URL."
    url = f"nats://127.0.0.1:{port}"
    assert await reason(Access((url,))) == nobody
    await works(Access((url, shared_nats.url)))
    cuts.hang()
    # Only here, because servers that answer may take longer on a busy machine.
    with monkeypatch.context() as impatient:
        impatient.setattr(access_file, "CONNECT_S", 0.2)
        silent = await reason(Access((url_of(cuts),)))
        assert silent.startswith(f"The NATS server at 127.0.0.1:{cuts.port} does not answer within")
        assert await reason(Access((url, url_of(cuts)))) == f"{nobody} {silent}"
    for answer in (b"HTTP/1.1 400 Bad Request\r\n\r\n", b"INFO no\r\n", b"x" * 100_000):
        async with says(answer) as other:
            assert "is no NATS server" in await reason(Access((other,))), answer[:20]
    async with says(b"") as closes:
        assert re.search("closed the connection|is no NATS server", await reason(Access((closes,))))
    assert "is unknown" in await reason(Access(("nats://no-such-host.invalid",)))
    for wrong in ("http://x", "nats://", "nats://x:port", "ws://x:1", ""):
        assert "nats://" in await reason(Access((shared_nats.url, wrong))), wrong
    assert "is missing" in await reason(Access(()))
