"""Show the screen of the account and its dialogs with long texts; see `scenes`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from doublecross.client.core.accounts import AccountInfo, IssuedToken, TokenInfo
from doublecross.client.tk.network.account import AccountPicture
from doublecross.client.tk.refusal import Refusal
from doublecross.client.tk.screens.account.screen import AccountScreen
from doublecross.client.tk.screens.start import StartScreen
from tests.client.tk.harness.staging import Stage

Scene = Callable[[Stage], object]

DAY_MS: Final = 86_400_000
NOW_MS: Final = 1_793_000_000_000


def token(number: int, player: str = "Ann", **given: Any) -> TokenInfo:
    """Return an API token of `player`, or what `given` says."""
    usual = {
        "token_id": f"t{number}",
        "player": player,
        "kind": "api",
        "label": f"script {number}",
        "scopes": ("play", "organise"),
        "created_ms": NOW_MS,
        "used_ms": NOW_MS + number * DAY_MS,
        "expires_ms": NOW_MS + 90 * DAY_MS,
    }
    return TokenInfo(**{**usual, **given})


def account(name: str = "Ann", **given: Any) -> AccountInfo:
    """Return an account with a password and two bots, or what `given` says."""
    usual = {"name": name, "claimed": True, "has_password": True, "session": True}
    return AccountInfo(**{**usual, "bots": ("Lagrange", "Rook"), **given})


def picture(name: str) -> AccountPicture:
    """Return an account with two logins, and tokens of the person and of a bot."""
    session = {"kind": "session", "label": "window", "scopes": ()}
    tokens = (
        token(1, name, **session, current=True),
        token(2, name, **session),
        token(3, name, label="ladder script"),
        token(4, "Lagrange", label="first token", scopes=("bot", "organise")),
    )
    return AccountPicture(account(name), tokens)


def account_screen(stage: Stage, given: AccountPicture | None = None) -> AccountScreen:
    """Show the account of the connected player, as the server reports it."""
    screen = stage.show(AccountScreen)
    assert isinstance(screen, AccountScreen)
    network: Any = stage.context.network
    network.asked[-1].done(given or picture(stage.context.player_name))
    stage.root.update()
    return screen


def _guest(stage: Stage) -> None:
    name = stage.context.player_name
    guest = account(name, claimed=False, has_password=False, bots=())
    screen: Any = account_screen(stage, AccountPicture(guest))
    screen._guest._fields._fields["password"].entry.insert(0, "12345678")
    screen._guest._fields._fields["again"].entry.insert(0, "12345678")
    screen._guest.confirm()
    sentence = "The password is easy to guess; use a longer one, such as four random words."
    network: Any = stage.context.network
    network.asked[-1].failed(Refusal(sentence, "weak_password"))


def _bots(stage: Stage) -> None:
    screen: Any = account_screen(stage)
    screen._tabs.value = "bots"
    screen._show()


def _note(stage: Stage) -> None:
    screen: Any = account_screen(stage)
    screen._complain(Refusal("games.play.example.org cannot be reached: Connection refused."))


def _password(stage: Stage) -> None:
    screen: Any = account_screen(stage)
    screen._change_password()
    screen._dialog.confirm()


def _token(stage: Stage) -> None:
    screen: Any = account_screen(stage, AccountPicture(account("Ann", admin=True)))
    screen._new_token()
    screen._dialog._days.entry.insert(0, "x")
    screen._dialog._scopes["play"].state(["!selected"])
    screen._dialog.confirm()


def _secret(stage: Stage) -> None:
    screen: Any = account_screen(stage)
    screen._show_secret(IssuedToken(secret="S" * 43, token=token(5, "Lagrange")))
    screen._dialog.confirm()


def _end(stage: Stage) -> None:
    screen: Any = account_screen(stage)
    screen._tokens.tree.selection_set("t3")
    stage.root.update()
    screen._end()


def _bot(stage: Stage, way: str) -> None:
    screen: Any = account_screen(stage)
    screen._add_bot()
    screen._dialog._way.value = way
    screen._dialog._switched()
    screen._dialog.confirm()


def _log_in(stage: Stage) -> None:
    screen: Any = stage.show(
        lambda context: StartScreen(context, "You are logged out.", log_in=True)
    )
    screen._form.problems = {"password": "The name or the password is wrong."}
    screen._refresh()


def account_scenes(connected: Callable[[Scene], Scene]) -> dict[str, Scene]:
    """Return the scenes; `connected` makes one of them connect first."""
    return {
        "logging in": _log_in,
        "account of a guest": connected(_guest),
        "account": connected(account_screen),
        "bots of an account": connected(_bots),
        "account without a connection": connected(_note),
        "change the password": connected(_password),
        "new API token": connected(_token),
        "a token is shown": connected(_secret),
        "end a token": connected(_end),
        "a new bot": connected(lambda stage: _bot(stage, "new")),
        "take over a bot": connected(lambda stage: _bot(stage, "adopt")),
    }
