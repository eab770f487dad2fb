"""Build the parts of a node beside rooms and connections: HTTP, bans, and the state of the hall.

===================  ===========================================================================
what happens         where
===================  ===========================================================================
a page's file        `Front`, from memory, before anything here
a probe              `Probes`
any other request    `Forwarding` -> the hall's `HallSite`, here or through `Answering` elsewhere
an admin's overview  `HallSite` -> `ClusterView` -> `Figures.summary` of every node
a ban                the hall's `AccountService` -> `NodeBans.changed` of every node
a drain              the hall's `Authority` -> `Node.told_state` of every node
===================  ===========================================================================
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Receive, Scope, Send

from doublecross.server.background import BackgroundTasks
from doublecross.server.cluster.edge.connections import EdgeConnections
from doublecross.server.cluster.hall.running import RunningHall
from doublecross.server.cluster.hall.state import HallState
from doublecross.server.cluster.node import Node
from doublecross.server.cluster.process import ProcessParts
from doublecross.server.cluster.web.answering import Answering
from doublecross.server.cluster.web.bans import CHANGED, NodeBans
from doublecross.server.cluster.web.calling import Calling, NodeCalls
from doublecross.server.cluster.web.figures import FIGURES, ROOMS, NodeFigures
from doublecross.server.cluster.web.forwarding import Forwarding
from doublecross.server.cluster.web.site import HallSite
from doublecross.server.shell.upkeep.periodic import every
from doublecross.server.shell.web.app import SafeHeaders, refused
from doublecross.server.shell.web.cross_origin import CrossOrigin
from doublecross.server.shell.web.limits import PageLimits
from doublecross.server.shell.web.probes import Probes

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
        self._front = process.front
        self._holds = holds
        self._site: HallSite | None = None
        self._changes = 0
        self._tasks = BackgroundTasks()
        self.calls = NodeCalls(node.run, calls, node.reachable)
        self.bans = NodeBans(
            process.storage.accounts.bans, lambda: list(connections.peers), process.date
        )
        self.figures = NodeFigures(process, node, connections, holds, away)
        self._probes = Probes(self.figures, process.settings.metrics).endpoints()
        self._own_paths = frozenset(endpoint.path for endpoint in self._probes)
        self._forwarding = Forwarding(
            self.calls, self.figures.hall, self._own_app, process.host.host_hash
        )
        Answering(self.calls, self._own_app)
        self.calls.serve(FIGURES, lambda run, value: self.figures.summary())
        self.calls.serve(ROOMS, self.figures.of_rooms)
        self.calls.serve(CHANGED, self.bans.changed)
        self.calls.serve(STATE, node.told_state)
        node.own_hall.on_change = self._hall_changed
        self._app = SafeHeaders(self._dispatch())
        process.supervisor.watch("bans", self.bans.run)
        process.supervisor.watch("advice", lambda: every(REST_CHECK_S, self._rest))

    # -- requests ------------------------------------------------------------------------------

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer an HTTP request."""
        await self._app(scope, receive, send)

    def _dispatch(self) -> ASGIApp:
        front = self._front
        own = Starlette(
            exception_handlers={HTTPException: refused},
            routes=[endpoint.route() for endpoint in self._probes],
            middleware=[
                Middleware(CrossOrigin, origins=front.origins, hits=front.gate.hits),
                Middleware(
                    PageLimits,
                    sources=front.sources,
                    admission=front.admission,
                    version=int,
                    now_s=time.monotonic,
                ),
            ],
        )

        async def dispatch(scope: Scope, receive: Receive, send: Send) -> None:
            app = own if scope["path"] in self._own_paths else self._forwarding
            await app(scope, receive, send)

        return dispatch

    def _own_app(self) -> ASGIApp | None:
        """Return the application of the hall while this node is the hall and its lease holds."""
        site = self._site
        if site is None or site.hall is not self._node.hall:
            return None
        return site.app if site.hall.is_open and self._holds() else None

    # -- the hall ------------------------------------------------------------------------------

    def _hall_changed(self, hall: RunningHall | None) -> None:
        """Answer for the hall from now on, or no more."""
        if self._site is not None:
            self._tasks.start(self._site.close())
            self._site = None
        if hall is None:
            return
        self._site = HallSite(
            hall,
            self.calls,
            self._front,
            self._probes,
            self._process.host.signer,
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
        if self._site is not None:
            await self._site.close()
        await self.calls.close()
        await self._tasks.ended()
