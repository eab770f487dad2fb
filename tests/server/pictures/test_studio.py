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
from doublecross.server.pictures import studio as module
from doublecross.server.pictures.studio import BusyError, PictureOrder, Studio
from tests.server.pictures.games import played

pytestmark = pytest.mark.processes

ORDER = PictureOrder(format_record(played()), "png", None, 240, "light")


@pytest.fixture
async def studio() -> AsyncIterator[Studio]:
    made = Studio()
    yield made
    await made.close()


def child_of(studio: Studio) -> int:
    assert studio._child is not None
    return studio._child.pid


async def test_a_picture_is_made_once_for_all_who_want_it(studio: Studio) -> None:
    first, second = await asyncio.gather(studio.make(ORDER), studio.make(ORDER))
    assert first is second
    assert await studio.make(ORDER) is first
    assert first.startswith(b"\x89PNG")


async def test_one_process_makes_all_pictures(studio: Studio) -> None:
    found = set()
    for ply in (1, 2, 3):
        await studio.make(replace(ORDER, ply=ply, kind="svg"))
        found.add(child_of(studio))
    assert len(found) == 1


async def test_too_many_at_once_are_refused(studio: Studio) -> None:
    orders = [replace(ORDER, ply=ply) for ply in range(module.MOST_WAITING + 2)]
    done = await asyncio.gather(*map(studio.make, orders), return_exceptions=True)
    assert [type(each) for each in done] == [bytes] * (module.MOST_WAITING + 1) + [BusyError]
    assert await studio.make(orders[-1])


async def test_a_picture_that_takes_too_long_is_given_up(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    await studio.make(ORDER)
    before = child_of(studio)
    os.kill(before, signal.SIGSTOP)
    monkeypatch.setattr(module, "DEADLINE_S", 0.05)
    with pytest.raises(BusyError):
        await studio.make(replace(ORDER, ply=1))
    monkeypatch.undo()
    assert await studio.make(replace(ORDER, ply=1))
    assert child_of(studio) != before


async def test_a_picture_that_needs_too_much_of_the_processor_is_given_up(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    await studio.make(ORDER)
    before = child_of(studio)
    monkeypatch.setattr(module, "CPU_S", 0.0001)
    with pytest.raises(BusyError, match="smaller"):
        await studio.make(replace(ORDER, kind="gif"))
    monkeypatch.undo()
    assert await studio.make(replace(ORDER, kind="gif"))
    assert child_of(studio) != before


async def test_another_process_follows_one_that_was_killed(studio: Studio) -> None:
    await studio.make(ORDER)
    before = child_of(studio)
    os.kill(before, signal.SIGSTOP)
    making = asyncio.create_task(studio.make(replace(ORDER, ply=2)))
    await asyncio.sleep(0)
    os.kill(before, signal.SIGKILL)
    with pytest.raises(BusyError):
        await making
    assert await studio.make(replace(ORDER, ply=2))
    assert child_of(studio) != before


async def test_one_who_goes_away_does_not_take_the_picture_from_others(studio: Studio) -> None:
    first = asyncio.create_task(studio.make(ORDER))
    second = asyncio.create_task(studio.make(ORDER))
    await asyncio.sleep(0)
    first.cancel()
    assert (await second).startswith(b"\x89PNG")


async def test_nobody_waits_too_long(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    await studio.make(ORDER)
    os.kill(child_of(studio), signal.SIGSTOP)
    monkeypatch.setattr(module, "PATIENCE_S", 0)
    with pytest.raises(BusyError, match="wait before"):
        await studio.make(replace(ORDER, ply=1))
    monkeypatch.undo()
    os.kill(child_of(studio), signal.SIGCONT)
    assert await studio.make(replace(ORDER, ply=1))


async def test_a_closed_studio_starts_nothing(studio: Studio) -> None:
    await studio.make(ORDER)
    child = child_of(studio)
    os.kill(child, signal.SIGSTOP)
    waiting = asyncio.create_task(studio.make(replace(ORDER, ply=1)))
    await asyncio.sleep(0)
    closing = asyncio.create_task(studio.close())
    with pytest.raises(BusyError, match="stops"):
        await waiting
    with suppress(ProcessLookupError):  # closing may have ended it already
        os.kill(child, signal.SIGCONT)
    await closing
    with pytest.raises(BusyError, match="stops"):
        await studio.make(replace(ORDER, ply=2))
    assert studio._child is None


async def test_the_process_ends_when_nobody_wants_a_picture(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    await studio.make(ORDER)
    child = studio._child
    assert child is not None
    monkeypatch.setattr(module, "IDLE_S", 0)
    await studio.make(replace(ORDER, ply=1))
    await child.how_it_ended()
    assert studio._child is None
    assert await studio.make(replace(ORDER, ply=2))


async def test_old_pictures_make_room(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_KEPT_BYTES", 1)
    first = await studio.make(ORDER)
    assert await studio.make(ORDER) is not first
