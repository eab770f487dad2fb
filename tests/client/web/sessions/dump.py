"""Describe a client in Python field by field, as `tests/node/session-dump.mjs` describes the page.

The page knows no rules and takes each position from the server's boards. Here the rules of the game
yield cells, legal actions, scores and the seat to move. So equal dumps prove that boards and rules
agree.
"""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from doublecross.client.core import updates as u
from doublecross.client.core.requests import RequestQueue
from doublecross.client.core.room import RoomMirror
from doublecross.client.core.session import Session
from doublecross.protocol.client_messages import Request
from doublecross.protocol.server_messages import ServerMessage

Flat = dict[str, Any]


def dump(session: Session, queue: RequestQueue, now: float) -> Flat:
    """Return everything that the client shows at `now`, by dotted names."""
    found: Flat = {
        "player": plain(session.player),
        "epoch": session.epoch,
        "rooms": list(session.rooms),
        "offers": [
            [offer.offer, offer.request.id, offer.request.key, offer.withdrawn]
            for offer in session.offers.values()
        ],
        "challenges": [plain(challenge) for challenge in session.challenges.values()],
        "pending": [
            [
                request_id,
                each.stage,
                each.awaited,
                each.match,
                each.sends,
                each.refusals,
                each.sent_at,
                each.retry_at,
            ]
            for request_id, each in queue.pending.items()
        ],
        "waitS": queue.wait_s(now),
        "unansweredSince": queue.unanswered_since,
    }
    if session.reviews:
        found["reviews"] = [plain(review) for review in session.reviews.values()]
    if session.lobby is not None:
        found["lobby.stale"] = session.lobby.stale
        for name in ("players", "seeks", "rooms", "tournaments", "ratings"):
            entries = getattr(session.lobby, name)
            found[f"lobby.{name}"] = [plain(entry) for entry in entries.values()]
    for number, mirror in enumerate(session.rooms.values()):
        found |= {f"{number}.{name}": value for name, value in room_dump(mirror, now).items()}
    return found


def room_dump(mirror: RoomMirror, now: float) -> Flat:
    """Return what a mirror shows at `now`; the position comes from the rules."""
    state, last = mirror.state, mirror.last_move
    legal = state.legal_actions() if mirror.to_move is not None else []
    owners = state.owners()
    return {
        "seq": mirror.seq,
        "seat": mirror.seat,
        "players": [plain(player) for player in mirror.players],
        "private": mirror.private,
        "tag": plain(mirror.tag),
        **({} if mirror.asked_by is None else {"askedBy": mirror.asked_by}),
        "status": mirror.status,
        "match": mirror.match,
        "settings": plain(mirror.settings),
        "opening": list(mirror.settings.opening),
        "moves": list(state.history()),
        "cells": "".join("." if owner < 0 else str(owner) for owner in owners),
        "legal": "".join("1" if a in legal else "0" for a in range(mirror.game.num_actions)),
        "winning": list(state.winning_cells()),
        "toMove": mirror.to_move,
        "myTurn": mirror.my_turn and mirror.to_move is not None,
        "scores": list(state.scores()),
        "clock": [pair(mirror.clock.ms), mirror.clock.mover, mirror.clock.runs],
        "left": [
            pair(mirror.clock.remaining_ms(now)),
            mirror.clock.move_left_ms(now),
            mirror.clock.budget_ms(now),
        ],
        "claimAt": list(mirror.claim_at),
        "presence": [
            *([seat.connected, seat.claim_in_ms] for seat in mirror.presence.seats),
            mirror.presence.spectators,
        ],
        "rematch": list(mirror.rematch),
        "takebacks": mirror.takebacks,
        **({} if mirror.takeback is None else {"takeback": plain(mirror.takeback)}),
        "result": plain(mirror.result),
        "expected": list(mirror.expected),
        # Without the rules nobody knows who began a match that is seen in the middle.
        "started": mirror.started
        and [mirror.started.seq, mirror.started.match, *mirror.started.players],
        "lastMove": last and [last.seq, last.ply, last.seat, last.action, last.elapsed_ms],
        "finished": plain(mirror.finished),
        "code": mirror.code,
        "sentence": mirror.sentence,
    }


def plain(model: BaseModel | None) -> Any:
    """Return a message or a part as JSON values."""
    return None if model is None else model.model_dump(mode="json")


def pair(value: tuple[int, int] | None) -> list[int] | None:
    """Return a tuple as a list."""
    return None if value is None else list(value)


def asked(request: Request) -> Flat:
    """Return a request as the page sends it, without the fields that have their default."""
    given = request.model_dump(mode="json", exclude_defaults=True)
    return {"type": getattr(request, "type", ""), **given}


def answered(answer: ServerMessage, derived: bool) -> Flat:
    """Return an answer; of one that the server sent only what tells it apart.

    `derived`: the client has derived it from its mirror.
    """
    found: Flat = plain(answer)
    if not derived:
        return {name: found[name] for name in ("type", "id", "code") if name in found}
    if found["type"] == "match_started":
        del found["to_move"]  # see `room_dump`
    if found["type"] == "error":
        found["phrase"] = None  # the page has translated the sentence already
    return found


def update(change: u.Update) -> Flat:
    """Return an update as the page names it.

    Raises:
        ValueError: the page has no such update.
    """
    match change:
        case u.RoomChanged(room=room, event=event):
            what = event and [event.seq, plain(event)["type"]]
            return {"kind": "room", "room": room, "event": what}
        case u.PresenceChanged(room=room):
            return {"kind": "presence", "room": room}
        case u.PhraseHeard(room=room, seat=seat, phrase=phrase):
            return {"kind": "phrase", "room": room, "seat": seat, "phrase": phrase}
        case u.RoomLeft(room=room):
            return {"kind": "roomLeft", "room": room}
        case u.RoomLost(room=room):
            # The sentences about contradictions name the checks, which differ.
            return {"kind": "roomLost", "room": room}
        case u.SeatedByOffer(room=room, origin=origin):
            return {"kind": "seated", "room": room, "origin": origin}
        case u.SeatGiven(room=room):
            return {"kind": "seatGiven", "room": room}
        case u.LobbyUpdated(change=part):
            return {"kind": "lobby", "whole": part is None}
        case u.ChallengeReceived(challenge=challenge):
            return {"kind": "challenge", "challenge": challenge.challenge}
        case u.OfferClosed(offer=offer, outcome=outcome, reason=reason):
            return {"kind": "offerClosed", "offer": offer, "outcome": outcome, "reason": reason}
        case u.OfferRenewed(old=old, new=new):
            return {"kind": "offerRenewed", "old": old, "new": new}
        case u.TournamentChanged(state=state):
            shown = [state.tournament, state.status, state.games_played, len(state.entrants)]
            return {"kind": "tournament", "state": shown}
        case u.ReviewChanged(game_id=game_id):
            return {"kind": "review", "game": game_id}
        case u.Announced(text=text, until_ms=until_ms):
            return {"kind": "announcement", "text": text, "untilMs": until_ms}
        case u.ServerClosing(grace_ms=grace_ms):
            return {"kind": "closing", "graceMs": grace_ms}
        case u.Reconnected(epoch_changed=changed):
            return {"kind": "reconnected", "epochChanged": changed}
        case u.StorageFailing():
            return {"kind": "storageFailing"}
        case u.StorageRecovered():
            return {"kind": "storageRecovered"}
    raise ValueError(f"The page has no update {type(change).__name__}.")
