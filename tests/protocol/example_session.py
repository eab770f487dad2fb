"""Replay `docs/example-session.jsonl` against a server, or record the session again.

Each line is a message that a client sends (``says``), a message that it receives (``hears``), or a
note for the reader. A placeholder such as ``<room>`` stands for a value that differs each time. Its
first occurrence binds the value, and later ones are compared with it. A placeholder can be part of
a longer string.

``python -m tests.protocol.example_session`` sends the clients' messages to a new server and
writes the messages that they receive to the file.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import re
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from doublecross.protocol.version import JSON
from doublecross.server.shell.app import DoublecrossServer
from doublecross.server.shell.settings import ServerSettings

FILE = Path(__file__).parents[2] / "docs" / "example-session.jsonl"
PATIENCE_S = 5.0
_SLOT = re.compile(r"<([^<>]+)>")

Step = dict[str, Any]


class Mismatch(AssertionError):  # noqa: N818 - the name says what happened
    """Raised when a received message differs from the example."""


class Bindings:
    """The values of the placeholders in one replay."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}

    def fill(self, template: Any) -> Any:
        """Return the template with bound values in place of its placeholders."""
        if isinstance(template, dict):
            return {key: self.fill(part) for key, part in template.items()}
        if isinstance(template, list):
            return [self.fill(part) for part in template]
        if isinstance(template, str):
            whole = _SLOT.fullmatch(template)
            if whole:
                return self.values[whole[1]]
            return _SLOT.sub(lambda slot: str(self.values[slot[1]]), template)
        return template

    def match(self, template: Any, found: Any, where: str = "message") -> None:
        """Compare a received message with the template, and bind new placeholders.

        Raises:
            Mismatch: another type, shape or value.
        """
        if isinstance(template, str) and (whole := _SLOT.fullmatch(template)):
            known = self.values.setdefault(whole[1], found)
            if type(known) is not type(found) or known != found or found is None:
                raise Mismatch(f"{where}: {template} is {known!r}, not {found!r}")
        elif isinstance(template, str) and _SLOT.search(template):
            self._match_text(template, found, where)
        elif type(template) is not type(found):
            raise Mismatch(f"{where}: {template!r} and not {found!r}")
        elif isinstance(template, dict):
            if template.keys() != found.keys():
                raise Mismatch(f"{where}: fields {sorted(template)} and not {sorted(found)}")
            for key, part in template.items():
                self.match(part, found[key], f"{where}.{key}")
        elif isinstance(template, list):
            if len(template) != len(found):
                raise Mismatch(f"{where}: {len(template)} items and not {len(found)}")
            for index, part in enumerate(template):
                self.match(part, found[index], f"{where}[{index}]")
        elif template != found:
            raise Mismatch(f"{where}: {template!r} and not {found!r}")

    def _match_text(self, template: str, found: Any, where: str) -> None:
        names: list[str] = []

        def pattern(slot: re.Match[str]) -> str:
            if slot[1] in self.values:
                return re.escape(str(self.values[slot[1]]))
            if slot[1] in names:
                return f"(?P=g{names.index(slot[1])})"
            names.append(slot[1])
            return f"(?P<g{len(names) - 1}>[^\\n]+?)"

        parts = _SLOT.split(template)
        pieces = [re.escape(text) for text in parts[::2]]
        slots = [pattern(slot) for slot in _SLOT.finditer(template)]
        whole = "".join(p + s for p, s in zip(pieces, [*slots, ""], strict=True))
        matched = re.fullmatch(whole, found) if isinstance(found, str) else None
        if matched is None:
            raise Mismatch(f"{where}: {self.values} do not make {found!r} of {template!r}")
        self.values.update({name: matched[f"g{i}"] for i, name in enumerate(names)})


@asynccontextmanager
async def running_server() -> AsyncIterator[DoublecrossServer]:
    """Run a server on free ports with a new database and default settings."""
    with tempfile.TemporaryDirectory() as folder:
        server = DoublecrossServer(
            ServerSettings(
                host="127.0.0.1", port=0, http_port=0, database=str(Path(folder) / "games.db")
            )
        )
        await server.start()
        try:
            yield server
        finally:
            await server.stop()


def read_steps() -> list[Step]:
    """Return the lines of the file."""
    return [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]


async def open_json(server: DoublecrossServer) -> ClientConnection:
    """Open a connection with JSON messages."""
    return await connect(
        server.addresses.ws, subprotocols=[Subprotocol(JSON)], compression=None, ping_interval=None
    )


async def next_message(ws: ClientConnection, wait_s: float = PATIENCE_S) -> Any:
    """Return the next message of a connection."""
    async with asyncio.timeout(wait_s):
        return json.loads(await ws.recv())


