"""Check the lists of tokens and bots, and the fields of a new token."""

from __future__ import annotations

from datetime import UTC
from typing import Any

import pytest

from doublecross.client.core.accounts import AccountInfo, TokenInfo
from doublecross.client.tk.models.account_tokens import (
    NewToken,
    bot_rows,
    counts_text,
    end_question,
    scopes_for,
    token_rows,
)

DAY_MS = 86_400_000


def account(**given: Any) -> AccountInfo:
    usual = {"name": "Ann", "claimed": True, "has_password": True, "bots": ("Rook", "Pawn")}
    return AccountInfo(**{**usual, **given})


def token(token_id: str, **given: Any) -> TokenInfo:
    usual: dict[str, Any] = {
        "token_id": token_id,
        "player": "Ann",
        "kind": "api",
        "label": "script",
        "scopes": ("play",),
        "created_ms": 0,
        "used_ms": DAY_MS,
    }
    return TokenInfo(**{**usual, **given})


TOKENS = (
    token("t1", kind="session", label="window", scopes=(), current=True, expires_ms=31 * DAY_MS),
    token("t2", kind="session", label="other computer", scopes=()),
    token("t3", scopes=("play", "organise", "a newer one"), expires_ms=2 * DAY_MS),
    token("t4", player="Rook", label="first token", scopes=("bot",), used_ms=3 * DAY_MS),
    token("t5", player="Rook", label="second", scopes=("bot",), used_ms=2 * DAY_MS),
)


def test_the_list_of_tokens() -> None:
    rows = token_rows(TOKENS, "Ann", UTC)
    assert [row.key for row in rows] == ["t1", "t2", "t3", "t4", "t5"]
    assert rows[0].cells == ("Login of this window", "everything", "Jan 2, 1970", "Feb 1, 1970")
    assert rows[1].cells == ("Login: other computer", "everything", "Jan 2, 1970", "never")
    assert rows[2].cells[:2] == ("script", "play, tournaments, a newer one")
    assert rows[3].cells[:2] == ("first token (Rook)", "bot")


def test_the_list_of_bots() -> None:
    rows = bot_rows(account(), TOKENS, UTC)
    assert [row.cells for row in rows] == [("Rook", "2", "Jan 4, 1970"), ("Pawn", "0", "never")]


def test_the_counts() -> None:
    assert counts_text(account(), TOKENS) == "2 logins · 3 API tokens · 2 bots"
    assert counts_text(account(bots=("Rook",)), TOKENS[:1]) == "1 login · 0 API tokens · 1 bot"


def test_what_a_token_may_allow() -> None:
    assert scopes_for(account(), "Ann") == ("play", "organise")
    assert scopes_for(account(admin=True), "Ann") == ("play", "organise", "admin")
    assert scopes_for(account(admin=True), "Rook") == ("bot", "organise")


def test_what_happens_when_one_ends() -> None:
    assert "password" in end_question(TOKENS[1])
    assert "script" in end_question(TOKENS[2])


@pytest.mark.parametrize(
    ("label", "scopes", "days", "wrong"),
    [
        ("script", ("play",), "90", set()),
        (" s ", ("play",), " 366 ", set()),
        ("s" * 60, ("play",), "1", set()),
        ("", ("play",), "90", {"label"}),
        ("  ", ("play",), "90", {"label"}),
        ("s" * 61, ("play",), "90", {"label"}),
        ("script", (), "90", {"scopes"}),
        ("script", ("play",), "0", {"days"}),
        ("script", ("play",), "367", {"days"}),
        ("script", ("play",), "-1", {"days"}),
        ("script", ("play",), "1.5", {"days"}),
        ("script", ("play",), "", {"days"}),
        ("script", ("play",), "²", {"days"}),
        ("script", ("play",), "9" * 5000, {"days"}),
        ("", (), "x", {"label", "scopes", "days"}),
    ],
)
def test_the_fields_of_a_new_token(
    label: str, scopes: tuple[str, ...], days: str, wrong: set[str]
) -> None:
    new = NewToken(label, scopes, days)
    assert set(new.problems) == wrong
    if not wrong:
        assert 1 <= new.count <= 366
