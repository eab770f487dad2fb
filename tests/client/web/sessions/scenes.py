"""The scenes whose sessions are recorded, each a coroutine that returns its recorder."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from tests.client.web.sessions import matches, troubles
from tests.client.web.sessions.recorder import Recorder

Scene = Callable[[], Awaitable[Recorder]]

SCENES: Final[Mapping[str, Scene]] = {**matches.SCENES, **troubles.SCENES}
