"""Check that stored data can be read back: the journal, players and games."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
import sqlalchemy as sa

from doublecross.server.core.storage import Batch, GameRow, JournalEntry, Store, StoreError
from doublecross.server.store.schema import row_counts
from doublecross.server.store.sql import SqlStore
from doublecross.server.store.statements import newest_own_games
from tests.server.store.samples import GAME, PLAYER, batch, entry, full_batch, game


async def _ids(store: Store) -> list[int]:
    return [found.entry_id async for found in store.journal()]


async def test_a_whole_batch_is_read_back(url: str) -> None:
    first = JournalEntry(7, 123, bytes(range(256)) * 20)
    store = await SqlStore.open(url)
    await store.commit(Batch(first, [GAME], [PLAYER]))
    await store.close()

    store = await SqlStore.open(url)
    assert [found async for found in store.journal()] == [first]
    assert await store.has_entry(7)
    assert await store.last_entry_id() == 7
    assert await store.game("g1") == replace(GAME, accounts=("a1", None))
    assert await store.player_by_name("aNN") == PLAYER
    login = await store.accounts.login(PLAYER.token_hash)
    assert login is not None
    assert login.player == PLAYER
    await store.close()


async def test_the_journal_comes_in_order_and_in_pages(
    store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("doublecross.server.store.statements.JOURNAL_PAGE", 3)
    for entry_id in (5, 1, 9, 3, 10, 2, 8):
        await store.commit(batch(entry_id))
    assert await _ids(store) == [1, 2, 3, 5, 8, 9, 10]
    await store.delete_entries([10])
    assert await _ids(store) == [1, 2, 3, 5, 8, 9]  # the last page is full


async def test_the_last_entry_id_never_goes_back(url: str) -> None:
    store = await SqlStore.open(url)
    for entry_id in range(1, 6):
        await store.commit(batch(entry_id))
    await store.delete_entries({4, 5, 77})
    assert await store.last_entry_id() == 5
    await store.delete_entries([1, 2, 3])
    assert await store.last_entry_id() == 5
    assert not await store.has_entry(3)
    await store.close()

    store = await SqlStore.open(url)
    assert await store.last_entry_id() == 5
    await store.commit(batch(6))
    await store.delete_entries([])
    assert await store.last_entry_id() == 6
    await store.close()


async def test_a_check_by_writing_leaves_the_number_of_entries_right(store: SqlStore) -> None:
    await store.commit(Batch(entry(1)))
    await store.check_writable()
    await store.check_writable()
    counted = sa.select(sa.func.sum(row_counts.c.counted))
    ((number,),) = await store._database.read(counted.where(row_counts.c.table_name == "journal"))
    assert number == len(await _ids(store)) == 1
    assert await store.last_entry_id() == 1


async def test_an_entry_id_is_used_once_and_the_batch_fails_whole(store: SqlStore) -> None:
    await store.commit(batch(1, b"first"))
    with pytest.raises(StoreError, match=r"^The database could not be written: .*\.$"):
        await store.commit(batch(1, b"second"))
    with pytest.raises(StoreError):
        await store.commit(Batch(entry(1), [GAME], [PLAYER]))
    assert [found.frames async for found in store.journal()] == [b"first"]
    assert await store.game("g1") is None
    assert await store.player_by_name("Ann") is None
    await store.commit(full_batch(2))
    assert await store.has_entry(2)


async def test_a_known_game_is_ignored(store: SqlStore) -> None:
    await store.commit(Batch(entry(1), [GAME]))
    await store.commit(
        Batch(entry(2), [replace(GAME, result="0-1"), game("g2"), game("g2", plies=1)])
    )
    assert await store.game("g1") == GAME
    assert await store.game("g2") == game("g2")
    assert await store.has_entry(2)


async def test_of_a_known_player_only_kind_and_engine_change(store: SqlStore) -> None:
    bot = replace(PLAYER, name="Straße", kind="bot", engine="rules", engine_version="1")
    again = replace(bot, name="STRASSE", engine_version="2", token_hash=b"y" * 32, account_id="b")
    await store.commit(Batch(None, players=[bot]))
    await store.commit(Batch(None, players=[replace(again, engine_version="x"), again]))
    assert await store.player_by_name("strasse") == replace(bot, engine_version="2")
    assert await store.accounts.login(again.token_hash) is None


async def test_two_players_never_share_a_token(store: SqlStore) -> None:
    await store.commit(Batch(None, players=[PLAYER]))
    with pytest.raises(StoreError):
        await store.commit(Batch(None, players=[replace(PLAYER, name="Bob", account_id="b1")]))
    assert await store.player_by_name("Bob") is None
    login = await store.accounts.login(PLAYER.token_hash)
    assert login is not None
    assert login.player == PLAYER


async def test_games_are_listed_newest_first_page_by_page(store: SqlStore) -> None:
    rng = random.Random(1)
    names = ["Ann", "ANN", "bob", "Straße", "STRASSE"]
    stored = [
        game(
            f"g{number:02}",
            players=(rng.choice(names), rng.choice(names)),
            game=rng.choice(["dots_and_boxes", "tic_tac_toe"]),
            finished_ms=rng.randrange(20),
            private=rng.random() < 0.3,
        )
        for number in range(60)
    ]
    ids = {"ann": "a", "bob": "b", "strasse": "s"}
    known = [
        replace(PLAYER, name=name, token_hash=name.encode() * 8, account_id=ids[name])
        for name in ids
    ]
    await store.commit(Batch(None, stored, known))
    stored = [
        replace(row, accounts=(ids[row.players[0].casefold()], ids[row.players[1].casefold()]))
        for row in stored
    ]
    newest = sorted(stored, key=lambda row: (row.finished_ms, row.game_id), reverse=True)
    for player in (None, "aNN", "strasse", "nobody"):
        for key in (None, "tic_tac_toe", "chess"):
            expected = [
                replace(row, record="")
                for row in newest
                if not row.private
                and (key is None or row.game == key)
                and (player is None or player.casefold() in [n.casefold() for n in row.players])
            ]
            assert await store.games(limit=100, player=player, game=key) == expected
            if player is not None:
                of_two = [row for row in expected if "bob" in row.players or "Bob" in row.players]
                found = await store.games(limit=99, player=player, opponent="boB", game=key)
                assert found == of_two
            before = [row for row in expected if row.finished_ms < 10]
            found = await store.games(limit=7, before_ms=10, player=player, game=key)
            assert found == before[:7]
            pages: list[GameRow] = []
            page = await store.games(limit=4, player=player, game=key)
            while page:
                assert len(page) <= 4
                pages += page
                page = await store.games(
                    limit=4,
                    before_ms=pages[-1].finished_ms,
                    before_id=pages[-1].game_id,
                    player=player,
                    game=key,
                )
            assert pages == expected
    for player, account in (("aNN", "a"), ("strasse", "s"), ("aNN", "b"), ("nobody", "n")):
        own = [
            replace(row, record="")
            for row in newest
            if account in row.accounts
            and player.casefold() in [n.casefold() for n in row.players]
            and ids.get(player.casefold()) == account
        ]
        assert await store.own_games(player, account, limit=100) == own
        pages = []
        page = await store.own_games(player, account, limit=4)
        while page:
            assert len(page) <= 4
            pages += page
            last = page[-1]
            page = await store.own_games(
                player, account, limit=4, before_ms=last.finished_ms, before_id=last.game_id
            )
        assert pages == own
    assert await store.games(limit=0) == []
    assert await store.games(limit=-1) == []
    assert await store.own_games("Ann", "a", limit=0) == []


async def test_lists_of_own_games_use_the_indices(store: SqlStore) -> None:
    query = newest_own_games("Ann", "a", 7, 10, "g7")
    if store._database._readers.dialect.name != "sqlite":
        pytest.skip("Only SQLite explains its plan like this.")
    async with store._database._readers.connect() as connection:
        text = str(query.compile(connection.sync_engine, compile_kwargs={"literal_binds": True}))
        plan = [row[3] for row in await connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {text}")]
    for seat in (0, 1):
        searched = [line for line in plan if f"ix_games_by_player_{seat} " in line]
        assert len(searched) == 2, plan
        assert all("private=? AND player" in line for line in searched), plan
    assert not any("SCAN games" in line for line in plan), plan


async def test_lists_of_games_do_not_read_the_records(store: SqlStore) -> None:
    statements: list[str] = []
    database = store._database
    sa.event.listen(
        database._sqlite.engine if database._sqlite else database._readers.sync_engine,
        "before_cursor_execute",
        lambda _connection, _cursor, statement, *_rest: statements.append(statement),
    )
    await store.commit(Batch(None, [GAME]))
    assert [row.record for row in await store.games(limit=5, player="bob")] == [""]
    assert statements
    assert not any("record" in statement for statement in statements)
