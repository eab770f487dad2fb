"""What bots did, from a database; see `doublecross.server.core.bot_work`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

import sqlalchemy as sa

from doublecross.server.core.bot_work import ERRORS, BotGames, Failure
from doublecross.server.store.database import Database
from doublecross.server.store.schema import games


class SqlBotWork:
    """Implement `doublecross.server.core.bot_work.BotWorkStore`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def games(self, names: Collection[str], since_ms: int = 0) -> Mapping[str, BotGames]:
        """Return the games of these bots since some date, by name."""
        keys = {name.casefold(): name for name in names}
        found: dict[str, Counter[str]] = {name: Counter() for name in names}
        longest = dict.fromkeys(names, 0)
        for seat in (0, 1):
            key = games.c[f"player_{seat}_key"]
            moves, thought = games.c[f"moves_{seat}"], games.c[f"thought_{seat}_ms"]
            query = (
                sa.select(
                    *(key, games.c.winner, games.c.termination, sa.func.count()),
                    *(sa.func.sum(moves), sa.func.sum(thought)),
                    sa.func.max(games.c[f"longest_{seat}_ms"]),
                )
                .where(key.in_(keys), games.c.finished_ms >= since_ms)
                .where(games.c.termination.not_in(("aborted", "void")))
                .group_by(key, games.c.winner, games.c.termination)
            )
            rows = await self._database.read(query)
            for folded, winner, termination, number, moved, thought_ms, most in rows:
                name = keys[folded]
                outcome = "drawn" if winner is None else "won" if winner == seat else "lost"
                count = found[name]
                count[outcome] += number
                count["moves"] += int(moved)
                count["thought_ms"] += int(thought_ms)
                longest[name] = max(longest[name], int(most))
                if outcome == "lost" and termination in ERRORS:
                    count[termination] += number
        return {
            name: BotGames(
                *(count["won"], count["drawn"], count["lost"]),
                {kind: count[kind] for kind in ERRORS if count[kind]},
                *(count["moves"], count["thought_ms"], longest[name]),
            )
            for name, count in found.items()
        }

    async def failures(self, name: str, limit: int) -> Sequence[Failure]:
        """Return the newest games that a bot lost by an error."""
        found: list[Failure] = []
        for seat in (0, 1):
            query = (
                sa.select(
                    *(games.c.game_id, games.c.finished_ms, games.c[f"player_{1 - seat}"]),
                    *(games.c.game, games.c.size, games.c.termination, games.c.record),
                    *(games.c.code, games.c.output),
                )
                .where(games.c[f"player_{seat}_key"] == name.casefold())
                .where(games.c.termination.in_(ERRORS), games.c.winner == 1 - seat)
                .order_by(games.c.finished_ms.desc())
                .limit(limit)
            )
            found += [Failure(*row) for row in await self._database.read(query)]
        return sorted(found, key=lambda failure: -failure.finished_ms)[:limit]
