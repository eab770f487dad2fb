"""Apply the steps of a recorded session to the Python client."""

from __future__ import annotations

import json
from random import Random
from typing import Any, Final

from pydantic import TypeAdapter

from doublecross.client.core.requests import RequestQueue
from doublecross.client.core.session import Session
from doublecross.client.core.updates import Update
from doublecross.protocol.client_messages import ClientMessage, Request
from doublecross.protocol.codec import JsonCodec
from doublecross.protocol.errors import DecodeError
from doublecross.protocol.server_messages import Welcome
from tests.client.web.sessions.dump import Flat, answered, asked, dump, update

DRAWS: Final = (0.25, 0.5, 0.75)
"""The random numbers of both clients, again and again."""

_REQUESTS: Final[TypeAdapter[Any]] = TypeAdapter(ClientMessage)


class Draws(Random):
    """Return the numbers of `DRAWS` in turn."""

    def __init__(self) -> None:
        super().__init__(0)
        self._count = 0

    def random(self) -> float:
        """Return the next number."""
        self._count += 1
        return DRAWS[(self._count - 1) % len(DRAWS)]


class Replay:
    """A client that a recorded session drives."""

    def __init__(self) -> None:
        self.session = Session()
        self.queue = RequestQueue(self.session, Draws())
        self._codec = JsonCodec()

    def step(self, step: Flat) -> Flat:
        """Apply one step and return what it did, with a dump of the client after it."""
        now = step["now"]
        did: Flat = {}
        updates: list[Update] = []
        match step["do"]:
            case "welcome":
                message = self._codec.decode_server(json.dumps(step["message"]))
                assert isinstance(message, Welcome)
                updates = self.session.receive(message, now)
                self.queue.begin()
            case "lost":
                self.queue.end()
            case "receive":
                updates = self._receive(step["frame"], now)
            case "request":
                did["id"] = self.add(step["request"]).id
            case "ping":
                self.queue.ping()
            case "send":
                did["sent"] = [asked(request) for request in self._due(now)]
            case "look":
                pass
            case other:
                raise ValueError(f"There is no step {other!r}.")
        if updates:
            did["updates"] = [update(change) for change in updates]
        if answers := self.queue.take_answers():
            derived = step["do"] == "send"
            did["answers"] = [[i, answered(answer, derived)] for i, answer in answers]
        did["dump"] = json.loads(json.dumps(dump(self.session, self.queue, now)))
        return did

    def add(self, request: Flat) -> Request:
        """Queue a request that has no id."""

        def build(request_id: int) -> Request:
            text = json.dumps({**request, "id": request_id})
            built: Request = _REQUESTS.validate_json(text)
            return built

        return self.queue.add(build)

    def _due(self, now: float) -> list[Request]:
        found = []
        while (request := self.queue.next_to_send(now)) is not None:
            found.append(request)
        return found

    def _receive(self, frame: Any, now: float) -> list[Update]:
        text = frame if isinstance(frame, str) else json.dumps(frame)
        try:
            message = self._codec.decode_server(text)
        except DecodeError as error:
            return self.queue.receive_unreadable(error, now)
        return [] if message is None else self.queue.receive(message, now)
