"""Maximum matching in a graph: pair as many vertices as possible.

Theory of operation
-------------------
First each vertex in order is paired greedily with the first free neighbour in its list. Then each
vertex that is left starts a breadth-first search for an *augmenting path*. Such a path ends at
another free vertex and alternates between graph edges outside and inside the matching. Exchanging
the two kinds of graph edges on it pairs two more vertices. In a graph that is not bipartite, such
paths may run through odd cycles, called *blossoms*; the search shrinks each to its base. When no
augmenting path is left, no matching has more pairs (C. Berge's theorem).

Source: J. Edmonds, Paths, trees, and flowers, Canadian Journal of Mathematics 17, 1965. The time is
cubic in the number of vertices at worst, and small where greedy pairing leaves few vertices.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

Neighbours = Sequence[Sequence[int]]
"""For each vertex, the vertices that it may be paired with, preferred ones first."""


def match(neighbours: Neighbours) -> list[int | None]:
    """Return the mate of each vertex, or None for those left over, in a maximum matching."""
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
    """One search for an augmenting path from `root`.

    `_parent` leads from a vertex at an odd distance back towards the root. `_base` has for each
    vertex the base of its blossom. `_even` are the vertices at an even distance.
    """

    def __init__(self, neighbours: Neighbours, mates: list[int | None], root: int) -> None:
        self._neighbours = neighbours
        self._mates = mates
        self._root = root
        self._parent: dict[int, int] = {}
        self._base = list(range(len(neighbours)))
        self._even = {root}
        self._queue = deque([root])

    def augment(self) -> None:
        """Extend the matching along an augmenting path, if there is one."""
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
        """Shrink the odd cycle through two even neighbours to one vertex."""
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
        """Return the base two steps closer to the root, or None at the root."""
        if base == self._base[self._root]:
            return None
        mate = self._mates[base]
        assert mate is not None
        return self._base[self._parent[mate]]

    def _mark(self, vertex: int, base: int, child: int, inside: set[int]) -> None:
        """Add the bases between `vertex` and `base` to `inside`, and set the parents on the way."""
        while self._base[vertex] != base:
            mate = self._mates[vertex]
            assert mate is not None
            inside.update((self._base[vertex], self._base[mate]))
            self._parent[vertex] = child
            child = mate
            vertex = self._parent[mate]
