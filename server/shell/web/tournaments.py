"""A tournament over HTTP with all its games, also while it is in play."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from doublecross.protocol.common import PairTag, TournamentTerms
from doublecross.protocol.spreadsheet import csv_text
from doublecross.server.core.storage import GameRow, TournamentRow
from doublecross.server.core.tournament_rows import Pairing, Tag
from doublecross.server.shell.authority import Authority
from doublecross.server.shell.identity.rights import new_id
from doublecross.server.shell.rooms.turns import turn_in
from doublecross.server.shell.web import answers
from doublecross.server.shell.web.endpoints import (
    Endpoint,
    QueryParameter,
    error,
    values,
)
from doublecross.server.shell.web.running import FinishedGames, answer_since
from doublecross.server.shell.web.stored_tournaments import (
    CORRUPT,
    UNKNOWN,
    tournament_summary,
    unreadable,
)
from doublecross.server.tournaments.core.errors import CorruptTournament
from doublecross.server.tournaments.core.tournament import Tournament
from doublecross.server.tournaments.messages import (
    NOBODY,
    StoredTournament,
    read_tournament,
    rebuild_to_show,
    tournament_state,
)
from doublecross.server.tournaments.running import RunningTournament

MOST_CURVES: Final = 6
"""The most curves of ratings in an answer, those of the best players."""
_COLUMNS: Final = (
    *("place", "player", "engine", "state", "games", "points", "net"),
    *("rating", "deviation", "last_ms"),
)
"""The columns of a table as CSV."""


def tournament_game(row: GameRow) -> dict[str, Any]:
    """Return a finished game of a tournament.

    `pair`, `game` (0 or 1) and `attempt` identify it. Lists of two are by seat. Times are in
    milliseconds.
    """
    assert row.tag is not None
    return {
        "id": row.game_id,
        "pair": row.tag.pairing,
        "game": row.tag.game,
        "attempt": row.tag.attempt,
        "players": list(row.players),
        "engines": list(row.engines),
        "winner": row.winner,
        "result": row.result,
        "scores": list(row.scores),
        "termination": row.termination,
        "plies": row.plies,
        "moves": [thought.moves for thought in row.thoughts],
        "thought_ms": [thought.total_ms for thought in row.thoughts],
        "longest_ms": [thought.longest_ms for thought in row.thoughts],
        "started_ms": row.started_ms,
        "finished_ms": row.finished_ms,
    }


async def live_games(authority: Authority, running: RunningTournament) -> list[dict[str, Any]]:
    """Return the games of a tournament that are in play, each with its room.

    Raises:
        StoreError: the database fails.
    """
    now, here = authority.now(), authority.rooms.registry.channels
    asleep = (
        await authority.director.host.asleep(running.id, frozenset(running.numbers))
        if running.by_days
        else ()
    )
    # By id, because each room has two players of the tournament.
    rooms = {
        room.id: room
        for name in running.numbers
        for room in authority.lobby.rooms.of_player(name)
        if room.status == "playing"
        and room.terms.tag is not None
        and room.terms.tag.tournament == running.id
    }
    found = {
        room.id: _live(room.id, room.terms.tag, [p.name for p in room.players if p is not None])
        for room in rooms.values()
        if room.terms.tag is not None
    }
    for row, tag in asleep:
        if row.room not in here:
            found[row.room] = _live(row.room, tag, row.players, row.to_move, row.due_ms - now)
    for room_id in found.keys() & here.keys() if running.by_days else ():
        turn = turn_in(rooms[room_id], now)
        if turn is not None:
            found[room_id] |= {"to_move": turn.player, "left_ms": turn.left_ms}
    return sorted(found.values(), key=lambda each: (each["pair"], each["game"]))


def _live(
    room: str,
    tag: PairTag,
    players: Sequence[str],
    to_move: str | None = None,
    left_ms: int | None = None,
) -> dict[str, Any]:
    return {
        "room": room,
        "pair": tag.pairing,
        "game": tag.game,
        "attempt": tag.attempt,
        "players": list(players),
        "to_move": to_move,
        "left_ms": None if left_ms is None else max(0, left_ms),
    }


def _whole(
    stored: StoredTournament,
    live: Collection[Tag],
    online: Collection[str],
    rooms: list[dict[str, Any]],
    next_season: str | None,
) -> dict[str, Any]:
    """Return a tournament with all its entrants, pairings and games."""
    wire, core, games = rebuild_to_show(stored, live)
    names = [entrant.name for entrant in core.entrants]
    return {
        **_head(stored.row, wire, core, online, rooms, next_season),
        "pairings": [tournament_pairing(pairing, names) for pairing in core.pairings],
        "games": [tournament_game(game) for game in games],
        "pairings_before": 0,
        "games_before": 0,
        "cursor": "",
    }


def _head(
    row: TournamentRow,
    wire: TournamentTerms,
    core: Tournament,
    online: Collection[str],
    rooms: list[dict[str, Any]],
    next_season: str | None,
    awaited: Mapping[str, int] = NOBODY,
    busy: Collection[int] = (),
) -> dict[str, Any]:
    """Return a tournament with all its entrants, without its pairings and finished games."""
    state = tournament_state(row, wire, core, online, most=None, awaited=awaited, busy=busy)
    summary = tournament_summary(row)
    if row.format == "gauntlet" and core.entrants:
        # Without a name in the terms, the hero is the first entrant, whom only the core knows.
        summary["terms"] |= {"hero": wire.hero or core.entrants[0].name}
    return {
        **summary,
        "entrants": state["entrants"],
        "games_played": state["games_played"],
        "games_planned": state["games_planned"],
        "next_ms": state["next_ms"],
        "ends_ms": state["ends_ms"],
        "next_season": next_season,
        "curves": [
            {
                "player": each.name,
                "engine": each.engine,
                "points": [(at_ms, round(rating, 1)) for at_ms, rating in curve],
            }
            for each in core.standings()[:MOST_CURVES]
            if (curve := core.curve(each.number))
        ],
        "live": rooms,
    }


def tournament_pairing(pairing: Pairing, names: Sequence[str]) -> dict[str, Any]:
    """Return a pairing; `names` are those of the entrants by number."""
    return {
        "number": pairing.number,
        "round": pairing.round,
        "players": [
            None if number is None else names[number] for number in (pairing.first, pairing.second)
        ],
        "opening": pairing.opening,
        "state": pairing.state,
    }


def _table(answer: bytes | memoryview) -> str:
    """Return the entrants of a tournament, given its JSON, as CSV."""
    found = json.loads(bytes(answer))
    breaks = found["terms"]["tie_breaks"]
    more = [at for at, key in enumerate(breaks) if key != "net"]  # that one has a column anyway
    return csv_text(
        (*_COLUMNS, *(breaks[at] for at in more)),
        (
            [*(entrant[name] for name in _COLUMNS), *(entrant["tie_breaks"][at] for at in more)]
            for entrant in found["entrants"]
        ),
    )


def tournament_endpoints(
    authority: Authority, stored: Callable[..., Awaitable[None]]
) -> list[Endpoint]:
    """Return the endpoints; `stored(games=True)` waits until all that may be shown is stored."""

    finished = FinishedGames(authority.store, new_id(), tournament_game)

    async def in_play(running: RunningTournament, online: Collection[str], since: str) -> str:
        rooms = await live_games(authority, running)
        # Take the state before the wait, so that all of it is stored after it. The rows of
        # pairings never change; a changed pairing has a new one.
        core = running.core
        awaited = authority.director.awaited(running)
        later = authority.director.registry.season_after(running.id)
        head = _head(running.row, running.wire, core, online, rooms, later, awaited, running.busy)
        pairings, names = tuple(core.pairings), [entrant.name for entrant in core.entrants]
        await stored(games=True)
        kept = await finished.read(running.id)
        # Use a thread, because thousands of pairings would block the event loop for too long.
        return await asyncio.to_thread(
            answer_since, since, kept, head, pairings, lambda row: tournament_pairing(row, names)
        )

    async def one(request: Request) -> Response:
        return await whole(request.path_params["tournament_id"], values(request)["since"] or "")

    async def table(request: Request) -> Response:
        found = await whole(request.path_params["tournament_id"], "")
        if found.status_code != 200:
            return found
        # Use a thread, because there may be thousands of games.
        text = await asyncio.to_thread(_table, found.body)
        return Response(text, media_type="text/csv; charset=utf-8")

    async def whole(tournament_id: str, since: str) -> Response:
        running = authority.director.registry.running.get(tournament_id)
        # A copy, because a thread reads it.
        online = frozenset(authority.peers.sessions)
        try:
            if running is not None and not running.stale:
                text = await in_play(running, online, since)
                return Response(text, media_type="application/json")
            # It is read as a whole from now on.
            finished.forget(tournament_id)
            await stored(games=True)
            found = await read_tournament(authority.store, tournament_id)
            if found is None:
                return error(404, f"There is no tournament {tournament_id[:60]}.")
            later = authority.director.registry.season_after(tournament_id)
            # Use a thread, because thousands of games would block the event loop for too long.
            text = await asyncio.to_thread(
                lambda: json.dumps(_whole(found, frozenset(), online, [], later))
            )
        except CorruptTournament as failed:
            return unreadable(tournament_id, failed)
        return Response(text, media_type="application/json")

    return [
        Endpoint(
            "/api/tournaments/{tournament_id}",
            one,
            "A tournament with its players, pairings and finished games. While it is in play, "
            "`since` leaves out finished games, and pairings that are done, of an earlier answer.",
            answers.TournamentAnswer,
            (QueryParameter("since", "the `cursor` of an earlier answer"),),
            errors={**UNKNOWN, **CORRUPT},
        ),
        Endpoint(
            "/api/tournaments/{tournament_id}/table",
            table,
            "The table of a tournament or of a season of a ladder as CSV, best first.",
            answers.Table,
            errors={**UNKNOWN, **CORRUPT},
            media=("text/csv",),
        ),
    ]
