"""Pairs up as many as possible of those who may be paired: maximum matching in a graph.

Theory of operation
-------------------
Vertices are first paired greedily in their order, each with the first free neighbour of its list.
While two are left that could both be paired by exchanging partners along an *augmenting path*
(which alternates between edges outside and inside the matching), a shortest one is found by
breadth-first search and turned over. In a graph that is not bipartite such paths run through odd
cycles, *blossoms*; each is shrunk to its base when it is found. When no path is left, no matching
has more pairs (C. Berge's theorem).

Source: J. Edmonds, Paths, trees, and flowers, Canadian Journal of Mathematics 17, 1965. Time is
cubic in the number of vertices at worst, and next to nothing where greed has done nearly all.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

Neighbours = Sequence[Sequence[int]]
"""Of each vertex, the ones that it may be paired with, the preferred first."""


def match(neighbours: Neighbours) -> list[int | None]:
    """The mate of each vertex, None for those left over; as many pairs as there can be."""
    mates: list[int | None] = [None] * len(neighbours)
    for vertex, others in enumerate(neighbours):
        if mates[vertex] is None:
            free = next((other for other in others if mates[other] is None), None)
            if free is not None:
                mates[vertex], mates[free] = free, vertex
    for vertex in range(len(neighbours)):
        if mates[vertex] is None:
            _PathSearch(neighbours, mates, vertex).augment()
    return mates


class _PathSearch:
    """One search for an augmenting path from `root`. `parent` leads from a vertex at an odd
    distance back towards the root, `base` is the base of the blossom that a vertex is in."""

    def __init__(self, neighbours: Neighbours, mates: list[int | None], root: int) -> None:
        self._neighbours = neighbours
        self._mates = mates
        self._root = root
        self._parent: dict[int, int] = {}
        self._base = list(range(len(neighbours)))
        self._even = {root}
        self._queue = deque([root])

    def augment(self) -> None:
        """Turn a path over, if there is one."""
        end = self._find()
        while end is not None:
            before = self._parent[end]
            after = self._mates[before]
            self._mates[end], self._mates[before] = before, end
            end = after

    def _find(self) -> int | None:
        while self._queue:
            here = self._queue.popleft()
            for there in self._neighbours[here]:
                if self._base[here] == self._base[there] or self._mates[here] == there:
                    continue
                if there in self._even:
                    self._shrink(here, there)
                elif there not in self._parent:
                    self._parent[there] = here
                    mate = self._mates[there]
                    if mate is None:
                        return there
                    self._even.add(mate)
                    self._queue.append(mate)
        return None

    def _shrink(self, one: int, other: int) -> None:
        """Two even vertices are neighbours: the odd cycle through them becomes one vertex."""
        base = self._common_base(one, other)
        inside: set[int] = set()
        self._mark(one, base, other, inside)
        self._mark(other, base, one, inside)
        for vertex, its_base in enumerate(self._base):
            if its_base in inside:
                self._base[vertex] = base
                if vertex not in self._even:
                    self._even.add(vertex)
                    self._queue.append(vertex)

    def _common_base(self, one: int, other: int) -> int:
        seen = set()
        here: int | None = self._base[one]
        while here is not None:
            seen.add(here)
            here = self._up(here)
        here = self._base[other]
        while here not in seen:
            here = self._up(here)
            assert here is not None
        return here

    def _up(self, base: int) -> int | None:
        """The base two steps closer to the root; None at the root."""
        if base == self._base[self._root]:
            return None
        mate = self._mates[base]
        assert mate is not None
        return self._base[self._parent[mate]]

    def _mark(self, vertex: int, base: int, child: int, inside: set[int]) -> None:
        """The bases on the way from `vertex` to `base`; the way back is remembered."""
        while self._base[vertex] != base:
            mate = self._mates[vertex]
            assert mate is not None
            inside.update((self._base[vertex], self._base[mate]))
            self._parent[vertex] = child
            child = mate
            vertex = self._parent[mate]
