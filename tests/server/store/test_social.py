"""Whom players follow and block, what they say and report, on a database."""

from __future__ import annotations

from dataclasses import replace

import pytest

from doublecross.server.core.people.accounts import Renaming
from doublecross.server.core.people.social import Line, Related, Report
from doublecross.server.core.storage import Batch
from doublecross.server.store.people.social import SqlSocial
from doublecross.server.store.sql import SqlStore
from tests.server.store.test_hosting import ANN, ANNE, BOB, NEW

REPORT = Report("r1", "a1", "a0", "insults", "He was rude.", 9, "room", 1, True)


async def test_ties_talk_and_reports_follow_a_name_and_end_with_the_player(store: SqlStore) -> None:
    await store.commit(Batch(None, players=[ANN, BOB, ANNE]))
    social = store.social
    await social.relate("a0", "a1", "follow", 1)
    await social.relate("a2", "a0", "block", 2)
    assert await social.related("a0") == [Related("Bob", "human", "follow")]
    assert await social.apart("a0") == {"Anne"}
    assert await social.apart("a2") == {"Ann"}
    # A block takes the place of both ties between the two.
    await social.relate("a1", "a0", "block", 3)
    assert await social.related("a0") == []
    await social.relate("a1", "a0", None, 4)
    assert await social.apart("a1") == frozenset()
    said = [Line("room", n, n, "a0", seat, f"words {n}") for n, seat in ((1, 0), (1, None), (2, 0))]
    for line in said:
        await social.say(line)
    await store.accounts.rename(NEW)
    named = [replace(line, name=NEW.name) for line in said]
    assert await social.talk("room", True, 10) == [named[0], named[2]]
    assert await social.talk("room", True, 1) == [named[2]]
    assert await social.talk("room", False, 10, match=1) == [named[1]]
    await social.add_report(REPORT)
    assert await social.reports_since("a1", 8) == 1
    assert await social.reports_since("a1", 9) == 0
    await social.add_report(replace(REPORT, report_id="r2", made_ms=5))
    shown = replace(REPORT, reporter="Bob", about=NEW.name)
    await social.note(replace(shown, note="Warned.", closed_ms=12, closed_by="Anne"))
    first, second = await social.reports(2)
    assert (first.report_id, second.note, second.closed_ms) == ("r2", "Warned.", 12)
    assert await social.report("r1") == second
    about = await social.of_player("a0")
    assert [len(about[key]) for key in ("ties", "talk", "reports", "reported")] == [0, 3, 0, 2]
    assert "Bob" not in str(about)
    gone = Renaming(replace(ANN, name=NEW.name), "deleted-1", "1 deleted-1", b"x" * 32)
    await store.accounts.rename(gone)
    assert (await social.talk("room", True, 9), await social.reports(9)) == ([], [])
    assert await social.related("a2") == []


async def test_whoever_keeps_the_blocks_reads_nothing_for_others(
    store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    await store.commit(Batch(None, players=[ANN, BOB, ANNE]))
    social = store.social
    await social.relate("a0", "a1", "block", 1)
    await social.keep_blocks(0)
    await social.relate("a0", "a2", "follow", 2)
    reads, read = [], social._read_apart

    async def counted(account_id: str) -> frozenset[str]:
        reads.append(account_id)
        return await read(account_id)

    monkeypatch.setattr(social, "_read_apart", counted)
    assert await social.apart("a2") == frozenset()
    assert reads == []
    assert await social.apart("a1") == {"Ann"}
    await social.relate("a2", "a1", "block", 3)
    assert await social.apart("a2") == {"Bob"}
    assert reads == ["a1", "a2"]
    # Another server has stored this one; the next read of the new ones finds it.
    other = SqlSocial(social._database)
    await other.relate("a3", "a0", "block", 9)
    assert await social.apart("a3") == frozenset()
    await social.keep_blocks(9)
    assert await social.apart("a3") == {"Ann"}
