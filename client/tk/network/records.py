"""Fetch the record of a finished game from the server."""

from __future__ import annotations

from doublecross.client.language import tr
from doublecross.client.tk.refusal import Refusal
from doublecross.client.transport import Client
from doublecross.games.api import GameError
from doublecross.games.record import Record, parse_records


async def fetch_record(client: Client, game_id: str) -> Record:
    """Return the record of the game with this id.

    Raises:
        Refusal: this program cannot read the record.
        RequestRefused: the server has no such record.
    """
    found = await client.get_record(game_id)
    try:
        return parse_records(found.text)[0]
    except (GameError, IndexError):
        raise Refusal(tr("This program cannot read the record that the server sent.")) from None
