"""The requests about tournaments, a part of the union of all requests.

The docstrings and field descriptions appear in `docs/protocol.md`.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import Field

from doublecross.protocol.common import (
    Action,
    IdempotencyKey,
    Label,
    PlayerName,
    Request,
    TournamentId,
    TournamentTerms,
)

AtOnce = Annotated[
    int, Field(ge=1, le=256, description="how many games the player plays at the same time")
]

MOST_OPENINGS: Final = 300
"""The most openings in a request; so many of usual length fit into a frame."""


class CreateTournament(Request):
    """Open a tournament that players can join. Its creator becomes its organiser.
    Answer: `tournament_state`.
    """

    type: Literal["create_tournament"] = "create_tournament"
    key: IdempotencyKey
    terms: TournamentTerms = Field(description="format, settings and limits")
    openings: Annotated[
        tuple[Annotated[tuple[Action, ...], Field(max_length=256, fail_fast=True)], ...],
        Field(max_length=MOST_OPENINGS, fail_fast=True),
    ] = Field(
        default=(),
        description="the openings of the game pairs in their order, instead of those of the seed",
    )


class JoinTournament(Request):
    """Enter a tournament, or return to it. Its games arrive as `room_state` notices as soon as
    this player and an opponent are free. A bot states how many games it plays at the same time;
    joining again changes this number. In a tournament by days all games of a round begin at once,
    and none arrives: `your_turn` and `get_open_games` name them. Answer: `tournament_state`.
    """

    type: Literal["join_tournament"] = "join_tournament"
    tournament: TournamentId
    at_once: AtOnce = 1


class LeaveTournament(Request):
    """Leave a tournament: get no new games; games in play continue. Answer: `done`."""

    type: Literal["leave_tournament"] = "leave_tournament"
    tournament: TournamentId


class StartTournament(Request):
    """Start a tournament. Only its organiser and the server's admins may do this.
    Answer: `tournament_state`.
    """

    type: Literal["start_tournament"] = "start_tournament"
    tournament: TournamentId


class EndTournament(Request):
    """End a tournament. Only its organiser and the server's admins may do this. No new games
    start; games in play continue and count. Answer: `tournament_state`.
    """

    type: Literal["end_tournament"] = "end_tournament"
    tournament: TournamentId


class NextSeason(Request):
    """End the running season of a ladder without an end, and begin the next one with the players
    who have played or are connected. Only the organiser and the server's admins may do this. The
    next season has an id of its own; the id of any season names the running one in requests.
    Answer: the `tournament_state` of the next season.
    """

    type: Literal["next_season"] = "next_season"
    tournament: TournamentId = Field(description="the season to end")
    keep: bool = Field(default=True, description="whether it begins with the present ratings")


class SetAside(Request):
    """Exclude a player from further games of a tournament. Only its organiser and the server's
    admins may do this. Answer: `tournament_state`.
    """

    type: Literal["set_aside"] = "set_aside"
    tournament: TournamentId
    player: PlayerName = Field(description="the player to exclude")
    reason: Label = Field(default="", description="why, for people")


class TakeBack(Request):
    """Let a player who was set aside play again. Only the tournament's organiser and the server's
    admins may do this. In a running knockout nobody can come back. Answer: `tournament_state`.
    """

    type: Literal["take_back"] = "take_back"
    tournament: TournamentId
    player: PlayerName = Field(description="the player to take back")


class AddBots(Request):
    """Ask bots that are connected to join a tournament: the lobby names them until they have. Only
    its organiser and the server's admins may do this. Answer: `tournament_state`.
    """

    type: Literal["add_bots"] = "add_bots"
    tournament: TournamentId
    bots: Annotated[tuple[PlayerName, ...], Field(max_length=20)] = Field(
        description="the bots to ask"
    )


class GetTournament(Request):
    """Get the current state of a tournament. Answer: `tournament_state`."""

    type: Literal["get_tournament"] = "get_tournament"
    tournament: TournamentId
