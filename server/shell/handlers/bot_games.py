"""Limit the games of one address with each bot that always plays here."""

from __future__ import annotations

from doublecross.protocol.common import PlayerInfo
from doublecross.server.shell.addresses.sources import is_local
from doublecross.server.shell.authority import Authority


def check_bot_games(authority: Authority, source: str, player: PlayerInfo) -> None:
    """Check that `source` may have one more game with `player`, if that is a bot of this machine.

    Raises:
        Refused: it has too many.
    """
    if player.kind == "bot" and is_local(source_of(authority, player.name)):
        opponents = authority.lobby.opponents(player.name)
        sources = (source_of(authority, name) for name in opponents)
        authority.admission.check_bot_games(source, sources)


def source_of(authority: Authority, player: str) -> str:
    """Return where a player is connected from, or came from."""
    peers = authority.peers.of(player)
    return peers[-1].source if peers else authority.used_rates.source(player)
