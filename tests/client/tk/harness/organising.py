"""Organise tournaments on a real server for tests of the window, from another connection."""

from __future__ import annotations

from typing import Any

from doublecross.protocol.server_messages import TournamentState
from tests.client.tk.harness.lobbying import Company
from tests.client.tk.models.contests import ORGANISER, terms


def organise(others: Company, **given: Any) -> str:
    """Connect the organiser if necessary, create a tournament and return its id."""
    if not others.has(ORGANISER):
        others.connect(ORGANISER)
    made = others.ask(ORGANISER, lambda client: client.tournaments.create(terms(**given)))
    return made.tournament


def start(others: Company, tournament: str) -> None:
    """Start a tournament as its organiser."""
    others.ask(ORGANISER, lambda client: client.tournaments.start(tournament))


def look(others: Company, tournament: str) -> TournamentState:
    """Return the state of a tournament, as the server sends it to the organiser."""
    return others.ask(ORGANISER, lambda client: client.tournaments.get(tournament))
