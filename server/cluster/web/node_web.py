"""Build the parts of a node beside rooms and connections: HTTP, bans, and the state of the hall.

===================  ===========================================================================
what happens         where
===================  ===========================================================================
a page's file        `Front`, from memory, before anything here
a probe              `Probes`
what a query,        `reading_endpoints`, here at each node; about rooms, `NodeMatches` asks the
or a room, answers   node that runs them
any other request    `Forwarding` -> the application of the hall, here or elsewhere
an admin's overview  the hall's `ClusterView` -> `Figures.summary` of every node
a ban                the hall's `AccountService` -> `NodeBans.changed` of every node
a drain              the hall's `Authority` -> `Node.told_state` of every node
===================  ===========================================================================
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from starlette.routing import Match
from starlette.types import ASGIApp, Receive, Scope, Send

from doublecross.server.cluster.edge.connections import EdgeConnections
from doublecross.server.cluster.hall.running import RunningHall
from doublecross.server.cluster.hall.state import HallState
from doublecross.server.cluster.node import Node
from doublecross.server.cluster.process import ProcessParts
from doublecross.server.cluster.web.bans import CHANGED, NodeBans
from doublecross.server.cluster.web.calling import Calling, NodeCalls
from doublecross.server.cluster.web.figures import FIGURES, ROOMS, NodeFigures
from doublecross.server.cluster.web.forwarding import Forwarding
from doublecross.server.cluster.web.matches import NodeMatches
from doublecross.server.cluster.web.view import ClusterView
from doublecross.server.pictures.service import PictureService
from doublecross.server.shell.accounts.identification import Identification
from doublecross.server.shell.analysis.reviews import stored_report
from doublecross.server.shell.identity.turns import FairTurns
from doublecross.server.shell.page.site import inner_path
from doublecross.server.shell.upkeep.periodic import every
from doublecross.server.shell.web.app import (
    SafeHeaders,
    hall_endpoints,
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

STATE: Final = "hall state"
"""The name of the call by which the hall sends its state, of which each node keeps a copy."""
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
        connections: EdgeConnections,
        calls: Calling,
        holds: Callable[[], bool],
        away: Callable[[], str],
    ) -> None:
        self._process = process
        self._node = node
        self._holds = holds
        self._hall: RunningHall | None = None
        """The hall whose application is `_hall_app`."""
        self._hall_app: ASGIApp
        self._changes = 0
        self.calls = NodeCalls(node.run, calls, node.reachable)
        self.bans = NodeBans(
            process.storage.accounts.bans, lambda: list(connections.peers), process.date
        )
        self.figures = NodeFigures(process, node, connections, holds, away)
        self._pictures = PictureService()
        self._fair = FairPictures(self._pictures, process.front.sources)
        reading = self._reading()
        self._shared = [
            *Probes(self.figures, process.settings.metrics).endpoints(),
            *reading_endpoints(reading, self._fair, process.host.host_hash),
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
        hall = self.figures.hall, self._app_of_hall
        self._forwarding = SafeHeaders(Forwarding(self.calls, *hall, process.host.host_hash))
        self.calls.serve(FIGURES, lambda run, value: self.figures.summary())
        self.calls.serve(ROOMS, self.figures.of_rooms)
        self.calls.serve(CHANGED, self.bans.changed)
        self.calls.serve(STATE, node.told_state)
        node.own_hall.on_change = self._hall_changed
        process.supervisor.watch("bans", self.bans.run)
        process.supervisor.watch("advice", lambda: every(REST_CHECK_S, self._rest))

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
            process.host.signer,
            process.service.now,
        )

    # -- requests ------------------------------------------------------------------------------

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer an HTTP request."""
        app = self._own if self._is_own(scope) else self._forwarding
        await app(scope, receive, send)

    def _is_own(self, scope: Scope) -> bool:
        """Return whether this node answers a request, and not the hall."""
        inner = {**scope, "path": inner_path(scope["path"], self._process.front.site.base)}
        for route in self._routes:
            match, more = route.matches(inner)
            if match is not Match.NONE:
                kind = more["path_params"].get("kind")  # of a preview
                return kind is None or kind in self._previews.kinds
        return False

    def _app_of_hall(self) -> ASGIApp | None:
        """Return the application of the hall while this node is the hall and its lease holds."""
        hall = self._hall
        if hall is None or hall is not self._node.hall:
            return None
        return self._hall_app if hall.is_open and self._holds() else None

    # -- the hall ------------------------------------------------------------------------------

    def _hall_changed(self, hall: RunningHall | None) -> None:
        """Answer for the hall from now on, or no more."""
        self._hall = hall
        if hall is None:
            return
        authority, front = hall.authority, self._process.front
        admin = AdminEndpoints(authority, ClusterView(hall, self.calls), front.sources, None)
        endpoints = [
            *self._shared,
            *hall_endpoints(authority, front, self._fair, admin.endpoints()),
        ]
        listing = authority.lobby_feed.listing
        self._hall_app = make_http(
            described(endpoints), front, authority.admission, lambda: listing.version
        )
        hall.authority.on_notice = self.tell
        hall.authority.accounts.on_bans = lambda: self.calls.tell_all(CHANGED, None, TELL_S)
        self.tell()

    def tell(self) -> None:
        """Send the state of the hall to all nodes; do nothing if the hall is elsewhere."""
        hall = self._node.hall
        if hall is None or not hall.is_open:
            return
        authority = hall.authority
        self._changes += 1
        state = HallState(
            hall.token,
            self._changes,
            authority.config.epoch,
            authority.availability.draining,
            authority.announcements.for_newcomer(),
        )
        self.calls.tell_all(STATE, tuple(state), TELL_S)

    def linked(self, run: str) -> None:
        """Send the state of the hall again, because a node can be reached now."""
        self.tell()

    # -- the rest ------------------------------------------------------------------------------

    def _rest(self) -> None:
        self._node.advice.sweep(self._process.service.now())

    async def close(self) -> None:
        """End what still runs."""
        await self._pictures.close()
        await self.calls.close()