async def replay(steps: list[Step], server: DoublecrossServer) -> Bindings:
    """Send the clients' messages and compare the received messages with the steps.

    Raises:
        Mismatch: a message differs, is missing or is additional.
    """
    bindings = Bindings()
    clients: dict[str, ClientConnection] = {}
    try:
        for number, step in enumerate(steps, 1):
            if "note" in step:
                continue
            who = step["who"]
            if who not in clients:
                clients[who] = await open_json(server)
            if "says" in step:
                await clients[who].send(json.dumps(bindings.fill(step["says"])))
                continue
            try:
                found = await next_message(clients[who])
            except TimeoutError:
                raise Mismatch(f"line {number}: {who} hears nothing") from None
            bindings.match(step["hears"], found, f"line {number}")
        for who, ws in clients.items():
            # Whatever was still under way comes before the answer to one more ping.
            await ws.send(json.dumps({"type": "ping", "id": 99_999}))
            found = await next_message(ws)
            if found != {"type": "pong", "id": 99_999}:
                raise Mismatch(f"{who} hears more: {found}")
    finally:
        for ws in clients.values():
            await ws.close()
    return bindings


# -- recording ---------------------------------------------------------------------------------


class _Recorder:
    """Replace values that differ each time with placeholders."""

    def __init__(self) -> None:
        self.slots: dict[str, str] = {}
        """The placeholders of texts that are replaced everywhere, such as the room's id."""
        self.clock: list[Any] = [60_000, 60_000]
        """The placeholders of the time that each seat had left after its last move."""
        self.firsts = itertools.count(1)
        """The numbers of the placeholders of times for a first move."""

    def template(self, who: str, message: Step) -> Any:
        """Return a message that `who` received, with placeholders."""
        kind = message["type"]
        if kind == "welcome":
            self.slots[message["token"]] = f"<{who}'s token>"
            self.slots[message["epoch"]] = "<epoch>"
            self.slots[message["http"]] = "<http>"
            if message["page"] is not None:
                self.slots[message["page"]] = "<page>"
        elif kind == "room_state":
            self.slots[message["room"]] = "<room>"
        made: Step = self._texts(message)
        if kind == "move":
            seat, seq = made["seat"], made["seq"]
            made["elapsed_ms"] = f"<took {seq}>"
            self.clock[seat] = f"<left {seq}>"
        if kind == "takeback":  # the seat that asked was to move, so its clock ran
            self.clock[made["seat"]] = f"<left {made['seq']}>"
        for event in (made, *(made.get("events") or ())):
            if event["type"] == "move" and event is not made:
                event["elapsed_ms"] = f"<took {event['seq']}>"
            if "at" in event:
                event["at"] = "<start>" if event["type"] == "match_started" else "<end>"
            if event.get("clock_ms") is not None:
                event["clock_ms"] = list(self.clock)
        if kind == "room_state" and made["clock_runs"]:
            made["clock_ms"][0] = "<left now>"
        if kind == "room_state" and "snapshot" in made:
            started = made["snapshot"]["started_at"]
            made["snapshot"]["started_at"] = None if started is None else "<start>"
            if made["snapshot"]["clock_runs"]:
                made["snapshot"]["clock_ms"][0] = "<left then>"
        shown = made.get("presence", made)
        if "first_move_in_ms" in shown:
            shown["first_move_in_ms"] = f"<first move {next(self.firsts)}>"
        if kind == "record":
            text = re.sub(r'Date "[^"]*"', 'Date "<date>"', made["text"])
            plies = itertools.count(1)
            made["text"] = re.sub(r"\{[0-9.]+\}", lambda _: f"{{<s {next(plies)}>}}", text)
        return made

    def _texts(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {key: self._texts(part) for key, part in value.items()}
        if isinstance(value, list):
            return [self._texts(part) for part in value]
        if isinstance(value, str):
            for known, slot in self.slots.items():
                value = value.replace(known, slot)
        return value


async def record() -> list[Step]:
    """Play the session and return its steps with the server's current messages."""
    recorder = _Recorder()
    bindings = Bindings()
    recorded: list[Step] = []
    clients: dict[str, ClientConnection] = {}
    async with running_server() as server:
        for step in read_steps():
            if "note" in step:
                recorded.append(step)
            if "says" not in step:
                continue
            who = step["who"]
            if who not in clients:
                clients[who] = await open_json(server)
            recorded.append(step)
            await clients[who].send(json.dumps(bindings.fill(step["says"])))
            for name in sorted(clients, key=lambda other: other != who):
                while True:
                    try:
                        found = await next_message(clients[name], 0.1)
                    except TimeoutError:
                        break
                    template = recorder.template(name, found)
                    bindings.match(template, found)
                    recorded.append({"who": name, "hears": template})
        for ws in clients.values():
            await ws.close()
    return recorded


def main() -> None:
    """Record the session again."""
    steps = asyncio.run(record())
    text = "".join(json.dumps(step, ensure_ascii=False) + "\n" for step in steps)
    FILE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
