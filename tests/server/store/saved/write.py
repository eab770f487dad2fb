"""Write the database of a server as SQL, for tests of databases that were made before.

Run this file in the checkout of a version, and name the file for the revision of its tables::

    python -m tests.server.store.saved.write tests/server/store/saved/r0007.sql

The server stops in good order. Then the database has:

- Ann and Ben, who are people, and the bots Cid, Dee and Eve;
- a room in which Ann waits, and one in play between Ann and Ben after three moves;
- a finished rated game between Cid and Dee, and a casual one between Ann and Ben that Ann resigned;
- a round robin of the bots, Ann's, with two games played to the end and one in play.

Whoever changes the rows of this revision in a later one keeps the file.
"""

from __future__ import annotations

import asyncio
import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path

from doublecross.server.shell.app import DoublecrossServer
from doublecross.server.shell.settings import ServerSettings
from tests.server.store.saved.players import SETTINGS, JsonPlayer, games_in_play, play


async def fill(url: str) -> None:
    """Play what the module's docstring lists."""
    people = {name: await JsonPlayer.arrive(url, name) for name in ("Ann", "Ben")}
    bots = {name: await JsonPlayer.arrive(url, name, bot=True) for name in ("Cid", "Dee", "Eve")}
    ann, ben = people.values()
    cid, dee, _ = bots.values()
    await ann.create("waiting", settings=SETTINGS)
    room = await ann.create("in-play", settings=SETTINGS)
    await ben.ask({"type": "join_room", "room": room})
    await play(people, room, 3)
    room = await cid.create("rated", settings=SETTINGS)
    await dee.ask({"type": "join_room", "room": room})
    await play(bots, room)
    room = await ann.create("casual", settings={**SETTINGS, "rated": False})
    await ben.ask({"type": "join_room", "room": room})
    await ann.ask({"type": "resign", "room": room})
    terms = {"name": "Spring", "format": "round-robin", "settings": SETTINGS, "seed": 5}
    made = await ann.ask(
        {"type": "create_tournament", "key": "spring", "terms": {**terms, "games_at_once": 1}}
    )
    tournament = made["tournament"]
    for bot in bots.values():
        await bot.ask({"type": "join_tournament", "tournament": tournament})
    await ann.ask({"type": "start_tournament", "tournament": tournament})
    for most in (7, 7, 2):
        while not (games := await games_in_play(ann)):  # noqa: ASYNC110
            await asyncio.sleep(0.05)
        await play({**people, **bots}, games[0], most)
    for player in (*people.values(), *bots.values()):
        await player.close()


async def main(target: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "games.db"
        server = DoublecrossServer(
            ServerSettings(host="127.0.0.1", port=0, http_port=0, database=str(database))
        )
        await server.start()
        await fill(server.addresses.ws)
        await server.stop()
        with closing(sqlite3.connect(database)) as connection:
            text = "\n".join(connection.iterdump())
    Path(target).write_text(text + "\n", encoding="utf-8")  # noqa: ASYNC240


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
