"""An export waits when the server asks for it, and takes all pages."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from doublecross.cli.shared.remote.reading import fetch
from tests.protocol.wire import serving


async def test_an_export_waits_as_long_as_the_server_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[float] = []

    async with serving(tmp_path, pages_per_minute=1, exempt_addresses="") as server:
        http = server.addresses.http

        def sleep(seconds: float) -> None:
            slept.append(seconds)
            server.authority.admission._full_at.clear()  # as if the time had passed

        monkeypatch.setattr(time, "sleep", sleep)
        for _ in range(2):
            answer = await asyncio.to_thread(fetch, http, "/api/games")
            assert '"games":[]' in answer
    assert slept == [60]
