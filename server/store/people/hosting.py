"""Find stored players for the host, export their data, rename and delete them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any, Final

import sqlalchemy as sa

from doublecross.server.core.people.accounts import AuditEntry, Login, PlayerRow, Renaming
from doublecross.server.core.records import renamed_record
from doublecross.server.store.database import Row
from doublecross.server.store.people.accounts import ACCOUNT, WITH_ACCOUNT, SqlAccounts
from doublecross.server.store.people.notes import deleted
from doublecross.server.store.people.social import forgotten
from doublecross.server.store.row_counts import counted_off
from doublecross.server.store.rows import login_row
from doublecross.server.store.schema import (
    accounts,
    audit,
    credentials,
    entrants,
    games,
    members,
    notes,
    plans,
    players,
    progress,
    push_subscriptions,
    tokens,
    tournaments,
)
from doublecross.server.store.statements import oldest_games
from doublecross.server.store.writer import Values

_PAGE: Final = 250
"""How many games are read at once; more would block the event loop for too long."""
_CHUNK: Final = 50
"""How many records one statement writes; others have a turn after each."""
_RECORD: Final = [
    games.c[name] for name in ("game_id", "finished_ms", "player_0_id", "player_1_id", "record")
]
_SET_RECORD: Final = (
    sa.update(games)
    .where(games.c.game_id == sa.bindparam("of_game"))
    .values(record=sa.bindparam("new_record"))
)
_SET_TERMS: Final = (
    sa.update(tournaments)
    .where(tournaments.c.tournament_id == sa.bindparam("of_tournament"))
    .values(terms=sa.bindparam("new_terms"))
)


class SqlHostedAccounts(SqlAccounts):
    """Implement the rest of `doublecross.server.core.people.accounts.AccountStore`."""

    async def search(self, text: str, limit: int) -> Sequence[tuple[Login, str | None]]:
        """Return players whose names contain `text`, newest first, with who runs each, if any."""
        person = players.alias("person")
        query = (
            sa.select(players, *ACCOUNT, person.c.name.label("runner"))
            .select_from(WITH_ACCOUNT.outerjoin(person, person.c.account_id == accounts.c.run_by))
            .where(players.c.name_key.contains(text.casefold(), autoescape=True))
            .order_by(players.c.created_ms.desc(), players.c.name_key)
            .limit(limit)
        )
        rows = await self._database.read(query)
        return [(login_row(row._mapping), row._mapping["runner"]) for row in rows]

    async def games_of(self, player: PlayerRow) -> AsyncIterator[Sequence[dict[str, Any]]]:
        """Yield pages of a player's finished games; a game against oneself comes twice."""
        async for _, page in self._games(player, list(games.c)):
            yield [dict(row._mapping) for row in page]

    async def _games(
        self, player: PlayerRow, columns: Sequence[sa.Column[Any]]
    ) -> AsyncIterator[tuple[int, Sequence[Row]]]:
        """Yield the player's seat and a page of games with these columns, until all are read."""
        for seat in (0, 1):
            # The key has an index, which begins with `private`; the account has none.
            mine = games.c[f"player_{seat}_key"] == player.name.casefold()
            mine &= games.c[f"player_{seat}_id"] == player.account_id
            for private in (sa.true(), sa.false()):
                last: Row | None = None
                chosen = mine & (games.c.private == private)
                while page := await self._database.read(oldest_games(columns, chosen, _PAGE, last)):
                    yield seat, page
                    last = page[-1]

    async def tournaments_of(self, player: PlayerRow) -> Sequence[dict[str, Any]]:
        """Return the tournaments that a player has organised or entered, oldest first."""
        mine = sa.and_(
            entrants.c.tournament_id == tournaments.c.tournament_id,
            entrants.c.name == player.name,
        )
        own = [column.label(f"its_{column.name}") for column in entrants.c]
        query = sa.select(tournaments, *own).select_from(tournaments.outerjoin(entrants, mine))
        query = query.where(
            sa.or_(tournaments.c.owner_id == player.account_id, entrants.c.name.is_not(None))
        )
        found = []
        for row in await self._database.read(query.order_by(tournaments.c.created_ms)):
            values = row._mapping
            entered = {c.name: values[f"its_{c.name}"] for c in entrants.c}
            found.append(
                {c.name: values[c.name] for c in tournaments.c}
                | {"entrant": entered if values["its_name"] is not None else None}
            )
        return found

    async def audit_about(self, player: PlayerRow) -> Sequence[AuditEntry]:
        """Return the entries of the audit log about a player or by the player, newest first."""
        about = sa.or_(
            audit.c.target == player.name,
            audit.c.target == player.account_id,
            audit.c.actor_id == player.account_id,
        )
        query = sa.select(audit).where(about).order_by(audit.c.number.desc())
        return [AuditEntry(**row._mapping) for row in await self._database.read(query)]

    # -- other names -------------------------------------------------------------------------

    async def rename(self, renaming: Renaming) -> None:
        """Give a player another name, everywhere and in one transaction.

        With `unused_hash`, also delete the account of the player and all its tokens.
        """
        player, name = renaming.player, renaming.name
        records: dict[str, str] = {}
        async for seat, page in self._games(player, _RECORD):
            # In a thread, because parsing a page of records would block the event loop for too
            # long.
            texts = {row.game_id: records.get(row.game_id, row.record) for row in page}
            records.update(await asyncio.to_thread(_renamed, texts, seat, name))
        changed = await self._changed_terms(player.name, name)
        account_id, key = player.account_id, name.casefold()
        own: dict[str, Any] = {"name": name, "name_key": key, "look": renaming.look}
        if renaming.unused_hash is not None:
            own["token_hash"] = renaming.unused_hash
        steps: list[tuple[sa.Executable, Sequence[Values]]] = [
            (sa.update(players).where(players.c.account_id == account_id).values(own), [{}])
        ]
        rows = [{"of_game": id_, "new_record": text} for id_, text in records.items()]
        steps += [
            (_SET_RECORD, rows[start : start + _CHUNK]) for start in range(0, len(rows), _CHUNK)
        ]
        for seat in (0, 1):
            mine = games.c[f"player_{seat}_key"] == player.name.casefold()
            mine &= games.c[f"player_{seat}_id"] == account_id
            values = {f"player_{seat}": name, f"player_{seat}_key": key}
            steps.append((sa.update(games).where(mine).values(values), [{}]))
        entered = sa.update(entrants).where(entrants.c.name == player.name)
        organised = sa.update(tournaments).where(tournaments.c.owner_id == account_id)
        steps += [(entered.values(name=name), [{}]), (organised.values(owner=name), [{}])]
        if changed:
            steps.append((_SET_TERMS, changed))
        if renaming.unused_hash is not None:
            steps.append((counted_off(accounts, accounts.c.account_id == account_id), [{}]))
            # Whoever deletes a person also deletes the label that tells who that was.
            mine = (members.c.account_id == account_id) | (members.c.bot_id == account_id)
            steps += [(counted_off(members, mine), [{}]), (sa.delete(members).where(mine), [{}])]
            steps.append((counted_off(progress, progress.c.account_id == account_id), [{}]))
            steps += [*deleted(notes.c.account_id == account_id), *forgotten(account_id)]
            for table in (accounts, tokens, progress, credentials, push_subscriptions, plans):
                steps.append((sa.delete(table).where(table.c.account_id == account_id), [{}]))
        await self._database.write(steps)

    async def _changed_terms(self, player: str, name: str) -> Sequence[Values]:
        """Return the changes of the terms of tournaments that name a player."""
        query = sa.select(tournaments.c.tournament_id, tournaments.c.terms)
        named = tournaments.c.terms.contains(json.dumps(player), autoescape=True) | (
            tournaments.c.terms.contains(json.dumps(player, ensure_ascii=False), autoescape=True)
        )
        found = []
        for row in await self._database.read(query.where(named)):
            terms = json.loads(row.terms)
            if _renamed_in(terms, player, name):
                text = json.dumps(terms)
                found.append({"of_tournament": row.tournament_id, "new_terms": text})
        return found


def _renamed(texts: Mapping[str, str], seat: int, name: str) -> dict[str, str]:
    return {game_id: renamed_record(text, seat, name) for game_id, text in texts.items()}


def _renamed_in(terms: dict[str, Any], player: str, name: str) -> bool:
    """Change a player's name in the terms of a tournament; return whether they name the player."""
    wire, changed = terms["terms"], False
    if wire.get("hero") == player:
        wire["hero"], changed = name, True
    if player in (wire.get("invited") or ()):
        wire["invited"] = [name if each == player else each for each in wire["invited"]]
        changed = True
    for anchor in wire.get("anchors", ()):
        if anchor["player"] == player:
            anchor["player"], changed = name, True
    for rating in terms.get("carried", ()):  # name, engine, rating, deviation, volatility
        if rating[0] == player:
            rating[0], changed = name, True
    return changed
