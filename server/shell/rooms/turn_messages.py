"""Tell players of their turns in correspondence games while they are away, by push and by mail.

Theory of operation
-------------------
A turn is told of once, after its move was stored, and only if no connection of the player is open.
Browsers that want it get a push at once. A mail waits for `MAIL_AFTER_MS`. It is not sent when the
player comes back before, and it names all games whose turns have come meanwhile. So a player gets
few mails, and a game needs no timer: players wait in the order in which they are due.

What waits is in memory only. A crash loses these messages, and a message is never sent twice.
`wanting` has the names of all whom a message may reach, so the turn of anybody else costs one look.
It may have a few too many: then the database says that there is nothing to send.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

import structlog

from doublecross.server.core.errors import bad_parameter, wrong_state
from doublecross.server.core.people.accounts import Credential, Login
from doublecross.server.core.people.pushes import Subscription
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.storage import Store
from doublecross.server.shell.accounts.service import LINK_ENDED
from doublecross.server.shell.addresses.admission import Action, AddressLimits, Admission, Rate
from doublecross.server.shell.identity.rights import Rights, new_secret
from doublecross.server.shell.mail import Mail, Mailer
from doublecross.server.shell.push import Pusher
from doublecross.server.shell.rooms.subscribers import RoomSubscriber
from doublecross.server.shell.sessions import Sessions

MAIL_AFTER_MS: Final = 600_000
"""How long a player is away before a mail is sent."""
MOST_AWAY: Final = 20_000
"""How many players may wait for a mail."""
MOST_MAILS: Final = 50
"""How many of the mailer's places these mails may fill; the others are for passwords."""
PUSHES: Final = Rate(60, 3600.0)
"""How many turns a player hears of by push."""
PATH: Final = "/account#turns="
"""What leads to the page that ends the mails; the key of the link follows."""
STOP: Final = "/api/notices/stop"
"""The address that ends the mails with one POST, which has the key of the link."""
_HOUR_MS: Final = 3_600_000
_TEXT: Final = """Hello {name},

it is your turn:

{games}

You get these mails because you have switched them on in the settings at {page}.
To switch them off, open this link:

{link}
"""

_log = structlog.get_logger("turns")


@dataclass(slots=True)
class Away:
    """A player who gets a mail at `due_ms`, and the turns that it tells of, by room."""

    due_ms: int
    turns: dict[str, dict[str, Any]] = field(default_factory=dict)


