"""Tournaments of a real server in tests of the window: an organiser who is another client."""

from __future__ import annotations

from typing import Any

from protocol.server_messages import TournamentState
from tests.client.tk.harness.lobbying import Company
from tests.client.tk.models.contests import ORGANISER, terms


def organise(others: Company, **given: Any) -> str:
    """Let the organiser come, if she is not there, and open a tournament; its id."""
    if not others.has(ORGANISER):
        others.come(ORGANISER)
    made = others.ask(ORGANISER, lambda client: client.tournaments.create(terms(**given)))
    return made.tournament


def start(others: Company, tournament: str) -> None:
    """The organiser starts it."""
    others.ask(ORGANISER, lambda client: client.tournaments.start(tournament))


def look(others: Company, tournament: str) -> TournamentState:
    """How it stands, as the organiser is told."""
    return others.ask(ORGANISER, lambda client: client.tournaments.get(tournament))
