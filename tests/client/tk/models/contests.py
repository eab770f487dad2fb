"""Build tournament messages of a server for tests of the window."""

from __future__ import annotations

from typing import Any

from doublecross.protocol.common import MatchSettings, TimeControl, TournamentTerms
from doublecross.protocol.server_messages import EntrantState, LobbyTournament, TournamentState

ORGANISER = "Olga"
SETTINGS = MatchSettings(
    game="dots-and-boxes",
    params={"rows": 2, "cols": 2},
    time=TimeControl(base_ms=600_000, increment_ms=1000),
)


def terms(**given: Any) -> TournamentTerms:
    """Return the terms of a round robin of one game pair, changed by `given`."""
    usual = {
        "name": "Spring",
        "format": "round-robin",
        "settings": SETTINGS,
        "people": True,
        "seed": 1,
    }
    return TournamentTerms.model_validate({**usual, **given})


def line(key: str = "t1", **given: Any) -> LobbyTournament:
    """Return the lobby's entry of a tournament, changed by `given`."""
    usual = {
        "tournament": key,
        "name": "Spring",
        "format": "round-robin",
        "settings": SETTINGS,
        "owner": ORGANISER,
        "status": "open",
        "entrants": 0,
        "people": True,
    }
    return LobbyTournament.model_validate({**usual, **given})


def entrant(player: str, **given: Any) -> EntrantState:
    """Return a player of a tournament who has played no game, changed by `given`."""
    usual = {
        "player": player,
        "engine": "",
        "state": "in",
        "online": True,
        "playing": 0,
        "place": 1,
        "games": 0,
        "points": 0.0,
        "net": 0,
    }
    return EntrantState.model_validate({**usual, **given})


def tournament_state(*entrants: EntrantState, key: str = "t1", **given: Any) -> TournamentState:
    """Return the state of a tournament as an answer; with `id=None` it is a notice."""
    usual = {
        "id": 7,
        "tournament": key,
        "terms": terms(),
        "owner": ORGANISER,
        "status": "open",
        "entrants": entrants,
        "entrants_total": len(entrants),
        "games_played": 0,
        "games_planned": None,
    }
    return TournamentState.model_validate({**usual, **given})
