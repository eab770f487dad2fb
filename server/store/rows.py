"""Turns the rows of the interface into the columns of the tables and back."""

from __future__ import annotations

from typing import Any

from sqlalchemy import RowMapping

from server.store.api import GameRow, PlayerRow


def player_values(row: PlayerRow) -> dict[str, Any]:
    """The columns of a player."""
    return {
        "name_key": row.name.casefold(),
        "name": row.name,
        "kind": row.kind,
        "engine": row.engine,
        "engine_version": row.engine_version,
        "token_hash": row.token_hash,
        "created_ms": row.created_ms,
    }


def player_row(values: RowMapping) -> PlayerRow:
    """The player in these columns."""
    return PlayerRow(
        name=values["name"],
        kind=values["kind"],
        engine=values["engine"],
        engine_version=values["engine_version"],
        token_hash=values["token_hash"],
        created_ms=values["created_ms"],
    )


def game_values(row: GameRow) -> dict[str, Any]:
    """The columns of a finished game."""
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
    }


def game_row(values: RowMapping) -> GameRow:
    """The finished game in these columns; `record` is empty where it was not read."""
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
    )
