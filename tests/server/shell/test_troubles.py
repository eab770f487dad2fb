"""A storage that fails for long writes few lines to the log."""

from __future__ import annotations

from structlog.testing import capture_logs

from doublecross.server.shell.upkeep.troubles import TroubleLog
from tests.server.world import World


def test_a_lasting_trouble_is_logged_at_first_and_once_a_minute_and_when_it_is_over() -> None:
    now = 1000.0
    troubles = TroubleLog(lambda: now)
    with capture_logs() as lines:
        troubles.over()
        for second in range(150):
            now = 1000.0 + second
            troubles.failed("commit_failed", "The disk is full.", events=second)
            troubles.failed("journal_not_cleaned", "The disk is full.")
        troubles.over()
        troubles.over()
    assert [(line["event"], line["failures"]) for line in lines] == [
        ("commit_failed", 1),
        ("commit_failed", 120),
        ("commit_failed", 120),
        ("storage_works_again", 59),
    ]
    assert lines[0]["reason"] == "The disk is full."


def test_a_trouble_that_comes_and_goes_is_logged_once_a_minute_too() -> None:
    now = 0.0
    troubles = TroubleLog(lambda: now)
    with capture_logs() as lines:
        for second in range(61):
            now = float(second)
            troubles.failed("commit_failed", "The disk is full.")
            troubles.over()
    assert [line["event"] for line in lines] == ["commit_failed", "storage_works_again"] * 2
    assert lines[2]["failures"] == 60


async def test_the_journal_is_not_cleaned_while_nothing_can_be_stored() -> None:
    world = await World().start()
    ann = world.arrive("Ann")
    retention = world.authority.rooms.registry.retention
    room = await world.play_room(ann, world.arrive("Bob"))
    world.store.fail_next()
    world.move(ann, room, 0)
    await world.settle()
    retention.unneeded = [1]
    commits = len(world.store.batches)
    await retention.clean()
    assert (retention.unneeded, len(world.store.batches)) == ([1], commits)
    world.move(ann, room, 0)
    await world.settle()
    assert world.authority.committer.writer.trouble == ""
    await world.stop()
