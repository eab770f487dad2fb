"""The requests about seeks, challenges and arranged matches."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from doublecross.protocol.common import (
    ChallengeId,
    IdempotencyKey,
    Label,
    MatchSettings,
    PlayerName,
    Request,
    Seat,
    SeekId,
)

DeclineWord = Literal[
    "later", "too_fast", "too_slow", "not_rated", "rated", "other_size", "other_game"
]
"""Why a person declines a challenge. The challenger receives a sentence for it."""


class Seek(Request):
    """Post an open offer that any player may accept. Answer: `seek_posted`, or `room_state` when
    the same key has already led to a room.
    """

    type: Literal["seek"] = "seek"
    key: IdempotencyKey
    settings: MatchSettings = Field(description="what to play")
    seat: Seat | None = Field(default=None, description="the seat to take; null: a random one")


class QuickMatch(Request):
    """Find any opponent for these settings: accept the oldest open seek with the same settings, or
    post a new seek. Answer: `room_state` or `seek_posted`.
    """

    type: Literal["quick_match"] = "quick_match"
    key: IdempotencyKey
    settings: MatchSettings = Field(description="what to play")


class CancelSeek(Request):
    """Withdraw a seek of this player. Answer: `done`."""

    type: Literal["cancel_seek"] = "cancel_seek"
    seek: SeekId


class AcceptSeek(Request):
    """Accept another player's seek. Answer: `room_state`."""

    type: Literal["accept_seek"] = "accept_seek"
    key: IdempotencyKey
    seek: SeekId


class Challenge(Request):
    """Offer a match to one connected player. Answer: `challenge_sent`, or `room_state` when the
    same key has already led to a room.
    """

    type: Literal["challenge"] = "challenge"
    key: IdempotencyKey
    player: PlayerName = Field(description="the player to challenge")
    settings: MatchSettings = Field(description="what to play")
    seat: Seat | None = Field(default=None, description="the seat to take; null: a random one")


class CancelChallenge(Request):
    """Withdraw a challenge of this player. Answer: `done`."""

    type: Literal["cancel_challenge"] = "cancel_challenge"
    challenge: ChallengeId


class AcceptChallenge(Request):
    """Accept a challenge to this player. If a person has arranged the match (`asked_by` in
    `challenged`), the answer comes once the other bot has answered too, within 15 seconds. It is
    the error `unknown_challenge` if that bot does not play. Answer: `room_state`.
    """

    type: Literal["accept_challenge"] = "accept_challenge"
    key: IdempotencyKey
    challenge: ChallengeId


class DeclineChallenge(Request):
    """Decline a challenge to this player. A person may choose one of a few words, for which the
    challenger receives a sentence; a bot may give a reason of its own. Answer: `done`.
    """

    type: Literal["decline_challenge"] = "decline_challenge"
    challenge: ChallengeId
    word: DeclineWord | None = Field(default=None, description="why")
    reason: Label = Field(default="", description="why, for people; only bots may send it")


class ArrangeMatch(Request):
    """Let two connected bots play each other, and watch them. Only a person may ask, and only for a
    casual match. Both bots are challenged, each in the name of the other one. The answer comes once
    both have accepted. It is the error `declined` if one of them declines, or has not answered
    after 15 seconds. Answer: `room_state`.
    """

    type: Literal["arrange_match"] = "arrange_match"
    key: IdempotencyKey
    players: tuple[PlayerName, PlayerName] = Field(description="the bots for seat 0 and seat 1")
    settings: MatchSettings = Field(description="what they play")
