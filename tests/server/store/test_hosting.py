"""A name changes in all tables at once, and nobody else's rows do."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from doublecross.games.record import Record, format_record, parse_record
from doublecross.games.registry import game_class
from doublecross.server.core.people.accounts import (
    Account,
    AuditEntry,
    Ban,
    PlayerRow,
    Renaming,
    Token,
)
from doublecross.server.core.rooms.plans import Plan, PlanRow
from doublecross.server.core.storage import (
    Batch,
    GameRow,
    StoreError,
    TournamentChange,
    TournamentRow,
)
from doublecross.server.core.tournament_rows import Entrant
from doublecross.server.store.people import hosting
from doublecross.server.store.sql import SqlStore
from tests.server.store.samples import game

ANN, BOB, ANNE = (
    PlayerRow(name, "human", "", "", bytes([n]) * 32, 5, f"1 {name.lower()}", f"a{n}")
    for n, name in enumerate(("Ann", "Bob", "Anne"))
)
NEW = Renaming(ANN, "Cy \\ 100%", "1 cy")


def played(game_id: str, first: str, second: str, **more: object) -> GameRow:
    reason = f"Called off by {first}." if game_id.endswith("1") else f"{first} was away."
    record = Record(
        game_class("nim")(), (first, second), (), tags=(("Reason", reason), ("Room", first))
    )
    return game(game_id, players=(first, second), record=format_record(record), **more)


async def fill(store: SqlStore) -> None:
    terms: dict[str, Any] = {"hero": "Ann", "invited": ["Bob", "Ann"], "name": "Ann's cup"}
    terms["anchors"] = [{"player": "Ann", "rating": 1500.0}]
    carried = [["Ann", "rules 1", 1600.0, 50.0, 0.06]]
    text = json.dumps({"terms": terms, "openings": [[]], "carried": carried})
    row = TournamentRow("t1", "Ann's cup", "gauntlet", "finished", "Ann", text, 1, owner_id="a0")
    other = replace(row, tournament_id="t2", owner="Anne", owner_id="a2", terms=text[:-1] + "}")
    entered = [Entrant(n, name, "", 1, "in", "", 1) for n, name in enumerate(("Ann", "Anne"))]
    await store.commit(
        Batch(
            None,
            games=[
                played("g1", "Ann", "Bob"),
                played("g2", "Bob", "Ann", private=True),
                played("g3", "Bob", "Anne"),
                played("g4", "Ann", "Anne", finished_ms=1),
            ],
            players=[ANN, BOB, ANNE],
            tournaments=[TournamentChange("t1", row, entered), TournamentChange("t2", other)],
        )
    )
    await store.accounts.claim(Account("a0", "hash"), b"u" * 32, _token("s", "a0"))
    await store.accounts.add_token(_token("x", "a1"))


def _token(token_id: str, account_id: str) -> Token:
    hashed = token_id.encode() * 32
    return Token(token_id, hashed, account_id, "session", "", (), 1, 1, None)


async def test_a_name_changes_everywhere(store: SqlStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hosting, "_PAGE", 1)
    await fill(store)
    pages = [page async for page in store.accounts.games_of(ANN)]
    assert sorted(row["game_id"] for page in pages for row in page) == ["g1", "g2", "g4"]
    await store.accounts.rename(NEW)
    name = NEW.name
    rows = {game_id: await store.game(game_id) for game_id in ("g1", "g2", "g3", "g4")}
    found = {game_id: row.players for game_id, row in rows.items() if row is not None}
    assert found == {
        "g1": (name, "Bob"),
        "g2": ("Bob", name),
        "g3": ("Bob", "Anne"),
        "g4": (name, "Anne"),
    }
    for game_id, players in found.items():
        row = rows[game_id]
        assert row is not None
        assert parse_record(row.record).players == players
    first = rows["g1"]
    assert first is not None
    assert dict(parse_record(first.record).tags) == {
        "Reason": f"Called off by {name}.",
        "Room": "Ann",  # not a name of the player
    }
    assert first.accounts == ("a0", "a1")
    listed = await store.games(limit=9, player=name)
    assert [row.game_id for row in listed] == ["g1", "g4"]
    assert await store.games(limit=9, player="Ann") == []
    tournaments = {row.tournament_id: row for row in await store.tournaments()}
    assert (tournaments["t1"].owner, tournaments["t2"].owner) == (name, "Anne")
    for row in tournaments.values():
        stored_terms = json.loads(row.terms)
        terms = stored_terms["terms"]
        assert stored_terms["carried"][0][0] == name
        assert terms["anchors"][0]["player"] == name
        assert (terms["hero"], terms["invited"]) == (name, ["Bob", name])
        assert terms["name"] == "Ann's cup"
    stored = await store.tournament("t1")
    assert stored is not None
    assert [entrant.name for entrant in stored[1]] == [name, "Anne"]
    renamed = await store.accounts.account_named(name.upper())
    assert renamed is not None
    assert (renamed.player.account_id, renamed.player.look) == ("a0", "1 cy")
    assert renamed.account.password_hash == "hash"
    assert await store.accounts.account_named("Ann") is None
    (cup,) = await store.accounts.tournaments_of(renamed.player)
    assert (cup["tournament_id"], cup["entrant"]["number"]) == ("t1", 0)


async def test_a_deletion_ends_the_account_and_its_tokens_only(store: SqlStore) -> None:
    await fill(store)
    await store.accounts.add_ban(Ban("b", "a0", None, None, "", 1, "host"))
    for account_id in ("a0", "a0", "a1"):
        await store.progress.store(account_id, {"lessons": {"solved": [account_id]}})
        await store.notes.write(account_id, "g1", f"of {account_id}", 1)
    made = Plan(2, 3, 1, ((4, 5), (6, 7)))
    rows = [PlanRow("r1", seat, f"a{seat}", made) for seat in (0, 1)]
    await store.commit(Batch(None, plans=[PlanRow("r1", 1, "a1", Plan(1, 0, 0, ())), *rows]))
    assert await store.plans.of_room("r1") == [made, made]
    (mine,) = await store.plans.of_player("a0")
    assert (mine["room"], mine["lines"]) == ("r1", [[4, 5], [6, 7]])
    assert await store.progress.documents("a0") == {"lessons": {"solved": ["a0"]}}
    await store.accounts.rename(replace(NEW, name="deleted-x", unused_hash=b"v" * 32))
    gone = await store.accounts.account_named("deleted-x")
    assert gone is not None
    assert not gone.account.is_claimed
    assert await store.accounts.login(b"s" * 32) is None
    assert await store.accounts.login(b"u" * 32) is None
    assert [token.token_id for token in await store.accounts.tokens(["a0", "a1"])] == ["x"]
    assert [ban.account_id for ban in await store.accounts.bans()] == ["a0"]
    assert not await store.progress.documents("a0")
    assert await store.progress.documents("a1")
    assert [await store.notes.note(each, "g1") for each in ("a0", "a1")] == ["", "of a1"]
    assert await store.plans.of_room("r1") == [None, made]
    await store.commit(Batch(None, plans=[PlanRow("r1", 1)]))
    assert await store.plans.of_room("r1") == [None, None]
    # A player with the old name is another one.
    await store.commit(Batch(None, players=[replace(ANN, account_id="a9")]))
    assert [page async for page in store.accounts.games_of(replace(ANN, account_id="a9"))] == []


async def test_a_rename_that_fails_changes_nothing(store: SqlStore) -> None:
    await fill(store)
    with pytest.raises(StoreError):
        await store.accounts.rename(replace(NEW, name="Bob"))
    row = await store.game("g1")
    assert row is not None
    assert row.players == ("Ann", "Bob")
    assert '[Seat0 "Ann"]' in row.record


async def test_players_are_found_by_a_part_of_the_name(store: SqlStore) -> None:
    await fill(store)
    await store.accounts.rename(NEW)
    await store.accounts.claim(Account("a2", run_by="a1"), b"w" * 32, None)
    found = [(login.player.name, by) for login, by in await store.accounts.search("", 9)]
    assert found == [("Anne", "Bob"), ("Bob", None), (NEW.name, None)]
    for text, names in (("NN", ["Anne"]), ("%", [NEW.name]), ("\\", [NEW.name]), ("_", [])):
        found = [(login.player.name, by) for login, by in await store.accounts.search(text, 9)]
        assert [name for name, _ in found] == names
    assert len(await store.accounts.search("", 2)) == 2


async def test_the_audit_log_of_one_player(store: SqlStore) -> None:
    for number, (actor_id, target) in enumerate([("a0", "Bob"), ("", "Ann"), ("", "Bob")]):
        await store.accounts.add_audit(AuditEntry(number, actor_id, "x", "", "kick", target, ""))
    assert [entry.at_ms for entry in await store.accounts.audit_about(ANN)] == [1, 0]


async def test_the_newest_date_is_that_of_a_game_a_token_or_a_ban(store: SqlStore) -> None:
    assert await store.accounts.newest_date() is None
    await store.commit(Batch(None, games=[game("g1", finished_ms=5)]))
    assert await store.accounts.newest_date() == 5
    await store.commit(Batch(None, games=[game("g2", finished_ms=6, private=True)]))
    assert await store.accounts.newest_date() == 6
    await store.accounts.add_token(_token("s", "a0"))
    await store.accounts.use_token("s", 7, None)
    assert await store.accounts.newest_date() == 7
    await store.accounts.add_ban(Ban("b", "a0", None, 9, "", 8, "host"))
    assert await store.accounts.newest_date() == 8
    await store.accounts.use_token("s", 7, 9)
    await store.accounts.delete_expired(9)
    assert len(await store.accounts.bans()) == len(await store.accounts.tokens(["a0"])) == 1
    await store.accounts.delete_expired(10)
    assert [*await store.accounts.bans(), *await store.accounts.tokens(["a0"])] == []


async def test_games_against_levels_count_from_the_empty_board(store: SqlStore) -> None:
    await fill(store)
    engines = ("", "easy 1")
    others = (
        {"engines": ("", "easygoing 1")},
        {"engines": engines, "termination": "aborted"},
        {"engines": engines, "record": '[Opening "a1"]'},
    )
    rows = [
        played("e1", "Ann", "Bob", engines=engines, winner=None, finished_ms=9),
        played("e2", "Bob", "Ann", engines=engines[::-1], winner=1, finished_ms=8, private=True),
        *(replace(game(f"x{n}", players=("Ann", "Bob")), **row) for n, row in enumerate(others)),
    ]
    await store.commit(Batch(None, games=rows))
    found = await store.progress.level_games("ann", "a0", ("easy", "hard"))
    assert [each[2:] for each in found] == [("easy", 1), ("easy", 0)]
    assert not await store.progress.level_games("ann", "a9", ("easy",))
