"""The process that makes pictures: it makes one after another, and its end harms nobody."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace

import pytest

from doublecross.games.record import format_record
from doublecross.server.pictures import service as module
from doublecross.server.pictures.service import BusyError, PictureOrder, PictureService
from tests.server.pictures.games import played

pytestmark = pytest.mark.processes

ORDER = PictureOrder(format_record(played()), "png", None, 240, "light")


@pytest.fixture
async def service() -> AsyncIterator[PictureService]:
    made = PictureService()
    yield made
    await made.close()


def child_of(service: PictureService) -> int:
    assert service._child is not None
    return service._child.pid


async def test_a_picture_is_made_once_for_all_who_want_it(service: PictureService) -> None:
    first, second = await asyncio.gather(service.make(ORDER, "::1"), service.make(ORDER, "::1"))
    assert first is second
    assert await service.make(ORDER, "::1") is first
    assert first.startswith(b"\x89PNG")


async def test_too_many_at_once_are_refused(service: PictureService) -> None:
    orders = [replace(ORDER, ply=ply) for ply in range(module.MOST_WAITING + 2)]
    done = await asyncio.gather(
        *(service.make(order, "::1") for order in orders), return_exceptions=True
    )
    assert [type(each) for each in done] == [bytes] * (module.MOST_WAITING + 1) + [BusyError]
    assert await service.make(orders[-1], "::1")


async def test_a_picture_that_takes_too_long_is_given_up(
    service: PictureService, monkeypatch: pytest.MonkeyPatch
) -> None:
    await service.make(ORDER, "::1")
    before = child_of(service)
    os.kill(before, signal.SIGSTOP)
    monkeypatch.setattr(module, "DEADLINE_S", 0.05)
    with pytest.raises(BusyError):
        await service.make(replace(ORDER, ply=1), "::1")
    monkeypatch.undo()
    assert await service.make(replace(ORDER, ply=1), "::1")
    assert child_of(service) != before


async def test_a_picture_that_needs_too_much_of_the_processor_is_given_up(
    service: PictureService, monkeypatch: pytest.MonkeyPatch
) -> None:
    await service.make(ORDER, "::1")
    before = child_of(service)
    monkeypatch.setattr(module, "CPU_S", 0.0001)
    with pytest.raises(BusyError, match="smaller"):
        await service.make(replace(ORDER, kind="gif"), "::1")
    monkeypatch.undo()
    assert await service.make(replace(ORDER, kind="gif"), "::1")
    assert child_of(service) != before


async def test_another_process_follows_one_that_was_killed(service: PictureService) -> None:
    await service.make(ORDER, "::1")
    before = child_of(service)
    os.kill(before, signal.SIGSTOP)
    making = asyncio.create_task(service.make(replace(ORDER, ply=2), "::1"))
    await asyncio.sleep(0)
    os.kill(before, signal.SIGKILL)
    with pytest.raises(BusyError):
        await making
    assert await service.make(replace(ORDER, ply=2), "::1")
    assert child_of(service) != before


async def test_one_who_goes_away_does_not_take_the_picture_from_others(
    service: PictureService,
) -> None:
    first = asyncio.create_task(service.make(ORDER, "::1"))
    second = asyncio.create_task(service.make(ORDER, "::1"))
    await asyncio.sleep(0)
    first.cancel()
    assert (await second).startswith(b"\x89PNG")


async def test_nobody_waits_too_long(
    service: PictureService, monkeypatch: pytest.MonkeyPatch
) -> None:
    await service.make(ORDER, "::1")
    os.kill(child_of(service), signal.SIGSTOP)
    monkeypatch.setattr(module, "PATIENCE_S", 0)
    with pytest.raises(BusyError, match="wait before"):
        await service.make(replace(ORDER, ply=1), "::1")
    monkeypatch.undo()
    os.kill(child_of(service), signal.SIGCONT)
    assert await service.make(replace(ORDER, ply=1), "::1")


async def test_a_closed_service_starts_nothing(service: PictureService) -> None:
    await service.make(ORDER, "::1")
    child = child_of(service)
    os.kill(child, signal.SIGSTOP)
    waiting = asyncio.create_task(service.make(replace(ORDER, ply=1), "::1"))
    await asyncio.sleep(0)
    closing = asyncio.create_task(service.close())
    with pytest.raises(BusyError, match="stops"):
        await waiting
    with suppress(ProcessLookupError):  # closing may have ended it already
        os.kill(child, signal.SIGCONT)
    await closing
    with pytest.raises(BusyError, match="stops"):
        await service.make(replace(ORDER, ply=2), "::1")
    assert service._child is None


async def test_the_process_ends_when_nobody_wants_a_picture(
    service: PictureService, monkeypatch: pytest.MonkeyPatch
) -> None:
    await service.make(ORDER, "::1")
    child = service._child
    assert child is not None
    monkeypatch.setattr(module, "IDLE_S", 0)
    await service.make(replace(ORDER, ply=1), "::1")
    await child.how_it_ended()
    assert service._child is None
    assert await service.make(replace(ORDER, ply=2), "::1")


async def test_old_pictures_make_room(
    service: PictureService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_KEPT_BYTES", 1)
    first = await service.make(ORDER, "::1")
    assert await service.make(ORDER, "::1") is not first
