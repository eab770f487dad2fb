"""Check that rows of tournaments can be read back, and that a newer row replaces an older one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from doublecross.protocol.common import PairTag
from doublecross.server.core.rooms.match import ThinkingTime
from doublecross.server.core.storage import Batch, TournamentChange, TournamentRow
from doublecross.server.core.tournament_rows import Entrant, Pairing
from doublecross.server.store import sql
from doublecross.server.store.sql import SqlStore
from doublecross.server.store.statements import PAIRING_PAGE
from tests.server.store.samples import entry, game

ROW = TournamentRow("t1", "Spring", "swiss", "open", "Ann", '{"terms": {}}', 1_700_000_000_000)
ENTRANTS = (
    Entrant(0, "Robo", "rules 1", 4, "in", "", 1_700_000_000_001, 1510.5),
    Entrant(1, "Ann", "", 1, "in", "", 1_700_000_000_002),
)
PAIRINGS = (
    Pairing(0, 0, 0, 1, (3, 17, 4), "open"),
    Pairing(1, 0, 1, None, (), "done"),
    Pairing(2, 0, 0, 1, (5, 17, 4), "open", 0),
    Pairing(3, 0, 0, 1, (), "open", 1),
    Pairing(4, 0, 0, 1, (5, 17, 4), "open", 0, repeated=True),
    Pairing(5, 0, 0, 1, (), "open", 1, repeated=True),
)


def change(**rows: object) -> Batch:
    return Batch(None, tournaments=[TournamentChange("t1", **rows)])  # type: ignore[arg-type]


async def test_tournaments_are_read_back_unchanged(store: SqlStore) -> None:
    assert await store.tournament("t1") is None
    await store.commit(change(row=ROW, entrants=ENTRANTS, pairings=PAIRINGS))
    assert await store.tournament("t1") == (ROW, [*ENTRANTS], [*PAIRINGS])
    assert await store.tournaments() == [ROW]


async def test_a_player_is_in_the_tournaments_that_go_on(store: SqlStore) -> None:
    await store.commit(change(row=ROW, entrants=[replace(ENTRANTS[0], state="left"), ENTRANTS[1]]))
    assert [await store.entered(name) for name in ("Robo", "Ann")] == [set(), {"t1"}]
    await store.commit(change(row=replace(ROW, status="finished")))
    assert await store.entered("Ann") == set()


async def test_more_pairings_than_one_page_come_back_in_order(store: SqlStore) -> None:
    many = [
        Pairing(n, 0, n % 2, 1 - n % 2, (n % 7,), "open", n % 7, repeated=n >= 7)
        for n in range(2 * PAIRING_PAGE + 1)
    ]
    await store.commit(change(row=ROW, entrants=ENTRANTS, pairings=many))
    assert await store.tournament("t1") == (ROW, [*ENTRANTS], many)


async def test_a_row_replaces_the_one_of_its_number(store: SqlStore) -> None:
    await store.commit(change(row=ROW, entrants=ENTRANTS, pairings=PAIRINGS))
    later = replace(ROW, status="running", started_ms=1_700_000_001_000)
    aside = replace(ENTRANTS[0], state="aside", reason="lost 3 games in a row by crash")
    done = replace(PAIRINGS[0], state="unplayed")
    new = Pairing(6, 1, 1, 0, (1,), "open")
    await store.commit(change(entrants=[aside]))
    await store.commit(change(row=later, pairings=[done, new]))
    assert await store.tournament("t1") == (later, [aside, ENTRANTS[1]], [done, *PAIRINGS[1:], new])


async def test_tournaments_and_events_are_stored_together_or_not_at_all(
    store: SqlStore,
) -> None:
    await store.commit(Batch(entry(1), tournaments=[TournamentChange("t1", ROW)]))
    assert await store.last_entry_id() == 1
    assert await store.tournaments() == [ROW]


async def test_games_of_a_tournament_in_the_order_in_which_they_ended(store: SqlStore) -> None:
    tag = PairTag(tournament="t1", pairing=0, game=0, attempt=1)
    thoughts = (ThinkingTime(30, 4000, 900), ThinkingTime(29, 20, 5))
    first = game("g2", tag=tag, thoughts=thoughts, finished_ms=10)
    second = game("g1", tag=tag.model_copy(update={"game": 1}), finished_ms=20)
    other = game("g3", tag=tag.model_copy(update={"tournament": "t2"}), finished_ms=5)
    await store.commit(Batch(None, [second, first, other, game("g4")]))
    listed = await store.tournament_games("t1")
    assert listed == [replace(first, record=""), replace(second, record="")]
    assert await store.tournament_games("t1", records=True) == [first, second]
    assert (await store.game("g4")).tag is None  # type: ignore[union-attr]


async def test_many_games_come_in_parts_and_none_is_missed(
    store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    tag = PairTag(tournament="t1", pairing=0, game=0, attempt=1)
    rows = [game(f"g{n}", tag=tag, finished_ms=10 + n // 4) for n in range(9)]
    await store.commit(Batch(None, rows[::-1]))
    for size in (1, 2, 3, 4, 9, 10):  # the last page is full, or not
        monkeypatch.setattr(sql, "_TOURNAMENT_PAGE", size)
        assert await store.tournament_games("t1", records=True) == rows
        for at, row in enumerate(rows):
            later = await store.tournament_games("t1", records=True, after=row)
            assert later == rows[at + 1 :]
    assert await store.count_tournament_games("t1") == 9
    assert await store.count_tournament_games("t2") == 0
