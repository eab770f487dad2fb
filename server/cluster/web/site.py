"""The HTTP application of the hall: that of a single server, but with the figures of all nodes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from starlette.types import ASGIApp

from doublecross.server.cluster.hall.running import RunningHall
from doublecross.server.cluster.web.calling import NodeCalls
from doublecross.server.cluster.web.view import ClusterView
from doublecross.server.pictures.service import PictureService
from doublecross.server.shell.front import Front
from doublecross.server.shell.web.app import make_http
from doublecross.server.shell.web.endpoints import Endpoint
from doublecross.server.shell.web.managing.admin import AdminEndpoints

if TYPE_CHECKING:
    from doublecross.server.signing.records import RecordSigner


class HallSite:
    """Make the application while this node is the hall.

    `probes` are addresses that each node answers itself; here they are only described.
    """

    def __init__(
        self,
        hall: RunningHall,
        calls: NodeCalls,
        front: Front,
        probes: Sequence[Endpoint],
        signer: RecordSigner | None,
    ) -> None:
        self.hall = hall
        self._pictures = PictureService()
        authority = hall.authority
        admin = AdminEndpoints(authority, ClusterView(hall, calls), front.sources, None)
        self.app: ASGIApp = make_http(
            authority,
            front.sources,
            self._pictures,
            probes,
            admin.endpoints(),
            front.origins,
            front.gate.hits,
            signer,
            front.site.base,
        )

    async def close(self) -> None:
        """End the process that makes pictures."""
        await self._pictures.close()
