"""List sessions, API tokens and bots, and check what a new token is to be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from enum import StrEnum
from typing import Final

from doublecross.client.core.accounts import AccountInfo, TokenInfo
from doublecross.client.language import day_text, plural, tr
from doublecross.client.tk.models.lobby.model import Row

LONGEST_LABEL: Final = 60
MOST_DAYS: Final = 366
USUAL_DAYS: Final = 90
OF_PEOPLE: Final = ("play", "organise")
OF_ADMINS: Final = (*OF_PEOPLE, "admin")
OF_BOTS: Final = ("bot", "organise")
"""The scopes that a token can have, by whose it is."""
SCOPES: Final = {
    "play": tr("Play as a person"),
    "bot": tr("Play as a bot"),
    "organise": tr("Manage tournaments"),
    "admin": tr("Manage the server"),
}
"""The words for what each scope allows."""
_SHORT: Final = {
    "play": tr("scope|play"),
    "bot": tr("scope|bot"),
    "organise": tr("scope|tournaments"),
    "admin": tr("scope|server"),
}
LONG_SCOPES: Final = ", ".join((_SHORT["play"], _SHORT["organise"]))
"""A usual text of the column for scopes."""


def scopes_for(account: AccountInfo, player: str) -> tuple[str, ...]:
    """Return the scopes that a token of `player` can have: this person or one of the bots."""
    if player != account.name:
        return OF_BOTS
    return OF_ADMINS if account.admin else OF_PEOPLE


def token_rows(tokens: Sequence[TokenInfo], me: str, zone: tzinfo | None = None) -> list[Row]:
    """Return a row for each token: name, scopes, last use and end.

    `me` is the person whose tokens they are, beside those of the person's bots. `zone` is the time
    zone of the dates (None: that of this computer).
    """
    return [
        Row(
            token.token_id,
            (
                _label(token, me),
                scopes_text(token),
                _day(token.used_ms, zone),
                tr("never") if token.expires_ms is None else _day(token.expires_ms, zone),
            ),
            "person" if token.kind == "session" else "mine",
        )
        for token in tokens
    ]


def scopes_text(token: TokenInfo) -> str:
    """Return what a token allows, in a few words; a session allows all that its player may do."""
    if token.kind == "session":
        return tr("everything")
    return ", ".join(_SHORT.get(scope, scope) for scope in token.scopes)


def bot_rows(
    account: AccountInfo, tokens: Sequence[TokenInfo], zone: tzinfo | None = None
) -> list[Row]:
    """Return a row for each bot that this person runs: name, number of tokens and last use."""
    rows = []
    for bot in account.bots:
        own = [token for token in tokens if token.player == bot]
        used = _day(max(token.used_ms for token in own), zone) if own else tr("never")
        rows.append(Row(bot, (bot, str(len(own)), used), "bot"))
    return rows


def counts_text(account: AccountInfo, tokens: Sequence[TokenInfo]) -> str:
    """Return how many logins and tokens there are, in one line."""
    logins = sum(token.kind == "session" for token in tokens)
    return " · ".join(
        (
            plural("1 login", "{n} logins", logins),
            plural("1 API token", "{n} API tokens", len(tokens) - logins),
            plural("1 bot", "{n} bots", len(account.bots)),
        )
    )


def end_question(token: TokenInfo) -> str:
    """Return what happens when a token ends, for the person who is about to end it."""
    if token.kind == "session":
        return tr(
            "Whoever plays with this login is disconnected, and needs the password to come back."
        )
    return tr(
        "Programs that use {label} are disconnected, and need another token to come back.",
        label=token.label,
    )


class TokenField(StrEnum):
    """The fields of a new token; the values are their Tk widget names."""

    LABEL = "label"
    DAYS = "days"
    SCOPES = "scopes"


@dataclass(frozen=True, slots=True)
class NewToken:
    """The form for a new token, as it was typed."""

    label: str
    scopes: tuple[str, ...]
    days: str

    @property
    def problems(self) -> dict[TokenField, str]:
        """Return the mistakes in the form, as sentences by field."""
        problems = {}
        if not self.label.strip():
            problems[TokenField.LABEL] = tr("Write what the token is for, such as ladder script.")
        elif len(self.label.strip()) > LONGEST_LABEL:
            problems[TokenField.LABEL] = tr("Use at most {most} characters.", most=LONGEST_LABEL)
        if not self.scopes:
            problems[TokenField.SCOPES] = tr("Choose what the token allows.")
        text = self.days.strip()
        if not (text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= MOST_DAYS):
            problems[TokenField.DAYS] = tr(
                "Write a whole number of days from 1 to {most}.", most=MOST_DAYS
            )
        return problems

    @property
    def count(self) -> int:
        """The number of days; ask only without `problems`."""
        return int(self.days)


def _label(token: TokenInfo, me: str) -> str:
    if token.kind == "session":
        if token.current:
            return tr("Login of this window")
        return tr("Login: {label}", label=token.label)
    if token.player != me:
        return tr("{label} ({name})", label=token.label, name=token.player)
    return token.label


def _day(at_ms: int, zone: tzinfo | None) -> str:
    return day_text(datetime.fromtimestamp(at_ms / 1000, UTC).astimezone(zone).date())
