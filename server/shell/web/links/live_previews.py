"""Previews of rooms, offers and players, for which the lobby and the ratings are needed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from doublecross.analysis.puzzles.puzzle import GAME
from doublecross.games.record import Record, format_record
from doublecross.games.registry import make_game
from doublecross.server.shell.authority import Authority
from doublecross.server.shell.lobby.titles import title_of
from doublecross.server.shell.web.links.invitations import invitation_of
from doublecross.server.shell.web.links.previews import (
    Preview,
    Previews,
    board_of,
    record_of,
    terms_of,
)


class LivePreviews(Previews):
    """Make all previews; `stored()` waits until everything that they show is stored."""

    def __init__(self, authority: Authority, stored: Callable[..., Awaitable[None]]) -> None:
        super().__init__(authority.store)
        self._authority = authority
        self._stored = stored
        self.kinds |= {"room": self._invitation, "seek": self._invitation, "player": self._player}

    async def _invitation(self, key: str) -> Preview | None:
        found = await invitation_of(self._authority, key, None)
        if found is None or found.state not in ("open", "playing", "finished"):
            return None
        # Made before the wait, so that all of what it shows is stored after it.
        record = record_of(found.settings, self._authority.lobby.rooms.get(key))
        await self._stored()
        names = [player.name for player in found.players if player is not None]
        if len(names) > 1:
            title = f"{names[0]} against {names[1]}"
            seat, state = None, {"playing": " · being played"}.get(found.state, " · over")
        else:
            does = "waits" if found.kind == "room" else "looks"
            title, seat, state = f"{' '.join(names)} {does} for an opponent", found.seat, ""
        board = board_of(found.settings) if found.kind == "room" else ""
        return Preview(title, terms_of(found.settings, seat) + state, record, board)

    async def _player(self, key: str) -> Preview | None:
        row = await self._authority.store.player_by_name(key)
        if row is None:
            return None
        kind = f"Bot {row.engine}".strip() if row.kind == "bot" else "Player"
        rated = self._authority.ratings.of(row.name)[:3]
        now = self._authority.date()
        lines = [f"{title_of(r.game, r.size)}: {r.now(now).rating:.0f}" for r in rated]
        game = make_game(rated[0].game if rated else GAME)
        if rated:
            game = make_game(game.key, game.parse_size(rated[0].size))
        text = " · ".join([kind, *lines])
        return Preview(row.name, text, format_record(Record(game, ("A", "B"), ())))
