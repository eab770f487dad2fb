"""Build the parts of a node beside rooms and connections: HTTP, bans, and the state of the leader.

===================  ===========================================================================
what happens         where
===================  ===========================================================================
a page's file        `Front`, from memory, before anything here
a probe              `Probes`
what a query,        `reading_endpoints`, here at each node; about rooms, `NodeMatches` asks the
or a room, answers   node that runs them
any other request    `Forwarding` -> the application of the leader, here or elsewhere
an admin's overview  the leader's `ClusterView` -> `Figures.summary` of every node
a ban                the leader's `AccountService` -> `NodeBans.changed` of every node
a drain              the leader's `Authority` -> `Node.told_state` of every node
===================  ===========================================================================
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from starlette.routing import Match
from starlette.types import ASGIApp, Receive, Scope, Send

from doublecross.server.cluster.gateway.connections import GatewayConnections
from doublecross.server.cluster.leader.running import RunningLeader
from doublecross.server.cluster.leader.state import LeaderState
from doublecross.server.cluster.links.calls import NodeCalls
from doublecross.server.cluster.node import Node
from doublecross.server.cluster.process import ProcessParts
from doublecross.server.cluster.web.bans import CHANGED, NodeBans
from doublecross.server.cluster.web.figures import FIGURES, ROOMS, ClusterView, NodeFigures
from doublecross.server.cluster.web.forwarding import Forwarding
from doublecross.server.cluster.web.matches import NodeMatches
from doublecross.server.pictures.service import PictureService
from doublecross.server.shell.accounts.identification import Identification
from doublecross.server.shell.analysis.reviews import stored_report
from doublecross.server.shell.identity.turns import FairTurns
from doublecross.server.shell.page.site import inner_path
from doublecross.server.shell.upkeep.periodic import every
from doublecross.server.shell.web.app import (
    SafeHeaders,
    leader_endpoints,
    make_http,
    reading_endpoints,
)
from doublecross.server.shell.web.links.previews import Previews, preview_endpoints
from doublecross.server.shell.web.managing.admin import AdminEndpoints
from doublecross.server.shell.web.openapi import described, protocol_endpoint
from doublecross.server.shell.web.pictures import FairPictures
from doublecross.server.shell.web.probes import Probes
from doublecross.server.shell.web.reading import Reading
from doublecross.server.store.sql import SqlStore

STATE: Final = "leader state"
"""The name of the call by which the leader sends its state, of which each node keeps a copy."""
TELL_S: Final = 5.0
"""How long a call whose answer does not matter may take, in seconds."""
REST_CHECK_S: Final = 5.0
"""Seconds between two checks whether the adviser may rest."""


class NodeWeb:
    """Build these parts of a node, and connect them; call it as an ASGI application.

    Make it before the links open, so that every call finds its handler. `holds` returns whether the
    lease holds, and `away` why this node is no part of the cluster now, or an empty text.
    """

    def __init__(
        self,
        process: ProcessParts,
        node: Node,
        connections: GatewayConnections,
        calls: NodeCalls,
        holds: Callable[[], bool],
        away: Callable[[], str],
    ) -> None:
        self._process = process
        self._node = node
        self._holds = holds
        self._leader: RunningLeader | None = None
        """The leader whose application is `_leader_app`."""
        self._leader_app: ASGIApp
        self._changes = 0
        self.calls = calls
        self.bans = NodeBans(
            process.storage.accounts.bans, lambda: list(connections.peers), process.date
        )
        self.figures = NodeFigures(process, node, connections, holds, away)
        self._pictures = PictureService()
        self._fair = FairPictures(self._pictures, process.front.sources)
        reading = self._reading()
        self._shared = [
            *Probes(self.figures, process.settings.metrics).endpoints(),
            *reading_endpoints(reading, self._fair, process.host_hash),
        ]
        self._previews = Previews(reading.store)
        previews = preview_endpoints(self._previews, self._fair)
        own = [*self._shared, *previews, protocol_endpoint()]
        self._routes = [endpoint.route() for endpoint in own]
        self._own = make_http(
            own,
            process.front,
            process.front.admission,
            # So that lists which are kept do not lack games that have ended here.
            lambda: sum(rooms.publisher.finished for rooms in node.logs.rooms),
        )
        leader = self.figures.leader, self._app_of_leader
        self._forwarding = SafeHeaders(Forwarding(self.calls, *leader, process.host_hash))
        self.calls.serve(FIGURES, lambda run, value: self.figures.summary())
        self.calls.serve(ROOMS, self.figures.of_rooms)
        self.calls.serve(CHANGED, self.bans.changed)
        self.calls.serve(STATE, node.told_state)
        node.own_leader.on_change = self._leader_changed
        process.supervisor.watch("bans", self.bans.run)
        rest = partial(every, REST_CHECK_S, lambda: node.advice.sweep(process.service.now()))
        process.supervisor.watch("advice", rest)

    def _reading(self) -> Reading:
        process, storage = self._process, self._process.storage
        store = SqlStore(storage.database)
        session_ms = process.settings.session_ms
        return Reading(
            store,
            Identification(storage.accounts, self.bans.known, process.date, session_ms),
            NodeMatches(self._node, self.calls),
            partial(stored_report, store),
            self._node.advice,
            process.front.admission,
            FairTurns(at_once=1),
            process.front.sources,
            process.signer,
            process.service.now,
        )

    # -- requests ------------------------------------------------------------------------------

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer an HTTP request."""
        app = self._own if self._is_own(scope) else self._forwarding
        await app(scope, receive, send)

    def _is_own(self, scope: Scope) -> bool:
        """Return whether this node answers a request, and not the leader."""
        inner = {**scope, "path": inner_path(scope["path"], self._process.front.site.base)}
        for route in self._routes:
            match, more = route.matches(inner)
            if match is not Match.NONE:
                kind = more["path_params"].get("kind")  # of a preview
                return kind is None or kind in self._previews.kinds
        return False

    def _app_of_leader(self) -> ASGIApp | None:
        """Return the leader's application while this node is the leader and its lease holds."""
        leader = self._leader
        if leader is None or leader is not self._node.leader:
            return None
        return self._leader_app if leader.is_open and self._holds() else None

    # -- the leader ------------------------------------------------------------------------------

    def _leader_changed(self, leader: RunningLeader | None) -> None:
        """Answer for the leader from now on, or no more."""
        self._leader = leader
        if leader is None:
            return
        authority, front = leader.authority, self._process.front
        admin = AdminEndpoints(authority, ClusterView(leader, self.calls), front.sources, None)
        endpoints = [
            *self._shared,
            *leader_endpoints(authority, front, self._fair, admin.endpoints()),
        ]
        listing = authority.lobby_feed.listing
        self._leader_app = make_http(
            described(endpoints), front, authority.admission, lambda: listing.version
        )
        leader.authority.on_notice = self.tell
        leader.authority.accounts.on_bans = lambda: self.calls.tell_all(CHANGED, None, TELL_S)
        self.tell()

    def tell(self) -> None:
        """Send the state of the leader to all nodes that can be reached, if it is here."""
        leader = self._node.leader
        if leader is None or not leader.is_open:
            return
        authority = leader.authority
        self._changes += 1
        state = LeaderState(
            leader.token,
            self._changes,
            authority.config.epoch,
            authority.availability.draining,
            authority.announcements.for_newcomer(),
        )
        self.calls.tell_all(STATE, tuple(state), TELL_S)

    async def close(self) -> None:
        """End what still runs."""
        await self._pictures.close()
        await self.calls.close()
