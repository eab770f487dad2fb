"""Convert the rows of the storage interface to table columns and back."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any, cast

from sqlalchemy import RowMapping

from doublecross.protocol.common import PairTag
from doublecross.server.core.people.accounts import Account, Login, PlayerRow, Scope, Token
from doublecross.server.core.rooms.match import ThinkingTime
from doublecross.server.core.storage import GameRow, ReviewRow, TournamentRow
from doublecross.server.core.tournament_rows import Entrant, Pairing


def player_values(row: PlayerRow) -> dict[str, Any]:
    """Return the columns of a player."""
    return {
        "name_key": row.name.casefold(),
        "name": row.name,
        "kind": row.kind,
        "engine": row.engine,
        "engine_version": row.engine_version,
        "token_hash": row.token_hash,
        "created_ms": row.created_ms,
        "look": row.look or None,
        "account_id": row.account_id or None,
    }


def player_row(values: RowMapping) -> PlayerRow:
    """Return the player with these columns."""
    return PlayerRow(
        name=values["name"],
        kind=values["kind"],
        engine=values["engine"],
        engine_version=values["engine_version"],
        token_hash=values["token_hash"],
        created_ms=values["created_ms"],
        look=values["look"] or "",
        account_id=values["account_id"] or "",
    )


def login_row(values: RowMapping) -> Login:
    """Return the account of a player, with the token that was given, if any.

    The columns of the account begin with ``its_``, and those of the token with ``token_``.
    """
    player = player_row(values)
    account = Account(player.account_id)
    if values["its_account_id"] is not None:
        account = Account(*(values[f"its_{field.name}"] for field in dataclasses.fields(Account)))
    return Login(
        player,
        account,
        token_row(values) if values.get("token_token_id") else None,
        values.get("token_count"),
    )


def token_row(values: RowMapping) -> Token:
    """Return the token with these columns, which begin with ``token_``."""
    found = {field.name: values[f"token_{field.name}"] for field in dataclasses.fields(Token)}
    found["scopes"] = tuple(cast("Scope", scope) for scope in found["scopes"].split())
    return Token(**found)


def game_values(row: GameRow) -> dict[str, Any]:
    """Return the columns of a finished game, without the account ids of its players."""
    return {
        "game_id": row.game_id,
        "room": row.room,
        "match": row.match,
        "game": row.game,
        "size": row.size,
        "player_0": row.players[0],
        "player_1": row.players[1],
        "player_0_key": row.players[0].casefold(),
        "player_1_key": row.players[1].casefold(),
        "engine_0": row.engines[0],
        "engine_1": row.engines[1],
        "rated": row.rated,
        "private": row.private,
        "time_control": row.time_control,
        "started_ms": row.started_ms,
        "finished_ms": row.finished_ms,
        "termination": row.termination,
        "result": row.result,
        "winner": row.winner,
        "score_0": row.scores[0],
        "score_1": row.scores[1],
        "plies": row.plies,
        "record": row.record,
        "tournament_id": None if row.tag is None else row.tag.tournament,
        "pairing": None if row.tag is None else row.tag.pairing,
        "pair_game": None if row.tag is None else row.tag.game,
        "attempt": None if row.tag is None else row.tag.attempt,
        **_thought_values(0, row.thoughts[0]),
        **_thought_values(1, row.thoughts[1]),
        "code": row.code,
        "output": row.output,
    }


def _thought_values(seat: int, thought: ThinkingTime) -> dict[str, int]:
    return {
        f"moves_{seat}": thought.moves,
        f"thought_{seat}_ms": thought.total_ms,
        f"longest_{seat}_ms": thought.longest_ms,
    }


def _thought(values: RowMapping, seat: int) -> ThinkingTime:
    return ThinkingTime(
        values[f"moves_{seat}"], values[f"thought_{seat}_ms"], values[f"longest_{seat}_ms"]
    )


def _tag(values: RowMapping) -> PairTag | None:
    if values["tournament_id"] is None:
        return None
    return PairTag(
        tournament=values["tournament_id"],
        pairing=values["pairing"],
        game=values["pair_game"],
        attempt=values["attempt"],
    )


def game_row(values: RowMapping) -> GameRow:
    """Return the finished game with these columns; `record` is empty where it was not read."""
    return GameRow(
        game_id=values["game_id"],
        room=values["room"],
        match=values["match"],
        game=values["game"],
        size=values["size"],
        players=(values["player_0"], values["player_1"]),
        engines=(values["engine_0"], values["engine_1"]),
        rated=values["rated"],
        private=values["private"],
        time_control=values["time_control"],
        started_ms=values["started_ms"],
        finished_ms=values["finished_ms"],
        termination=values["termination"],
        result=values["result"],
        winner=values["winner"],
        scores=(values["score_0"], values["score_1"]),
        plies=values["plies"],
        record=values.get("record", ""),
        tag=_tag(values),
        thoughts=(_thought(values, 0), _thought(values, 1)),
        code=values["code"],
        accounts=(values["player_0_id"], values["player_1_id"]),
        output=values["output"],
    )


def review_values(row: ReviewRow) -> dict[str, Any]:
    """Return the columns of a report."""
    return dataclasses.asdict(row)


def review_row(values: RowMapping) -> ReviewRow:
    """Return the report with these columns."""
    return ReviewRow(**{field.name: values[field.name] for field in dataclasses.fields(ReviewRow)})


def tournament_values(row: TournamentRow) -> dict[str, Any]:
    """Return the columns of a tournament."""
    return dataclasses.asdict(row)


def tournament_row(values: RowMapping) -> TournamentRow:
    """Return the tournament with these columns."""
    return TournamentRow(**values)


def entrant_values(tournament_id: str, row: Entrant) -> dict[str, Any]:
    """Return the columns of an entrant."""
    return {"tournament_id": tournament_id, **dataclasses.asdict(row)}


def entrant_row(values: RowMapping) -> Entrant:
    """Return the entrant with these columns."""
    return Entrant(**{name: values[name] for name in values if name != "tournament_id"})


def pairing_values(tournament_id: str, row: Pairing) -> dict[str, Any]:
    """Return the columns of a pairing."""
    return {
        "tournament_id": tournament_id,
        "number": row.number,
        "round": row.round,
        "first": row.first,
        "second": row.second,
        "opening": _opening_text(row),
        "state": row.state,
    }


def _opening_text(row: Pairing) -> str:
    """Return the opening of a pairing as `doublecross.server.store.schema` describes it."""
    if row.repeated:
        return f"#{row.opening_number}"
    text = ",".join(map(str, row.opening))
    return text if row.opening_number is None else f"{row.opening_number}={text}"


def pairing_rows(rows: Iterable[RowMapping]) -> list[Pairing]:
    """Return the pairings with these columns, which must be in the order of their numbers.

    Raises:
        LookupError, ValueError: an opening cannot be read, or is missing.
    """
    openings: dict[int, tuple[int, ...]] = {}
    found = []
    for values in rows:
        text, number = values["opening"], None
        repeated = text.startswith("#")
        if repeated:
            number = int(text[1:])
            opening = openings[number]
        else:
            start, equals, text = text.rpartition("=")
            opening = tuple(map(int, text.split(","))) if text else ()
            if equals:
                number = int(start)
                openings[number] = opening
        found.append(
            Pairing(
                number=values["number"],
                round=values["round"],
                first=values["first"],
                second=values["second"],
                opening=opening,
                state=values["state"],
                opening_number=number,
                repeated=repeated,
            )
        )
    return found
