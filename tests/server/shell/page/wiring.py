"""A small browser page, and bytes on a connection to a server that serves it."""

from __future__ import annotations

import asyncio
import gzip
from pathlib import Path
from typing import Any

from doublecross.server.shell.app import DoublecrossServer

FILES = {
    "index.html": '<!doctype html><meta name="page" content="{{page}}">\n'
    '<link rel="stylesheet" href="{{web}}/style/base.css">\n'
    '{{head}}<script type="module" src="{{web}}/main.js"></script>',
    "libraries.json": '{"preact": "vendor/preact.js"}',
    "main.js": 'import { h } from "preact";\nimport "./app/app.js";\n'
    '/** @import { Secret } from "./pages/lobby.js" */\n * import "./net/ticks.js"\n',
    "app/app.js": 'export {\n  x,\n  y,\n} from "../core/x.js";\n'
    'export const pages = () => [import("../pages/lobby.js"), import("../pages/room.js")];\n',
    "core/x.js": "export const x = 1;\nexport const y = x;\n" + "x.toString();\n" * 30,
    "core/types.d.ts": "export type Secret = 1;",
    "notes.md": "secret",
    ".hidden.js": "secret",
    "net/ticks.js": "self.onmessage = null;\n" * 30,
    "pages/lobby.js": 'import { x } from "../core/x.js";\nexport const page = "lobby";\n',
    "pages/room.js": 'import { x } from "../core/x.js";\nexport const page = "room";\n',
    "style/base.css": "body { margin: 0 }\n" * 40,
    "vendor/preact.js": "export const h = 1;\n",
    "icons/icon.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
}


def write_page(folder: Path, **changes: str) -> Path:
    """Write the page into a folder and return that."""
    for name, text in {**FILES, **changes}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


class Answer:
    """The answer to a request."""

    def __init__(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.status = status
        self.headers = headers
        self.body = body

    @property
    def text(self) -> str:
        packed = self.headers.get("content-encoding") == "gzip"
        return (gzip.decompress(self.body) if packed else self.body).decode()


class Wire:
    """One connection on which a test sends bytes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    @classmethod
    async def open(cls, server: DoublecrossServer, address: str = "") -> Wire:
        where = (address or server.addresses.http).partition("://")[2]
        host, _, port = where.rpartition(":")
        return cls(*await asyncio.open_connection(host, int(port)))

    def send(self, data: bytes) -> None:
        self.writer.write(data)

    async def answer(self, *, headless: bool = False) -> Answer:
        """Read the next answer."""
        async with asyncio.timeout(10):
            head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            first, *lines = head[:-4].split("\r\n")
            pairs = [line.partition(": ") for line in lines]
            names = [name.lower() for name, _, _ in pairs]
            assert len(set(names)) == len(names), names
            headers = {name.lower(): value for name, _, value in pairs}
            size = 0 if headless else int(headers.get("content-length", "0"))
            body = await self.reader.readexactly(size)
        return Answer(int(first.split()[1]), headers, body)

    async def ended(self) -> bytes:
        """Return all bytes until the server closes the connection."""
        try:
            async with asyncio.timeout(10):
                return await self.reader.read()
        except ConnectionError:
            return b""
        finally:
            self.close()

    def close(self) -> None:
        self.writer.close()


def request(path: str = "/", method: str = "GET", **headers: Any) -> bytes:
    """Return the bytes of a request."""
    lines = [f"{method} {path} HTTP/1.1", "Host: x"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


async def get(server: DoublecrossServer, path: str = "/", **more: Any) -> Answer:
    """Ask for a path on a connection of its own."""
    wire = await Wire.open(server)
    wire.send(request(path, **more))
    answer = await wire.answer(headless=more.get("method") == "HEAD")
    wire.close()
    return answer


BROWSER = {"accept": "text/html,application/xhtml+xml", "accept_encoding": "gzip, deflate, br"}
UPGRADE = {
    "Connection": "keep-alive, Upgrade",
    "Upgrade": "websocket",
    "Sec_WebSocket_Key": "AAAAAAAAAAAAAAAAAAAAAA==",
    "Sec_WebSocket_Version": "13",
    "Sec_WebSocket_Protocol": "doublecross.v1.json",
}
