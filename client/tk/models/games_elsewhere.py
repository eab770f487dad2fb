"""Find and describe the matches of this player that the current screen does not show."""

from __future__ import annotations

from dataclasses import dataclass

from doublecross.client.language import tr
from doublecross.client.tk.models.latest import LatestSnapshots
from doublecross.client.tk.models.replay import GameReplay
from doublecross.client.tk.models.room.clock import room_clock
from doublecross.client.tk.models.room.seats import make_ending
from doublecross.client.tk.models.snapshots import OWN, RoomSnapshot
from doublecross.client.tk.models.summary import RecordSummary
from doublecross.games.record import Record


@dataclass(frozen=True, slots=True)
class GameNews:
    """A match that ended out of sight, and a sentence about its end."""

    room: str
    game_id: str
    text: str


def running_games(
    latest: LatestSnapshots, *, besides: str | None = None
) -> tuple[RoomSnapshot, ...]:
    """Return the matches that this player plays, except in the room `besides`.

    Those in which the player is to move come first, and of these the one with the least time.
    """
    found = [
        snapshot
        for (who, room), snapshot in latest.rooms.items()
        if who == OWN
        and room != besides
        and snapshot.seat is not None
        and snapshot.status == "playing"
    ]

    def urgency(snapshot: RoomSnapshot) -> tuple[bool, float]:
        assert snapshot.seat is not None
        clocks = snapshot.clock_ms
        left = float("inf") if clocks is None else clocks[snapshot.seat]
        return snapshot.to_move != snapshot.seat, left

    return tuple(sorted(found, key=urgency))


def opponent_name(snapshot: RoomSnapshot) -> str:
    """Return the name of this player's opponent."""
    assert snapshot.seat is not None
    other = snapshot.players[1 - snapshot.seat]
    return tr("your opponent") if other is None else other.name


def running_lines(games: tuple[RoomSnapshot, ...], now: float) -> tuple[str, str, str]:
    """Describe the first of `games` and its running clock at `now`, in seconds.

    Return a sentence, a shorter line and the shortest one, without the opponent.
    """
    first = games[0]
    name, seat = opponent_name(first), first.to_move
    mine = seat == first.seat
    clock = None if seat is None else room_clock(first, seat, now)
    time = "" if clock is None else clock.text
    theirs = time if mine or not time else tr("{name} has {time}", name=name, time=time)
    turn = tr("your turn") if mine else ""
    more = tr("and {count} more", count=len(games) - 1) if len(games) > 1 else ""
    forms = (
        (tr("Your match against {name} goes on", name=name), turn, theirs, more),
        (name, turn, time, more),
        (turn, time),
    )
    full, short, brief = (" · ".join(filter(None, parts)) for parts in forms)
    return full, short, brief


def news_of_snapshot(snapshot: RoomSnapshot) -> GameNews | None:
    """Return the news of a match that `snapshot` shows to be over, or None without its result."""
    if snapshot.seat is None or (ending := make_ending(snapshot, (snapshot.seat,))) is None:
        return None
    text = tr(
        "Your match against {name} is over: {headline}.",
        name=opponent_name(snapshot),
        headline=ending.headline,
    )
    return GameNews(snapshot.room, ending.game_id, _news(text, ending.score, ending.why))


def news_of_record(record: Record, room: str, game_id: str, me: str) -> GameNews:
    """Return the news of a match that ended while the player called `me` was away."""
    summary = RecordSummary(record, GameReplay(record))
    seat = int(summary.names[1].casefold() == me.casefold())
    outcome = summary.outcome_for(seat)
    text = tr(
        "Your match against {name} ended while you were away: {headline}.",
        name=summary.names[1 - seat],
        headline=outcome.headline,
    )
    return GameNews(room, game_id, _news(text, outcome.score, outcome.why))


def _news(text: str, score: str, why: str) -> str:
    return f"{text} {', '.join(filter(None, (score, why)))}."
