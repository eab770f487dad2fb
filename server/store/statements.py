"""The SQL statements for the journal, players, games and tournaments."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, Final

import sqlalchemy as sa

from doublecross.server.core.people.accounts import PlayerRow
from doublecross.server.core.storage import GameRow, ReviewRow, TournamentChange
from doublecross.server.store.database import Fence, Query, Row
from doublecross.server.store.row_counts import counted_off
from doublecross.server.store.rows import (
    entrant_values,
    game_values,
    pairing_values,
    player_values,
    review_values,
    tournament_values,
)
from doublecross.server.store.schema import (
    EPOCH,
    LAST_ENTRY,
    counters,
    entrants,
    games,
    journal,
    pairings,
    players,
    reviews,
    tournaments,
)
from doublecross.server.store.writer import Steps, Values

# -- the epoch ---------------------------------------------------------------------------------

_EPOCH: Final = sa.select(counters.c.value).where(counters.c.name == EPOCH)
_OWN_EPOCH: Final = sa.bindparam("own_epoch", type_=sa.BigInteger())
FENCE: Final = Fence(
    raise_epoch=sa.update(counters)
    .where(counters.c.name == EPOCH)
    .values(value=counters.c.value + 1),
    read=_EPOCH,
    # The value becomes null if another server has raised it. The column refuses null, so the
    # transaction fails.
    check=sa.update(counters)
    .where(counters.c.name == EPOCH)
    .values(value=sa.case((counters.c.value == _OWN_EPOCH, counters.c.value))),
)

# -- the journal -------------------------------------------------------------------------------

# Most commits are this statement alone, so it checks the epoch itself: `frames` becomes null,
# which the column refuses, when the epoch is another one. On PostgreSQL the row of the epoch stays
# locked until the commit, so that no other server can raise it and read the journal in between.
IS_OWN_EPOCH: Final = _EPOCH.with_for_update(read=True).scalar_subquery() == _OWN_EPOCH
"""A condition on the epoch, with the parameter `own_epoch`."""
ADD_ENTRY: Final = sa.insert(journal).values(
    entry_id=sa.bindparam("new_id"),
    at_ms=sa.bindparam("new_at_ms"),
    frames=sa.case((IS_OWN_EPOCH, sa.bindparam("new_frames", type_=sa.LargeBinary()))),
)
NO_ENTRY: Final = -1
"""An id that no journal entry has."""
JOURNAL_PAGE: Final = 100
"""How many journal entries are in memory at the same time."""
PAIRING_PAGE: Final = 500
"""How many pairings are read at once; more would block the event loop for too long."""
_DELETED: Final = journal.c.entry_id == sa.bindparam("deleted_id")
_COUNT_OFF_ENTRY: Final = counted_off(journal, _DELETED)
_DELETE_ENTRY: Final = sa.delete(journal).where(_DELETED)
_HIGHEST_ENTRY: Final = sa.select(sa.func.max(journal.c.entry_id)).scalar_subquery()
RAISE_LAST_ENTRY: Final = (
    sa.update(counters)
    .where(counters.c.name == LAST_ENTRY, counters.c.value < _HIGHEST_ENTRY)
    .values(value=_HIGHEST_ENTRY)
)
LAST_ENTRY_ID: Final = sa.select(
    _HIGHEST_ENTRY,
    sa.select(counters.c.value).where(counters.c.name == LAST_ENTRY).scalar_subquery(),
)


def journal_page(after: int | None) -> Query:
    """Select the first journal entries, or the next ones after the id `after`."""
    page = sa.select(journal).order_by(journal.c.entry_id).limit(JOURNAL_PAGE)
    return page if after is None else page.where(journal.c.entry_id > after)


def delete_entries(entry_ids: Sequence[int]) -> Steps:
    """Delete journal entries, and first store the highest id ever used."""
    rows = [{"deleted_id": entry_id} for entry_id in entry_ids]
    return [(RAISE_LAST_ENTRY, [{}]), (_COUNT_OFF_ENTRY, rows), (_DELETE_ENTRY, rows)]


# -- rows with a key ---------------------------------------------------------------------------

# Both databases have an upsert, but SQLAlchemy has a different construct for each. Two statements
# work on both, and never delete a row.


def add_missing(table: sa.Table, **values: sa.ColumnElement[Any]) -> sa.Insert:
    """Return the statement that adds a row if there is none with its key.

    Its parameters have the names of the columns; `values` replace some of them.
    """
    given = {c.name: sa.bindparam(c.name, type_=c.type) for c in table.c}
    missing = ~sa.exists().where(*(column == given[column.name] for column in table.primary_key))
    row = sa.select(*(values.get(name, value) for name, value in given.items())).where(missing)
    return sa.insert(table).from_select(list(given), row)


def _change(table: sa.Table, names: Iterable[str]) -> sa.Update:
    """Return the statement that changes these columns of the row with a key.

    Its parameters are ``of_...`` for the key and ``new_...`` for the columns.
    """
    key = (column == sa.bindparam(f"of_{column.name}") for column in table.primary_key)
    return sa.update(table).where(*key).values({n: sa.bindparam(f"new_{n}") for n in names})


# -- players -----------------------------------------------------------------------------------

_SHOWN: Final = ("kind", "engine", "engine_version")
"""The columns that a later login of a player can change."""
_CHANGE_PLAYER: Final = _change(players, _SHOWN)
_ADD_PLAYER: Final = add_missing(players)
SET_LOOK: Final = (
    sa.update(players)
    .where(players.c.name_key == sa.bindparam("of_key"))
    .values(look=sa.bindparam("new_look"))
)


_KEY: Final = sa.bindparam("of_key", type_=sa.String())
ALIKE: Final = (
    sa.select(players)
    .where(sa.or_(players.c.name_key == _KEY, players.c.look == sa.bindparam("of_look")))
    # Names of an earlier version may look alike; of those one is enough.
    .order_by(players.c.name_key != _KEY)
    .limit(2)
)
"""Select the player with a name, and another one whose name looks like it."""


def store_players(rows: Iterable[PlayerRow]) -> Steps:
    """Add new players; of known ones, change the kind and the engine."""
    # A name may occur once only, so the last row of each name counts.
    changed = {values["name_key"]: values for values in map(player_values, rows)}
    shown = [
        {"of_name_key": key, **{f"new_{name}": values[name] for name in _SHOWN}}
        for key, values in changed.items()
    ]
    return [(_CHANGE_PLAYER, shown), (_ADD_PLAYER, list(changed.values()))]


# -- games -------------------------------------------------------------------------------------

# The account ids come from the table of players: a player with an unfinished game, or with a row
# that waits here, can neither get another name nor be deleted.
_ACCOUNT_OF: Final = {
    f"player_{seat}_id": sa.select(players.c.account_id)
    .where(players.c.name_key == sa.bindparam(f"player_{seat}_key", type_=sa.String()))
    .scalar_subquery()
    for seat in (0, 1)
}
_ADD_GAME: Final = add_missing(games, **_ACCOUNT_OF)
RATED: Final = [
    games.c[name]
    for name in (
        *("game_id", "game", "size", "player_0", "player_1", "engine_0", "engine_1"),
        *("winner", "termination", "finished_ms", "moves_0", "moves_1", "plies"),
    )
]
"""The columns that ratings need."""
SEARCHED: Final = 5000
"""Among how many of the last games of a player in each seat those against somebody are found."""
LISTED: Final = [column for column in games.c if column.name != "record"]
"""All columns without the long text record."""


def add_games(rows: Iterable[GameRow]) -> Steps:
    """Store finished games; skip those whose id is already stored."""
    return [(_ADD_GAME, [game_values(row) for row in rows])]


def newest_games(
    limit: int,
    before_ms: int | None,
    before_id: str,
    *,
    player: str | None,
    opponent: str | None,
    game: str | None,
    records: bool,
) -> Query:
    """Select the newest public games; see `SqlStore.games`."""
    chosen: sa.ColumnElement[bool] = _public(True) & _before(before_ms, before_id)
    if game is not None:
        chosen &= games.c.game == game
    if player is not None and opponent is not None:
        # No index has both players, so a search for few games must end somewhere.
        found = _newest_of(player, [chosen], SEARCHED)
        key = opponent.casefold()
        chosen = found & sa.or_(games.c.player_0_key == key, games.c.player_1_key == key)
    elif player is not None:
        chosen = _newest_of(player, [chosen], limit)
    return _newest(list(games.c) if records else LISTED, chosen, limit)


def newest_own_games(
    player: str, account_id: str, limit: int, before_ms: int | None, before_id: str
) -> Query:
    """Select the newest games of a player, private ones included; see `SqlStore.own_games`."""
    before = _before(before_ms, before_id)
    chosen = [_public(public) & before for public in (True, False)]
    return _newest(LISTED, _newest_of(player, chosen, limit, account_id), limit)


def _public(public: bool) -> sa.ColumnElement[bool]:
    return games.c.private == (sa.false() if public else sa.true())


def _before(before_ms: int | None, before_id: str) -> sa.ColumnElement[bool]:
    """Choose the games that ended before a game, which ended at `before_ms`."""
    if before_ms is None:
        return sa.true()
    same_ms = sa.and_(games.c.finished_ms == before_ms, games.c.game_id < before_id)
    # The first condition is redundant, but lets databases use the index.
    return sa.and_(
        games.c.finished_ms <= before_ms, sa.or_(games.c.finished_ms < before_ms, same_ms)
    )


def _newest_of(
    player: str,
    chosen: Sequence[sa.ColumnElement[bool]],
    limit: int,
    account_id: str | None = None,
) -> sa.ColumnElement[bool]:
    """Choose what is among the `limit` newest games of a player for one of the conditions.

    With `account_id` these are only the games which that account played under this name.
    """
    # One search for each seat and condition, so that each reads at most `limit` rows of its index.
    seats = [
        _newest([games.c.game_id], each & _is_seated(seat, player, account_id), limit).subquery()
        for each in chosen
        for seat in (0, 1)
    ]
    return games.c.game_id.in_(sa.union(*(sa.select(seat.c.game_id) for seat in seats)))


def _is_seated(seat: int, player: str, account_id: str | None) -> sa.ColumnElement[bool]:
    # The key has an index; the account has none.
    named = games.c[f"player_{seat}_key"] == player.casefold()
    return named if account_id is None else named & (games.c[f"player_{seat}_id"] == account_id)


def _newest(columns: Sequence[sa.Column[Any]], chosen: sa.ColumnElement[bool], limit: int) -> Query:
    newest = (games.c.finished_ms.desc(), games.c.game_id.desc())
    return sa.select(*columns).where(chosen).order_by(*newest).limit(limit)


def oldest_games(
    columns: Sequence[sa.Column[Any]],
    chosen: sa.ColumnElement[bool],
    limit: int,
    last: Row | GameRow | None,
) -> Query:
    """Select the games that ended first, or the next ones after the game `last`."""
    order = (games.c.finished_ms, games.c.game_id)
    query = sa.select(*columns).where(chosen).order_by(*order).limit(limit)
    if last is None:
        return query
    same_ms = sa.and_(games.c.finished_ms == last.finished_ms, games.c.game_id > last.game_id)
    # The first condition is redundant, but lets databases use the index.
    return query.where(
        games.c.finished_ms >= last.finished_ms,
        sa.or_(games.c.finished_ms > last.finished_ms, same_ms),
    )


# -- reviews -----------------------------------------------------------------------------------

_REMOVE_REVIEW: Final = sa.delete(reviews).where(reviews.c.game_id == sa.bindparam("removed_id"))
_ADD_REVIEW: Final = sa.insert(reviews)
# The subquery is null while there are fewer than `keep` reports. Then the statement deletes
# nothing.
_REMOVE_OLD_REVIEWS: Final = sa.delete(reviews).where(
    reviews.c.made_ms
    < sa.select(reviews.c.made_ms)
    .order_by(reviews.c.made_ms.desc())
    .limit(1)
    .offset(sa.bindparam("last_kept", type_=sa.Integer()))
    .scalar_subquery()
)


def replace_review(row: ReviewRow, keep: int) -> Steps:
    """Store a report in place of the one of the same game, and delete all but the newest `keep`."""
    return [
        (_REMOVE_REVIEW, [{"removed_id": row.game_id}]),
        (_ADD_REVIEW, [review_values(row)]),
        (_REMOVE_OLD_REVIEWS, [{"last_kept": keep - 1}]),
    ]


# -- tournaments -------------------------------------------------------------------------------


def replaced(table: sa.Table, rows: Sequence[Values]) -> Steps:
    """Store these rows of a table and replace those with the same keys."""
    if not rows:
        return []
    change, add = _replacing(table)
    changed = [
        {f"{'of' if c.primary_key else 'new'}_{c.name}": row[c.name] for c in table.c}
        for row in rows
    ]
    return [(change, changed), (add, rows)]


@cache
def _replacing(table: sa.Table) -> tuple[sa.Update, sa.Insert]:
    return _change(table, [c.name for c in table.c if not c.primary_key]), add_missing(table)


def replace_tournament(change: TournamentChange) -> Steps:
    """Store rows of a tournament and replace those with the same numbers."""
    key = change.tournament_id
    rows: list[tuple[sa.Table, list[dict[str, Any]]]] = [
        (tournaments, [] if change.row is None else [tournament_values(change.row)]),
        (entrants, [entrant_values(key, row) for row in change.entrants]),
        (pairings, [pairing_values(key, row) for row in change.pairings]),
    ]
    return [step for table, values in rows for step in replaced(table, values)]


def all_of(table: sa.Table, tournament_id: str) -> Query:
    """Select the rows of a table that belong to a tournament."""
    return sa.select(table).where(table.c.tournament_id == tournament_id)


def pairing_page(tournament_id: str, after: int) -> Query:
    """Select the first pairings of a tournament after the number `after`, in their order."""
    chosen = all_of(pairings, tournament_id).where(pairings.c.number > after)
    return chosen.order_by(pairings.c.number).limit(PAIRING_PAGE)
