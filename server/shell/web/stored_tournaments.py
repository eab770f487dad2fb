"""Tournaments over HTTP as the database has them: the list, their records, and report files."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final, get_args

import structlog
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from doublecross.protocol.common import FormatKey
from doublecross.server.core.storage import TournamentRow
from doublecross.server.core.tournament_rows import Status
from doublecross.server.shell.lobby.titles import title_of_settings
from doublecross.server.shell.web import answers
from doublecross.server.shell.web.endpoints import (
    AFTER,
    Endpoint,
    QueryParameter,
    error,
    limit,
    next_page,
    values,
)
from doublecross.server.shell.web.reading import Reading
from doublecross.server.tournaments.core.errors import CorruptTournament
from doublecross.server.tournaments.messages import (
    StoredTournament,
    parse_terms,
    read_tournament,
    rebuild_to_show,
)

UNKNOWN: Final = {404: "There is no such tournament."}
CORRUPT: Final = {500: "Its stored rows cannot be read."}
"""The errors of addresses of one tournament."""

MAX_TOURNAMENTS: Final = 200
"""The most tournaments in one answer."""

_log = structlog.get_logger("tournaments")


def tournament_summary(row: TournamentRow, plays: bool = False) -> dict[str, Any]:
    """Return a tournament without its players and games.

    `plays` says whether the one who asks is in it. When the stored terms cannot be read, `terms` is
    None and `problem` is a sentence.
    """
    terms, title, problem = None, "", ""
    try:
        read = parse_terms(row.terms)
        terms, title = read.model_dump(mode="json"), title_of_settings(read.settings)
    except (LookupError, TypeError, ValueError):
        problem = "The stored terms of this tournament cannot be read."
    return {
        "id": row.tournament_id,
        "name": row.name,
        "format": row.format,
        "status": row.status,
        "owner": row.owner,
        "terms": terms,
        "title": title,
        "problem": problem,
        "created_ms": row.created_ms,
        "started_ms": row.started_ms,
        "finished_ms": row.finished_ms,
        "plays": plays,
    }


def stored_tournament_endpoints(reading: Reading) -> list[Endpoint]:
    """Return the endpoints."""

    async def every(request: Request) -> Response:
        rows = await reading.store.tournaments()
        chosen = values(request)
        rows = [row for row in rows if _is_chosen(row, chosen)]
        start = chosen["after"]
        newest = rows if start is None else [r for r in rows if _key(r) < start]
        more = len(newest) > chosen["limit"]
        newest = newest[: chosen["limit"]]
        onward = next_page(request, *_key(newest[-1])) if more else None
        entered = await reading.store.entered(chosen["player"]) if chosen["player"] else ()
        # Use a thread, because the terms of up to 200 tournaments have to be read.
        text = await asyncio.to_thread(
            lambda: json.dumps(
                {
                    "tournaments": [
                        tournament_summary(row, row.tournament_id in entered) for row in newest
                    ],
                    "total": len(rows),
                    "next": onward,
                }
            )
        )
        return Response(text, media_type="application/json")

    async def records(request: Request) -> Response:
        tournament_id = request.path_params["tournament_id"]
        await reading.matches.settled()
        games = await reading.store.tournament_games(tournament_id, records=True)
        known = games or await reading.store.has_tournament(tournament_id)
        if not known:
            return error(404, f"There is no tournament {tournament_id[:60]}.")
        texts = [game.record for game in games]
        if reading.signer is not None:
            sign = reading.signer.sign
            # Use a thread, because there may be thousands.
            texts = await asyncio.to_thread(lambda: [sign(text) for text in texts])
        return PlainTextResponse("\n".join(texts))

    async def trf(request: Request) -> Response:
        tournament_id = request.path_params["tournament_id"]
        await reading.matches.settled()
        try:
            found = await read_tournament(reading.store, tournament_id)
            if found is None:
                return error(404, f"There is no tournament {tournament_id[:60]}.")
            text = await asyncio.to_thread(_trf, found)
        except CorruptTournament as failed:
            return unreadable(tournament_id, failed)
        return PlainTextResponse(text)

    return [
        Endpoint(
            "/api/tournaments",
            every,
            "Tournaments, newest first. `next` is the address of the next page.",
            answers.Tournaments,
            (
                limit(MAX_TOURNAMENTS, MAX_TOURNAMENTS),
                AFTER,
                QueryParameter("status", "only those with this status", choices=get_args(Status)),
                QueryParameter("format", "only those of this format", choices=get_args(FormatKey)),
                QueryParameter("owner", "only those of this organiser"),
                QueryParameter("player", "say of each whether this player is in it"),
            ),
        ),
        Endpoint(
            "/api/tournaments/{tournament_id}/records",
            records,
            "The records of all finished games of a tournament, oldest first.",
            answers.Records,
            errors=UNKNOWN,
            is_text=True,
        ),
        Endpoint(
            "/api/tournaments/{tournament_id}/trf",
            trf,
            "A tournament as a report file of FIDE (TRF), for Swiss-Manager and other programs.",
            answers.ReportFile,
            errors={**UNKNOWN, **CORRUPT, 409: "It is a ladder, or too large for such a file."},
            is_text=True,
        ),
    ]


def _trf(stored: StoredTournament) -> str:
    """Return a tournament as a report file of FIDE."""
    _, core, _ = rebuild_to_show(stored, ())
    moments = (stored.row.started_ms, stored.row.finished_ms)
    dates = (datetime.fromtimestamp(ms / 1000, UTC) for ms in moments if ms is not None)
    return core.trf([f"{date:%Y/%m/%d}" for date in dates])


def unreadable(tournament_id: str, failed: CorruptTournament) -> Response:
    """Return the answer about a tournament whose rows cannot be read, and log why."""
    _log.error("tournament_unreadable", tournament=tournament_id, reason=str(failed))
    return error(
        500,
        f"The stored rows of tournament {tournament_id[:60]} cannot be read;"
        " the server's log has the details.",
    )


def _is_chosen(row: TournamentRow, chosen: Mapping[str, Any]) -> bool:
    """Return whether a tournament passes the filters of a request."""
    owner = chosen["owner"]
    return (
        chosen["status"] in (None, row.status)
        and chosen["format"] in (None, row.format)
        and (owner is None or owner.casefold() == row.owner.casefold())
    )


def _key(row: TournamentRow) -> tuple[int, str]:
    return row.created_ms, row.tournament_id
