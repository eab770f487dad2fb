"""Answer repeated requests for a tournament in play with little work and few bytes.

Finished games and done pairings do not change any more. So finished games are read once and kept as
JSON, and the cursor of a reader says what it has already.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import re
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from doublecross.server.core.storage import GameRow, Store
from doublecross.server.core.tournament_rows import Pairing

MOST_KEPT: Final = 4
"""The number of tournaments whose finished games are kept."""

_CURSOR: Final = re.compile(r"(\w+-\d+)-(\d{1,9})-(\d{1,9})")


@dataclass(slots=True)
class KeptGames:
    """The finished games of a tournament as JSON, in an order that only grows.

    `name` changes with each restart, and whenever the order changes.
    """

    name: str
    texts: list[str] = field(default_factory=list)
    last: GameRow | None = None


class FinishedGames:
    """Read each finished game of a tournament once, and keep it as JSON.

    `name` is different for each object. `show` converts a row for JSON.
    """

    def __init__(self, store: Store, name: str, show: Callable[[GameRow], dict[str, Any]]) -> None:
        self._store = store
        self._name = name
        self._show = show
        self._numbers = itertools.count(1)
        self._turn = asyncio.Lock()
        self._kept: OrderedDict[str, KeptGames] = OrderedDict()

    async def read(self, tournament_id: str) -> KeptGames:
        """Return the finished games of a tournament. Later calls add to the same object.

        Raises:
            StoreError: the database fails.
        """
        # Two readers at the same time would add the same games twice.
        async with self._turn:
            kept = self._kept.get(tournament_id) or self._new()
            # More games may end between these two readings, but none disappears.
            count = await self._store.count_tournament_games(tournament_id)
            rows = await self._store.tournament_games(tournament_id, after=kept.last)
            if len(kept.texts) + len(rows) < count:
                # The system time was set back, so a game has a place before the last known one.
                kept, rows = self._new(), await self._store.tournament_games(tournament_id)
            if rows:
                # Use a thread, because a first reading may have thousands of games.
                kept.texts += await asyncio.to_thread(self._texts, rows)
                kept.last = rows[-1]
            self._kept[tournament_id] = kept
            self._kept.move_to_end(tournament_id)
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
            return kept

    def forget(self, tournament_id: str) -> None:
        """Drop the games of a tournament that is not in play."""
        self._kept.pop(tournament_id, None)

    def _new(self) -> KeptGames:
        return KeptGames(f"{self._name}-{next(self._numbers)}")

    def _texts(self, rows: Iterable[GameRow]) -> list[str]:
        return [json.dumps(self._show(row)) for row in rows]


def answer_since(
    since: str,
    kept: KeptGames,
    head: Mapping[str, Any],
    pairings: Sequence[Pairing],
    show: Callable[[Pairing], dict[str, Any]],
) -> str:
    """Return an answer as JSON: `head`, and the games and pairings that `since` does not name.

    `since` is the cursor of an earlier answer, or another text for all games and pairings. A done
    pairing is left out if all pairings before it were done.
    """
    # Take it once: this runs in a thread, and another reader may add games meanwhile.
    count = len(kept.texts)
    games_before = pairings_before = 0
    found = _CURSOR.fullmatch(since)
    if found is not None and found[1] == kept.name and int(found[2]) <= count:
        # Anybody may send any numbers.
        games_before, pairings_before = int(found[2]), min(int(found[3]), len(pairings))
    done = pairings_before
    while done < len(pairings) and pairings[done].state == "done":
        done += 1
    text = json.dumps(
        {
            **head,
            "pairings": [show(pairing) for pairing in pairings[pairings_before:]],
            "pairings_before": pairings_before,
            "games_before": games_before,
            "cursor": f"{kept.name}-{count}-{done}",
        }
    )
    # The games are JSON already, so put them into the text and do not encode them again.
    return f'{text[:-1]}, "games": [{", ".join(kept.texts[games_before:count])}]}}'
