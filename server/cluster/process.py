"""The parts of a process of a cluster that outlive its runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from doublecross.server.cluster.links.access import Access
from doublecross.server.shell.analysis.advice import Adviser
from doublecross.server.shell.analysis.reviews import Reviewer
from doublecross.server.shell.front import Front
from doublecross.server.shell.settings import ServerSettings
from doublecross.server.shell.upkeep.service_time import ServiceTime
from doublecross.server.store.cluster.store import ClusterStore
from doublecross.server.supervisor import Supervisor

if TYPE_CHECKING:
    from doublecross.server.signing.records import RecordSigner


@dataclass(frozen=True, slots=True)
class ProcessParts:
    """The parts that a process keeps from run to run.

    `name` is that of the node, which the settings may leave open. `date` returns the date for
    people. `adviser` and `reviewer` make a new one for each run, if there are any. `host_hash` is
    the hash of the token of this node's host, and `signer` signs records, if the server does that.
    """

    name: str
    settings: ServerSettings
    storage: ClusterStore
    front: Front
    service: ServiceTime
    supervisor: Supervisor
    date: Callable[[], int]
    adviser: Callable[[], Adviser | None]
    reviewer: Callable[[], Reviewer | None]
    host_hash: bytes | None
    signer: RecordSigner | None


def nats_access(settings: ServerSettings) -> Access:
    """Return the access to NATS in the settings of a node."""
    urls = tuple(url.strip() for url in settings.nats.split(","))
    return Access(urls, settings.nats_credentials, settings.nats_ca)
