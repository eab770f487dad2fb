"""Moves that have been clicked and that the server has not confirmed yet."""

from __future__ import annotations

from dataclasses import dataclass

from client.tk.models.pictures import RoomPicture


@dataclass(frozen=True, slots=True)
class Order:
    """A move to send: by the connection of `who`, in `match` at `ply`."""

    who: str
    room: str
    match: int
    ply: int
    action: int


class PendingMoves:
    """Orders of consecutive plies, on top of the last picture of their room.

    One at a time is on its way to the server, and `due` gives the next one when that has been
    confirmed: orders that overtook each other, such as those of two people at one window, would be
    refused.
    """

    def __init__(self) -> None:
        self._orders: list[Order] = []
        self._sent: Order | None = None

    def __bool__(self) -> bool:
        """Whether there are any."""
        return bool(self._orders)

    @property
    def actions(self) -> tuple[int, ...]:
        """What they play, the first one first."""
        return tuple(order.action for order in self._orders)

    def add(self, order: Order) -> None:
        """Add an order, for the ply after the last one."""
        self._orders.append(order)

    def due(self) -> Order | None:
        """Return the order to send now: the first, once."""
        first = self._orders[0] if self._orders else None
        if first is self._sent:
            return None
        self._sent = first
        return first

    def settle(self, picture: RoomPicture) -> None:
        """Drop orders that `picture` confirms, and those after a wrong guess."""
        moves, rest = picture.moves, list[Order]()
        for order in self._orders:
            if order.match != picture.match or picture.status != "playing":
                break
            if order.ply < len(moves):
                if moves[order.ply] != order.action:
                    break
            elif order.ply == len(moves) + len(rest):
                rest.append(order)
        self._orders = rest

    def refuse(self, order: Order) -> bool:
        """Drop `order` and those after it; return false if it was settled already."""
        if not any(order is each for each in self._orders):
            return False
        self._orders = [each for each in self._orders if each.ply < order.ply]
        return True
