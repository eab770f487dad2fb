"""Describe the seats beside the board of a room, and how its match ended."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from doublecross.client.core.sentences import sentence_of
from doublecross.client.language import said, tr
from doublecross.client.tk.models.snapshots import RoomSnapshot
from doublecross.client.tk.models.words import ended_why, of_player, score_line
from doublecross.games.api import State

NO_RESULT = ("aborted", "void")


@dataclass(frozen=True, slots=True)
class SeatPanel:
    """The panel beside the board for one seat.

    `mine` says that the seat belongs to this window, `you` that it is the window's only one.
    `score` is None before a match. `note` is a remark such as ``away``. `thinking` says that a
    connected bot is to move.
    """

    seat: int
    name: str
    engine: str
    mine: bool
    you: bool
    score: int | None
    to_move: bool
    present: bool
    note: str
    thinking: bool


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a match: headline, reason, score, and the seat that won (None if no seat did).

    `won` says whether the person at the window has won. It is None without a winner, for spectators
    and for two people at one window.
    """

    headline: str
    why: str
    score: str
    winner: int | None
    game_id: str
    won: bool | None = None


def make_panel(
    snapshot: RoomSnapshot, own: Collection[int], state: State, seat: int, to_move: int | None
) -> SeatPanel:
    """Return what to show beside the board for `seat`.

    `own` are the seats of this window, `state` is the position that is shown, and `to_move` is the
    seat to move in the latest position.
    """
    player = snapshot.players[seat]
    moves = to_move == seat
    note = ""
    if player is None:
        note = "free"
    elif not snapshot.present[seat] and snapshot.status != "closed":
        note = tr("away")
    elif snapshot.status == "finished" and snapshot.rematch[seat] and seat not in own:
        note = tr("wants a rematch")
    return SeatPanel(
        seat=seat,
        name="" if player is None else player.name,
        engine="" if player is None else of_player(player),
        mine=seat in own,
        you=seat in own and len(own) == 1,
        score=state.scores()[seat] if snapshot.match > 0 and snapshot.game.unit else None,
        to_move=moves,
        present=snapshot.present[seat],
        note=note,
        thinking=moves and player is not None and player.kind == "bot" and snapshot.present[seat],
    )


def make_ending(snapshot: RoomSnapshot, own: Collection[int]) -> Ending | None:
    """Return how the match in `snapshot` ended, or None; `own` are the seats of this window."""
    result = snapshot.result
    if result is None:
        return None
    names = [
        snapshot.game.seat_names[seat] if player is None else player.name
        for seat, player in enumerate(snapshot.players)
    ]
    first, second = snapshot.game.replay(snapshot.opening, snapshot.moves).scores()
    winner, alone = result.winner, len(own) == 1
    won = winner in own if winner is not None and alone else None
    if winner is None:
        headline = tr("No result") if result.termination in NO_RESULT else tr("Draw")
    elif won is None:
        headline = tr("{name} won", name=names[winner])
    else:
        headline = tr("You won") if won else tr("You lost")
    loser = None if winner is None else names[1 - winner]
    lost = winner is not None and alone and 1 - winner in own
    reason = said(sentence_of(result))
    why = ended_why(result.termination, loser, reason, own=lost)
    if result.termination == "aborted" and reason:
        why = reason.rstrip(".")  # the server's reason names the player who aborted
    return Ending(
        headline=headline,
        why=why,
        score=score_line(first, second, next(iter(own)) if alone else winner)
        if snapshot.game.unit
        else "",
        winner=winner,
        game_id=result.game_id,
        won=won,
    )