class TurnMessages(RoomSubscriber):
    """Decide who is told of a turn; `pusher` and `mailer` tell it.

    `now` returns the time of deadlines, `date` milliseconds since 1970, UTC, and `real_s` seconds.
    """

    def __init__(
        self,
        store: Store,
        sessions: Sessions,
        pusher: Pusher,
        mailer: Mailer,
        now: Callable[[], int],
        date: Callable[[], int],
        real_s: Callable[[], float],
    ) -> None:
        self._store = store
        self._sessions = sessions
        self.pusher = pusher
        self._mailer = mailer
        self._now = now
        self._date = date
        self._pushed = Admission(AddressLimits({Action.MAIL: PUSHES}), real_s)
        self.away: OrderedDict[str, Away] = OrderedDict()
        """The players who get a mail, in the order of its time; whoever is back is taken out."""
        self.wanting: set[str] = set()
        """The names of the players whom messages may reach."""

    async def load(self) -> None:
        """Find out whom messages may reach.

        Raises:
            StoreError: the database failed.
        """
        if self.pusher.public_key is not None or self._mailer.account is not None:
            self.wanting.update(await self._store.pushes.reachable())

    # -- turns -------------------------------------------------------------------------------

    def came(self, player: str, notice: dict[str, Any]) -> None:
        """Handle that a turn has begun; `notice` is the message `your_turn` about it."""
        if self._sessions.of(player):
            return
        room = notice["room"]
        if self.pusher.public_key is not None and not self._pushed.wait_s(player, Action.MAIL):
            content = {"room": room, "opponent": notice["opponent"]}
            lasts_s = notice["left_ms"] // 1000
            gone = partial(self._forget, player)
            self.pusher.post(partial(self._browsers, player), content, room, lasts_s, gone)
        if self._mailer.account is None:
            return
        away = self.away.get(player)
        if away is None:
            if len(self.away) >= MOST_AWAY:
                _log.warning("turn_mail_dropped", waiting=len(self.away))
                return
            away = self.away[player] = Away(self._now() + MAIL_AFTER_MS)
        away.turns[room] = notice

    def match_ended(self, room: Room) -> None:
        """Tell nobody any more of a turn in a match that has ended."""
        for player in room.players:
            if player is not None and (away := self.away.get(player.name)) is not None:
                away.turns.pop(room.id, None)

    def sweep(self) -> None:
        """Send the mails that are due, unless many wait already."""
        now = self._now()
        while self.away and len(self._mailer.waiting) < MOST_MAILS:
            player, away = next(iter(self.away.items()))
            if away.due_ms > now:
                break
            del self.away[player]
            if away.turns:
                passed = now - away.due_ms + MAIL_AFTER_MS
                self._mailer.post(partial(self._mails, player, list(away.turns.values()), passed))

    async def _browsers(self, player: str) -> Sequence[Subscription]:
        login = await self._store.accounts.account_named(player)
        if login is None:
            return ()
        return await self._store.pushes.of_account(login.account.account_id)

    async def _forget(self, player: str, endpoints: Sequence[str]) -> None:
        login = await self._store.accounts.account_named(player)
        if login is not None:
            await self._store.pushes.remove(endpoints, login.account.account_id)

    async def _mails(
        self, player: str, turns: Sequence[dict[str, Any]], passed_ms: int
    ) -> Sequence[Mail]:
        login, account = await self._store.accounts.account_named(player), self._mailer.account
        if login is None or account is None:
            return ()
        address, wish = await self._wish(login)
        if address is None or wish is None:
            return ()
        games = "\n".join(
            f"against {turn['opponent']}, {_left(turn['left_ms'] - passed_ms)}:"
            f" {account.page}/room/{turn['room']}"
            for turn in turns
        )
        link = account.page + PATH + wish
        text = _TEXT.format(name=player, games=games, page=account.page, link=link)
        subject = "It is your turn" if len(turns) == 1 else f"It is your turn in {len(turns)} games"
        return [Mail(address, subject, text, f"{account.page}{STOP}?link={wish}")]

    # -- what players want -------------------------------------------------------------------

    async def _wish(self, login: Login) -> tuple[str | None, str | None]:
        """Return the confirmed address of an account, and the key of the link that ends mails."""
        known = await self._store.accounts.credentials([login.account.account_id])
        kinds = {each.kind: each for each in known}
        address, wish = kinds.get("email"), kinds.get("turns")
        return (
            None if address is None else address.label,
            None if wish is None else wish.credential_id,
        )

    async def mails(self, login: Login) -> tuple[bool, bool]:
        """Return whether a player can get mails, and whether the player wants them."""
        address, wish = await self._wish(login)
        return self._mailer.account is not None and address is not None, wish is not None

    async def want_mails(self, login: Login, on: bool) -> None:
        """Store whether a player wants mails. The caller has the account's turn.

        Raises:
            Refused: there is no address for them.
            StoreError: the database failed.
        """
        can, wants = await self.mails(login)
        if on and not can:
            raise wrong_state("Add an e-mail address to your account first.")
        if on and not wants:
            # The key may only end these mails, so it stands in the database as it is.
            made = Credential(new_secret(), login.account.account_id, "turns", self._date())
            await self._store.accounts.change_credentials([], [made])
            self.wanting.add(login.player.name)
        elif wants and not on:
            _, wish = await self._wish(login)
            await self._store.accounts.change_credentials([wish] if wish else [])

    async def stop_mails(self, key: str) -> None:
        """End the mails of whoever has got a link with this key.

        Raises:
            Refused: they have ended.
            StoreError: the database failed.
        """
        found = await self._store.accounts.credential(key)
        if found is None or found.kind != "turns":
            raise bad_parameter(LINK_ENDED)
        await self._store.accounts.change_credentials([key])

    async def subscribe(
        self, login: Login, rights: Rights, endpoint: str, public_key: bytes, secret: bytes
    ) -> None:
        """Tell a browser of turns from now on; it may be told of those of another player until now.

        Raises:
            Refused: the server sends no pushes, or not to this address.
            StoreError: the database failed.
        """
        if self.pusher.public_key is None:
            raise wrong_state("This server sends no pushes.")
        if not self.pusher.may_call(endpoint):
            raise bad_parameter("This server does not know the push service of your browser.")
        account_id = login.account.account_id
        known = await self._store.pushes.of_account(account_id)
        new = Subscription(endpoint, account_id, rights.token_id, public_key, secret, self._date())
        # A page says so again whenever it is loaded.
        same = [e for e in known if (e.endpoint, e.token_id) == (endpoint, rights.token_id)]
        if not same or (same[0].public_key, same[0].secret) != (public_key, secret):
            await self._store.pushes.add(new)
        self.wanting.add(login.player.name)

    async def unsubscribe(self, login: Login, endpoint: str) -> None:
        """Tell a browser nothing any more.

        Raises:
            StoreError: the database failed.
        """
        await self._store.pushes.remove([endpoint], login.account.account_id)

    def rename(self, old: str, new: str) -> None:
        """Note the new name of a player."""
        if old in self.wanting:
            self.wanting.add(new)


def _left(left_ms: int) -> str:
    """Return how long a player has left, in words."""
    hours = max(0, left_ms) // _HOUR_MS
    if hours < 1:
        return "less than an hour left"
    number, unit = (hours, "hour") if hours < 48 else (hours // 24, "day")
    return f"{number} {unit}{'' if number == 1 else 's'} left"
