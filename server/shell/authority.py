"""The authority, which connects rooms, peers, tournaments and the committer for the handlers.

Nothing here waits for the network or the disk. The main paths through the code are:

=============  ===============================================================================
a move         `handlers/rooms.py` -> `Room.move` -> `RoomPublisher.publish` -> `Committer` ->
               `EventDelivery` -> `Channel.release`
a reconnect    `hello` -> `Authority.arrive` -> `handlers/rooms.py` -> `RoomFollowing.show`
a failed       `Committer` -> `RoomRegistry.rebuild`, then `Director.game_lost` for each
commit         tournament game whose room is gone
a restart      `rooms/recovery.py` -> `RoomRegistry.adopt`, then `Director.load`
a game's end   `RoomPublisher.after_release` -> `RoomSubscribers` -> `LobbyFeed`, `RatingService`,
               `TournamentGames`
=============  ===============================================================================

Everything that shows a room to a peer goes through `answers.after_commit` or the publisher, so
peers see only what is stored.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Protocol

from doublecross.protocol.common import PlayerInfo
from doublecross.server.core.limits import ServerLimits
from doublecross.server.core.lobby.lobby import Lobby
from doublecross.server.core.lobby.room_index import RoomIndex
from doublecross.server.core.rating_book import RatingBook
from doublecross.server.core.storage import Store
from doublecross.server.core.terms import RoomTimes
from doublecross.server.shell.accounts.classrooms import ClassroomService
from doublecross.server.shell.accounts.passkeys import Passkeys
from doublecross.server.shell.accounts.recovery import Recovery
from doublecross.server.shell.accounts.service import AccountService
from doublecross.server.shell.accounts.tokens import TokenService
from doublecross.server.shell.addresses.admission import AddressLimits, Admission
from doublecross.server.shell.analysis.advice import AdviceService
from doublecross.server.shell.analysis.review_sending import ReviewMail
from doublecross.server.shell.analysis.reviews import KEPT, Reviewer, ReviewService
from doublecross.server.shell.arranging import BotMatchService
from doublecross.server.shell.identity.mail import MailAccount
from doublecross.server.shell.identity.turns import FairTurns
from doublecross.server.shell.journal.committer import Committer
from doublecross.server.shell.lobby.feed import LobbyFeed
from doublecross.server.shell.lobby.offers import OfferLog, OfferOutcomes
from doublecross.server.shell.lobby.ratings import RatingService
from doublecross.server.shell.mail import Mailer
from doublecross.server.shell.peer import Peer
from doublecross.server.shell.peers import Announcements, ConnectedPeers, UsedRates
from doublecross.server.shell.push import PushAccount, Pusher
from doublecross.server.shell.rooms.api import Rooms
from doublecross.server.shell.rooms.live import LiveRooms
from doublecross.server.shell.rooms.subscribers import RoomSubscriber, RoomSubscribers
from doublecross.server.shell.rooms.turn_messages import TurnMessages
from doublecross.server.shell.sessions import Sessions
from doublecross.server.shell.settings import ServerSettings
from doublecross.server.shell.tournaments import TournamentGames, TournamentHost
from doublecross.server.shell.upkeep.service_time import TimeSource
from doublecross.server.tournaments.calendar import EventCalendar
from doublecross.server.tournaments.director import Director
from doublecross.server.tournaments.event_file import Event, read_events
from doublecross.server.tournaments.registry import TournamentRegistry


@dataclass(frozen=True, slots=True)
class AuthorityConfig:
    """The settings that stay the same while a server runs.

    `epoch` is a different string after every start. A login with a password ends when nobody uses
    it for `session_ms` milliseconds. When a tournament waits only for absent players, it sets those
    aside who have been away for `absence_ms` milliseconds. A tournament that nobody starts or plays
    for `idle_ms` milliseconds ends. The database keeps `reviews_kept` reports of games. `servers`
    has the websocket URLs of all nodes of a cluster. `events` are created again and again. `page`
    is the address that people open, if the host has named it.
    """

    times: RoomTimes
    limits: ServerLimits
    epoch: str
    addresses: AddressLimits
    session_ms: int = 90 * 86_400_000
    absence_ms: int = 600_000
    idle_ms: int = 604_800_000
    reviews_kept: int = KEPT
    servers: tuple[str, ...] = ()
    events: tuple[Event, ...] = ()
    mail: MailAccount | None = None
    push: PushAccount | None = None
    page: str = ""

    @classmethod
    def of(cls, settings: ServerSettings, epoch: str) -> AuthorityConfig:
        """Return the configuration in the settings of a server."""
        return cls(
            settings.times,
            settings.limits,
            epoch,
            settings.addresses,
            session_ms=settings.session_ms,
            absence_ms=round(settings.absence_s * 1000),
            idle_ms=round(settings.idle_s * 1000),
            reviews_kept=settings.reviews_kept,
            servers=tuple(address.websocket for address in settings.nodes),
            events=() if settings.events is None else read_events(settings.events),
            mail=settings.mail,
            push=settings.push,
            page=(settings.public_http or "").rstrip("/"),
        )


class Elsewhere(Protocol):
    """Run the rooms of an authority elsewhere: at the other nodes of a cluster."""

    def make_rooms(
        self,
        index: RoomIndex,
        committer: Committer,
        sessions: Sessions,
        subscribers: RoomSubscriber,
        allows_phrases: Callable[[str], bool],
    ) -> Rooms:
        """Make what runs the rooms of `index`; the parameters are those of `LiveRooms`."""
        ...

    def make_offer_log(self, committer: Committer) -> OfferLog:
        """Make what stores offers."""
        ...

    def may_show(self) -> bool:
        """Return whether the committer may show what is stored; see `Committer`."""
        ...


class Authority:
    """Build the parts of a server and connect them.

    Passes on what concerns several parts: a player connects or disconnects, a commit fails, time
    passes. `advice` is for people who play bots, and `reviewer` judges finished games.

    `rooms` has the rooms that are run here, and `all_rooms` does what the rest of the server wants
    of any room. In a single server both are the same. In a cluster `elsewhere` makes the latter,
    nothing is run here, and the lobby's index has rooms without their moves.
    """

    def __init__(
        self,
        store: Store,
        rng: Random,
        config: AuthorityConfig,
        time: TimeSource,
        last_entry_id: int = 0,
        advice: AdviceService | None = None,
        reviewer: Reviewer | None = None,
        elsewhere: Elsewhere | None = None,
    ) -> None:
        self.store = store
        self.config = config
        self.now, self.date = time.now, time.date
        self.admission = Admission(config.addresses, time.real_s)
        self.used_rates = UsedRates(config.limits)
        self.record_turns = FairTurns(at_once=1)
        self.advice = advice or AdviceService(None)
        self.ratings = RatingBook()
        self.tournaments = tournaments = TournamentRegistry()
        may_show = None if elsewhere is None else elsewhere.may_show
        self.committer = Committer(store, last_entry_id, time, may_show)
        self.committer.on_failed.append(self._commit_failed)
        self.peers = ConnectedPeers(self.committer)
        self.subscribers = RoomSubscribers()
        index = RoomIndex(config.limits)
        self.rooms = LiveRooms(
            index if elsewhere is None else RoomIndex(config.limits),
            self.committer,
            self.peers.sessions,
            self.subscribers,
            tournaments.allows_phrases,
            self.advice,
            config.times,
            time,
        )
        self.rooms.registry.room_changed = self.subscribers.room_changed
        self.availability = self.rooms.availability
        self.all_rooms: Rooms = self.rooms
        offer_log = None
        if elsewhere is not None:
            self.all_rooms = elsewhere.make_rooms(
                index,
                self.committer,
                self.peers.sessions,
                self.subscribers,
                tournaments.allows_phrases,
            )
            offer_log = elsewhere.make_offer_log(self.committer)
        self.lobby = Lobby(rng, config.times, config.limits, index, self.all_rooms.prefix)
        self.accounts = AccountService(
            store, self.peers, self.admission, self.date, time.real_s, config.session_ms
        )
        self.mailer = Mailer(config.mail)
        self.recovery = Recovery(
            self.accounts, store, self.mailer, self.admission, self.date, time.real_s
        )
        self.turn_messages = TurnMessages(
            store,
            self.peers.sessions,
            Pusher(config.push),
            self.mailer,
            self.now,
            self.date,
            time.real_s,
        )
        self.rooms.turns.wanting = self.turn_messages.wanting
        self.rooms.turns.on_turn = self.turn_messages.came
        self.passkeys = Passkeys(self.accounts, store, self.admission, self.date, time.real_s)
        self.announcements = Announcements(self.peers, self.date)
        self.tokens = TokenService(self.accounts, store, self.date)
        # Buckets of their own: passwords that members set must not use up what is for codes.
        codes = Admission(self.admission.limits, time.real_s)
        codes.hits = self.admission.hits
        self.classrooms = ClassroomService(self.accounts, self.tokens, store, self.date, codes)
        self.review_mail = ReviewMail(self.committer, self.peers.sessions)
        self.reviews = ReviewService(
            reviewer,
            store,
            self.review_mail.notify,
            self.date,
            time.real_s,
            kept=config.reviews_kept,
        )
        self.on_notice: Callable[[], None] = lambda: None
        """Called when the server begins or stops to drain, and after each announcement."""
        # A lambda, because a node of a cluster sets `on_notice` later.
        self.announcements.on_change = lambda: self.on_notice()
        self.lobby_feed = LobbyFeed(
            self.lobby, self.committer, self.ratings, tournaments.newest, tournaments.lobby_entry
        )
        self.offers = OfferOutcomes(
            self.lobby, self.lobby_feed, self.peers, self.all_rooms, self.now, offer_log
        )
        self.arranging = BotMatchService(self.lobby, self.peers, self.all_rooms, self.now)
        host = TournamentHost(
            self.lobby,
            self.committer,
            self.peers,
            self.all_rooms,
            self.lobby_feed,
            config.limits,
            time,
        )
        self.director = Director(
            host,
            store,
            tournaments,
            rng,
            no_show_ms=config.times.tournament_first_move_ms,
            absence_ms=config.absence_ms,
            idle_ms=config.idle_ms,
        )
        self.calendar = EventCalendar(config.events, self.director)
        self.director.on_tick = self.calendar.tick
        self.subscribers.add(self.lobby_feed)
        self.subscribers.add(self.offers)
        self.subscribers.add(RatingService(self.ratings, self.lobby_feed))
        self.subscribers.add(TournamentGames(self.director))
        self.subscribers.add(self.turn_messages)

    def _commit_failed(self, room_ids: set[str]) -> None:
        """Reset these rooms to their last stored event."""
        # A listing may have been made of the state that is undone now.
        self.lobby_feed.listing.changed()
        for tag in self.rooms.registry.rebuild(room_ids):
            self.director.game_lost(tag)

    def arrive(self, peer: Peer, player: PlayerInfo) -> list[Peer]:
        """Connect `player` through `peer`, whose hello was accepted.

        A token without the right to play does not bring the player online. Returns the player's
        connections whose place `peer` takes.
        """
        peer.log_in(player)
        # Again, because only now it is known whether a person or a bot has these rights.
        peer.allow(peer.rights)
        if not peer.may_play:
            self.peers.helpers.add(peer)
            return []
        sessions = self.peers.sessions
        surplus = sessions.surplus(peer)
        for old in surplus:
            # Its end changes nothing more.
            old.replaced = old.is_closing = True
            self.depart(old)
        if player.name not in sessions:
            # After `depart`, which has noted what the last connection has used.
            self.used_rates.charge(peer)
            self.reviews.arrive(player.name)
            # Whoever is here sees which games wait.
            self.turn_messages.away.pop(player.name, None)
        sessions.add(peer)
        if self.lobby.online.get(player.name) != player:
            self.lobby.arrive(player)
            self.lobby_feed.player_changed(player.name)
            self.director.presence.connected(player.name)
        return surplus

    def depart(self, peer: Peer) -> None:
        """Remove a peer whose connection is gone."""
        self.all_rooms.depart(peer)
        self.lobby_feed.follow(peer, False)
        self.peers.helpers.discard(peer)
        # A connection whose hello was never accepted is nobody's.
        if not self.peers.sessions.remove(peer):
            return
        self.arranging.depart(peer)
        if peer.name not in self.peers.sessions:
            self.used_rates.keep(peer)
            self.lobby.depart(peer.name, self.now())
            self.reviews.depart(peer.name, self.now())
            self.lobby_feed.player_changed(peer.name)
            self.director.presence.refresh(peer.name)

    def tick(self) -> None:
        """Carry out what is due in tournaments and in rooms.

        In rooms that is, for example, a clock that has run out or an empty room that closes. A
        server that is stopping refuses moves, so it judges nobody's clock any more.
        """
        if self.availability.closing:
            return
        now = self.now()
        self.director.tick(now)
        self.rooms.registry.scheduler.tick(now, self.rooms.publisher.publish)

    def sweep(self) -> None:
        """Send the updates that are collected for a moment.

        These are expired offers and arranged matches, changes of the lobby, and the presence in
        rooms. Also let the adviser rest that nobody has asked for a while, and forget players who
        no longer wait for reviews.
        """
        self.offers.expire()
        self.arranging.expire()
        self.lobby_feed.flush()
        self.rooms.following.send_due_presence()
        self.rooms.sleeping.sweep()
        self.turn_messages.sweep()
        self.advice.sweep(self.now())
        self.reviews.sweep(self.now())

    def close(self) -> None:
        """Refuse requests that change something from now on, and begin no more games."""
        self.availability.closing = True
        self.director.closing = True

    async def end(self) -> None:
        """End the tasks that still run; the committer ends by itself."""
        await self.reviews.close()
        await self.review_mail.close()
        await self.calendar.close()
        await self.mailer.close()
        await self.turn_messages.pusher.close()
        await self.director.close()
        self.accounts.close()

    def drain(self, on: bool) -> None:
        """Begin nothing new from now on, or with False, begin new things again."""
        self.availability.draining = on
        self.director.pause(on)
        self.on_notice()
