"""How a tournament is kept and told: its terms between wire, storage and core, and its state."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from games.api import Game
from protocol.common import PairTag
from protocol.common import TournamentTerms as WireTerms
from protocol.errors import ErrorCode
from server.core.errors import Refused
from server.core.storage import GameRow, Store, TournamentRow
from server.tournaments.core.errors import CorruptTournament, TournamentError
from server.tournaments.core.rows import Entrant, GameOutcome, Pairing, Tag
from server.tournaments.core.settlement import RowChanges
from server.tournaments.core.terms import Terms
from server.tournaments.core.tournament import Tournament

Openings = tuple[tuple[int, ...], ...]

MOST_ENTRANTS: Final = 200
"""Entrants in a message; the rest is told over HTTP."""
SPARE_OPENINGS: Final = 3
"""A knockout may need so many more for its tie-breaks."""
LADDER_OPENINGS: Final = 500
"""Openings of a ladder, in which nobody knows how often two will meet."""


def id_of(owner: str, key: str) -> str:
    """The id of the tournament that a player's idempotency key creates: always the same, so that
    a request that is sent again after a restart finds it."""
    digest = hashlib.sha256(f"{owner.casefold()} {key}".encode()).digest()
    return f"t{base64.b32encode(digest[:10]).decode().rstrip('=').lower()}"


def find_openings(game: Game, terms: WireTerms) -> tuple[Openings, str]:
    """The openings of a tournament, and a sentence for its organiser where there are too few. It
    takes some milliseconds for a hundred."""
    wanted = terms.pairs
    if terms.format == "knockout":
        wanted += SPARE_OPENINGS
    elif terms.format == "ladder":
        wanted = LADDER_OPENINGS
    found = game.openings(Random(terms.seed), wanted)
    openings = found.found or ((),)
    if not found.short:
        return openings, ""
    return openings, f"{found.sentence} They are repeated."


def core_terms(tournament_id: str, terms: WireTerms, openings: Openings) -> Terms:
    """The terms as the core wants them.

    Raises:
        TournamentError: they make no sense.
    """
    settings = terms.settings
    return Terms(
        tournament_id=tournament_id,
        name=terms.name,
        format=terms.format,
        game=settings.game,
        params=settings.params,
        time=settings.time.text,
        openings=openings,
        pairs=terms.pairs,
        rounds=terms.rounds,
        patience=terms.patience,
        invited=terms.invited,
        late=terms.late,
        people=terms.people,
        seed=terms.seed or 0,
        hero=terms.hero,
    )


def terms_text(terms: WireTerms, openings: Openings) -> str:
    """Both as JSON, for the database."""
    return json.dumps({"terms": terms.model_dump(mode="json"), "openings": openings})


def parse_terms(text: str) -> tuple[WireTerms, Openings]:
    """What `terms_text` has written."""
    data = json.loads(text)
    terms = WireTerms.model_validate_json(json.dumps(data["terms"]))
    return terms, tuple(tuple(opening) for opening in data["openings"])


def outcome_of(row: GameRow) -> GameOutcome:
    """How a finished game of a tournament ended."""
    assert row.tag is not None
    tag = tag_of(row.tag)
    return GameOutcome(
        tag, row.winner, row.scores, row.termination, row.finished_ms, row.started_ms
    )


def tag_of(tag: PairTag) -> Tag:
    """A tag of the wire as the tournament knows it."""
    return Tag(tag.tournament, tag.pairing, tag.game, tag.attempt)


def wire_tag(tag: Tag) -> PairTag:
    """A tag of a tournament as it stands in messages."""
    return PairTag(
        tournament=tag.tournament, pairing=tag.pairing, game=tag.game, attempt=tag.attempt
    )


def tournament_state(
    row: TournamentRow,
    terms: WireTerms,
    core: Tournament,
    online: Container[str],
    *,
    note: str = "",
    most: int | None = MOST_ENTRANTS,
    player: str | None = None,
) -> dict[str, Any]:
    """How a tournament stands: the shape of `protocol.server_messages.TournamentState`, with
    `most` entrants at most (None: all), and besides with `player`, to whom it is told. `online`
    are the names of those who are connected."""
    lines = core.standings()
    shown = lines[:most]
    if player is not None and len(shown) < len(lines):
        shown += tuple(line for line in lines[most:] if line.name == player)
    progress = core.progress()
    return {
        "type": "tournament_state",
        "tournament": row.tournament_id,
        "terms": terms.model_dump(),
        "owner": row.owner,
        "status": core.status,
        "entrants": tuple(
            {
                "player": line.name,
                "engine": line.engine,
                "state": line.state,
                "reason": line.reason,
                "online": line.name in online,
                "playing": core.playing(line.number),
                "place": line.place,
                "games": line.games,
                "points": float(line.points),
                "net": line.net,
            }
            for line in shown
        ),
        "entrants_total": len(lines),
        "games_played": progress.played,
        "games_planned": progress.planned,
        "note": note,
    }


@dataclass(frozen=True, slots=True)
class StoredTournament:
    """All that is stored of a tournament."""

    row: TournamentRow
    entrants: Sequence[Entrant]
    pairings: Sequence[Pairing]
    games: Sequence[GameRow]


async def read_tournament(store: Store, tournament_id: str) -> StoredTournament | None:
    """What is stored of a tournament; games that ended since the first of its rows was read are
    among it.

    Raises:
        StoreError: the database fails.
        CorruptTournament: a row cannot be read.
    """
    with _corrupt(tournament_id):
        found = await store.tournament(tournament_id)
        if found is None:
            return None
        return StoredTournament(*found, await store.tournament_games(tournament_id))


def built(
    stored: StoredTournament, outcomes: Iterable[GameOutcome], live: Iterable[Tag]
) -> tuple[WireTerms, Tournament, RowChanges]:
    """A tournament from its rows, its games that are over and those that are being played: its
    terms, itself, and what must be stored besides.

    Raises:
        CorruptTournament: the rows do not belong together.
    """
    with _corrupt(stored.row.tournament_id):
        wire, openings = parse_terms(stored.row.terms)
        core, changes = Tournament.restore(
            core_terms(stored.row.tournament_id, wire, openings),
            stored.row.status,
            stored.entrants,
            stored.pairings,
            outcomes,
            live,
        )
    return wire, core, changes


def as_stored(
    stored: StoredTournament, live: Iterable[Tag]
) -> tuple[WireTerms, Tournament, Sequence[GameRow]]:
    """A tournament as it is stored, for those who ask how it stands, and those of its games that
    its rows tell of. `live` are games that were being played before it was read.

    Raises:
        CorruptTournament: the rows do not belong together.
    """
    games, count = stored.games, len(stored.pairings)
    if stored.row.status in ("open", "running"):
        # It went on while it was read: the next answer will tell of later pairs.
        games = [game for game in games if game.tag is not None and game.tag.pairing < count]
        live = [tag for tag in live if tag.pairing < count]
    wire, core, _ = built(stored, map(outcome_of, games), live)
    return wire, core, games


@contextlib.contextmanager
def _corrupt(tournament_id: str) -> Iterator[None]:
    """What cannot be read or understood inside makes no tournament."""
    try:
        yield
    except (LookupError, TypeError, ValueError) as error:
        raise CorruptTournament(f"Tournament {tournament_id}: {error}") from error


def unreadable(tournament_id: str) -> Refused:
    """The answer to those who ask for a tournament that is corrupt."""
    return Refused(
        ErrorCode.INTERNAL,
        f"What is stored of tournament {tournament_id} makes no sense; the server's log says more.",
    )


def storage_failed() -> Refused:
    """The answer when the database could not be asked."""
    return Refused(ErrorCode.STORAGE_FAILED, "The server's storage does not answer; try again.")


@contextlib.contextmanager
def refusing() -> Iterator[None]:
    """Refuse what the tournament inside refuses."""
    try:
        yield
    except TournamentError as error:
        raise Refused(ErrorCode.WRONG_STATE, str(error)) from None
