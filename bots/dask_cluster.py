"""Reach a Dask cluster, hand tasks to it, and take their results."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Any, Final, TypeVar

from doublecross.bots.errors import describe

if TYPE_CHECKING:
    from distributed import Client

In = TypeVar("In")
Out = TypeVar("Out")

AHEAD: Final = 2
"""So many tasks for each thread of a cluster are under way."""
ONCE: Final = {"retries": 3, "pure": False}
"""How to submit a task. Dask would compute the name of a pure one from all of its arguments."""
_CONNECT_S: Final = 10
_WORKER_S: Final = 30
"""Seconds in which the first worker must be there: a job of SLURM starts everything at once."""


class ClusterError(RuntimeError):
    """A cluster cannot do its work; the text is one sentence for people."""


@asynccontextmanager
async def connected(address: str) -> AsyncIterator[Client]:
    """Give a client of the cluster whose scheduler is at `address`, such as ``tcp://host:8786``.

    Raises:
        ClusterError: no scheduler answers, or it has no workers.
    """
    from distributed import Client

    with _reaching(address):
        client = await Client(address, asynchronous=True, timeout=_CONNECT_S)
    try:
        with _finding_workers(address):
            await client.wait_for_workers(1, _WORKER_S)
        yield client
    finally:
        await client.close()


async def tasks_at_once(client: Client, address: str) -> int:
    """Return how many tasks should be under way now; workers may come and go.

    Raises:
        ClusterError: the scheduler has gone.
    """
    with working(address):
        threads = sum((await client.nthreads()).values())
    return max(1, AHEAD * int(threads))


@contextmanager
def cluster_map(address: str) -> Iterator[Callable[..., Iterator[Any]]]:
    """Give a function like `map` that computes ahead on the cluster at `address`.

    Raises:
        ClusterError: no scheduler answers, or it has no workers; the function raises it when the
            workers fail.
    """
    from distributed import Client

    with _reaching(address):
        client = Client(address, timeout=_CONNECT_S)

    def mapped(work: Callable[[In], Out], items: Iterable[In]) -> Iterator[Out]:
        running: deque[Any] = deque()
        for item in items:
            running.append(client.submit(work, item, **ONCE))
            with working(address):
                # Workers may come and go meanwhile.
                if len(running) <= AHEAD * sum(client.nthreads().values()):
                    continue
                result = running.popleft().result()
            yield result
        for future in running:
            with working(address):
                result = future.result()
            yield result

    with client:
        with _finding_workers(address):
            client.wait_for_workers(1, _WORKER_S)
        yield mapped


@contextmanager
def working(address: str, *known: type[Exception]) -> Iterator[None]:
    """Turn the failure of a task of the cluster into one sentence; errors in `known` pass.

    Raises:
        ClusterError: the workers failed again and again, or the scheduler has gone.
    """
    from distributed.comm import CommClosedError

    try:
        yield
    except known:
        raise
    except (CancelledError, CommClosedError):
        raise ClusterError(f"The Dask scheduler at {address} has gone.") from None
    except Exception as error:
        sentence = f"The Dask cluster at {address} does not do its work: {describe(error)}."
        raise ClusterError(sentence) from error


@contextmanager
def _reaching(address: str) -> Iterator[None]:
    # It would log each attempt to reach a scheduler that has gone, with a traceback.
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
    try:
        yield
    except (OSError, ValueError, TimeoutError):
        raise ClusterError(f"No Dask scheduler answers at {address}.") from None


@contextmanager
def _finding_workers(address: str) -> Iterator[None]:
    try:
        yield
    except TimeoutError:
        raise ClusterError(f"The Dask cluster at {address} has no workers.") from None
