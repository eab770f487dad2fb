"""A slow and obvious implementation of Dots and Boxes, for comparison with the real one."""

from __future__ import annotations

from dataclasses import dataclass, field

Edge = tuple[str, int, int]
"""("h", dot row, column) or ("v", row, dot column)."""
Box = tuple[int, int]


@dataclass
class SlowGame:
    """One game; `edges` lists the edges in the order of their numbers (OpenSpiel's order)."""

    rows: int
    cols: int
    opening: tuple[int, ...] = ()
    drawn: set[Edge] = field(default_factory=set)
    owner: dict[Box, int] = field(default_factory=dict)
    mover: int = 0

    def __post_init__(self) -> None:
        horizontals = [("h", r, c) for r in range(self.rows + 1) for c in range(self.cols)]
        verticals = [("v", r, c) for r in range(self.rows) for c in range(self.cols + 1)]
        self.edges: list[Edge] = horizontals + verticals
        self.boxes = [(r, c) for r in range(self.rows) for c in range(self.cols)]
        for action in self.opening:
            self.drawn.add(self.edges[action])
        for box in self.complete():
            self.owner[box] = -1

    def around(self, box: Box) -> set[Edge]:
        r, c = box
        return {("h", r, c), ("h", r + 1, c), ("v", r, c), ("v", r, c + 1)}

    def open_edges(self, box: Box) -> set[Edge]:
        return self.around(box) - self.drawn

    def complete(self) -> list[Box]:
        return [box for box in self.boxes if self.around(box) <= self.drawn]

    def legal(self) -> list[int]:
        return [number for number, edge in enumerate(self.edges) if edge not in self.drawn]

    def play(self, action: int) -> None:
        self.drawn.add(self.edges[action])
        won = [box for box in self.complete() if box not in self.owner]
        for box in won:
            self.owner[box] = self.mover
        if not won:
            self.mover = 1 - self.mover

    def scores(self) -> tuple[int, int]:
        owners = list(self.owner.values())
        return owners.count(0), owners.count(1)

    def owners(self) -> tuple[int, ...]:
        return tuple(self.owner.get(box, -1) for box in self.boxes)
