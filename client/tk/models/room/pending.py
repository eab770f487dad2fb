"""Queue the moves that the person has clicked and the server has not confirmed."""

from __future__ import annotations

from dataclasses import dataclass

from doublecross.client.tk.models.snapshots import RoomSnapshot


@dataclass(frozen=True, slots=True)
class Order:
    """A move to send over the connection of `who`, in match number `match` at `ply`.

    `takebacks` is the number of takebacks before it.
    """

    who: str
    room: str
    match: int
    ply: int
    action: int
    takebacks: int = 0


class PendingMoves:
    """Orders for consecutive plies that follow the moves of the room's latest snapshot.

    Only one order at a time is sent; `due` returns the next one when the server has confirmed it.
    Two people at one window have two connections, so orders sent together could overtake each
    other, and the server would refuse them.
    """

    def __init__(self) -> None:
        self._orders: list[Order] = []
        self._sent: Order | None = None

    def __bool__(self) -> bool:
        """Return whether any orders are pending."""
        return bool(self._orders)

    @property
    def actions(self) -> tuple[int, ...]:
        """The actions of the orders, in the order of their plies."""
        return tuple(order.action for order in self._orders)

    def add(self, order: Order) -> None:
        """Add an order for the ply after the last order."""
        self._orders.append(order)

    def due(self) -> Order | None:
        """Return the first order if it was not returned before, otherwise None."""
        first = self._orders[0] if self._orders else None
        if first is self._sent:
            return None
        self._sent = first
        return first

    def settle(self, snapshot: RoomSnapshot) -> None:
        """Drop the orders that `snapshot` confirms, and those that its moves contradict."""
        moves, rest = snapshot.moves, list[Order]()
        for order in self._orders:
            if order.match != snapshot.match or snapshot.status != "playing":
                break
            if order.takebacks != snapshot.takebacks:
                break
            if order.ply < len(moves):
                if moves[order.ply] != order.action:
                    break
            elif order.ply == len(moves) + len(rest):
                rest.append(order)
        self._orders = rest

    def refuse(self, order: Order) -> bool:
        """Drop `order` and all later ones; return false if it was settled already."""
        if not any(order is each for each in self._orders):
            return False
        self._orders = [each for each in self._orders if each.ply < order.ply]
        return True
