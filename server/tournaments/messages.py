"""Convert tournaments between the wire, the storage and the core."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from random import Random
from typing import Any, Final

from doublecross.games.api import Game
from doublecross.games.api.sentence import Sentence
from doublecross.protocol.common import PairTag
from doublecross.protocol.common import TournamentTerms as WireTerms
from doublecross.protocol.errors import ErrorCode
from doublecross.server.core.errors import Refused
from doublecross.server.core.records import both_moved
from doublecross.server.core.storage import GameRow, Store, TournamentRow
from doublecross.server.core.tournament_rows import Entrant, GameOutcome, Pairing, Tag
from doublecross.server.tournaments.core.errors import CorruptTournament
from doublecross.server.tournaments.core.seasons import Line
from doublecross.server.tournaments.core.settlement import RowChanges
from doublecross.server.tournaments.core.terms import Terms
from doublecross.server.tournaments.core.tournament import Tournament
from doublecross.stats.glicko2 import Glicko

Openings = tuple[tuple[int, ...], ...]

NOBODY: Final[Mapping[str, int]] = {}
"""Nobody is waited for."""
NOTHING: Final[Mapping[Line, Glicko]] = {}
"""No season came before."""

MOST_ENTRANTS: Final = 200
"""The most entrants in a message; HTTP gives all of them."""
SPARE_OPENINGS: Final = 3
"""The additional openings of a knockout, for its tie-breaks."""
FIRST_OPENINGS: Final = 100
"""The openings that are drawn when a tournament is created; more are drawn when needed."""


def id_of(account_id: str, key: str) -> str:
    """Return the id of the tournament that a player's idempotency key creates.

    The same key always gives the same id, so a request that is sent again after a restart finds the
    tournament.
    """
    digest = hashlib.sha256(f"{account_id} {key}".encode()).digest()
    return f"t{base64.b32encode(digest[:10]).decode().rstrip('=').lower()}"


@dataclass(frozen=True, slots=True)
class FirstOpenings:
    """The openings with which a tournament begins; `more` says whether the game has others."""

    openings: Openings
    more: bool = False


def find_openings(game: Game, terms: WireTerms, listed: Openings = ()) -> tuple[FirstOpenings, str]:
    """Return the first openings, and a sentence for the organiser if there are too few.

    They are those in `listed`, or else drawn.
    The sentence is empty when there are enough, and when only drawing them all would show a lack.
    A hundred openings take some milliseconds.
    """
    if terms.format == "arena" and terms.people and not listed:
        return FirstOpenings(((),)), ""
    free = terms.format in ("ladder", "arena")  # nobody knows how often two meet
    wanted = FIRST_OPENINGS if free else terms.pairs
    if listed:
        few = len(listed) < wanted and not free
        note = f"There are fewer openings ({len(listed)}) than game pairs ({wanted})."
        return FirstOpenings(listed), f"{note} They are repeated." if few else ""
    wanted += SPARE_OPENINGS if terms.format == "knockout" else 0
    found = game.openings(Random(terms.seed), min(wanted, FIRST_OPENINGS))
    if found.short:
        if wanted > FIRST_OPENINGS:  # the sentence says how many were wanted
            found = game.openings(Random(terms.seed), wanted)
        return FirstOpenings(found.found or ((),)), f"{found.sentence} They are repeated."
    # Players may meet more often, as in a Swiss tournament. Find out whether there are others.
    others = game.openings(Random(terms.seed), FIRST_OPENINGS) if wanted < FIRST_OPENINGS else found
    more = tuple(opening for opening in others.found if opening not in set(found.found))
    openings = (*found.found, *more) or ((),)
    return FirstOpenings(openings, others.drawn and bool(others.found)), ""


def core_terms(
    tournament_id: str, terms: WireTerms, first: FirstOpenings, carried: Mapping[Line, Glicko]
) -> Terms:
    """Convert the terms of a message to those of the core.

    `carried` are the ratings from the season before, in a ladder.

    Raises:
        Refused: the terms are invalid.
    """
    settings = terms.settings
    return Terms(
        tournament_id=tournament_id,
        name=terms.name,
        format=terms.format,
        game=settings.game,
        params=settings.params,
        time=settings.time.text,
        openings=first.openings,
        more_openings=first.more,
        pairs=terms.pairs,
        rounds=terms.rounds,
        patience=terms.patience,
        invited=terms.invited,
        late=terms.late,
        people=terms.people,
        seed=terms.seed or 0,
        hero=terms.hero,
        tie_breaks=terms.tie_breaks,
        length_ms=terms.length_ms,
        fillers=terms.bots,
        anchors={each.player.casefold(): each.rating for each in terms.anchors},
        carried=carried,
    )


_TERMS_START: Final = '{"terms": '


def terms_text(terms: WireTerms, first: FirstOpenings, carried: Mapping[Line, Glicko]) -> str:
    """Return terms, openings and ratings as JSON, for the database; the terms come first."""
    return json.dumps(
        {
            "terms": terms.model_dump(mode="json"),
            "openings": first.openings,
            "more_openings": first.more,
            "carried": [(*line, *astuple(rating)) for line, rating in carried.items()],
        }
    )


def parse_terms(text: str) -> WireTerms:
    """Read the terms from what `terms_text` has written, without reading the openings.

    Raises:
        LookupError, TypeError, ValueError: the text is something else.
    """
    if not text.startswith(_TERMS_START):
        raise ValueError("The stored terms do not begin with the terms.")
    data, _ = json.JSONDecoder().raw_decode(text, len(_TERMS_START))
    return WireTerms.model_validate_json(json.dumps(data))


def parse_openings(text: str) -> FirstOpenings:
    """Read the openings from what `terms_text` has written, in this version or in 0.1.

    Raises:
        LookupError, TypeError, ValueError: the text is something else.
    """
    data = json.loads(text)
    openings = tuple(tuple(opening) for opening in data["openings"])
    # Version 0.1 drew all that were wanted, and had fewer only when the game has no more.
    enough = len(openings) >= data["terms"]["pairs"]
    return FirstOpenings(openings, data.get("more_openings", enough))


def parse_carried(text: str) -> dict[Line, Glicko]:
    """Read the ratings from the season before from what `terms_text` has written.

    Raises:
        LookupError, TypeError, ValueError: the text is something else.
    """
    rows = json.loads(text).get("carried", ())
    return {(name, engine): Glicko(*rating) for name, engine, *rating in rows}


def outcome_of(row: GameRow) -> GameOutcome:
    """Return how a finished game of a tournament ended."""
    assert row.tag is not None
    tag = tag_of(row.tag)
    return GameOutcome(
        tag,
        row.winner,
        row.scores,
        row.termination,
        row.finished_ms,
        row.started_ms,
        both_moved((row.thoughts[0].moves, row.thoughts[1].moves), row.plies),
    )


def tag_of(tag: PairTag) -> Tag:
    """Convert the tag of a message to one of the core."""
    return Tag(tag.tournament, tag.pairing, tag.game, tag.attempt)


def wire_tag(tag: Tag) -> PairTag:
    """Convert a tag of the core to one for messages."""
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
    awaited: Mapping[str, int] = NOBODY,
    busy: Container[int] = (),
    next_season: str | None = None,
) -> dict[str, Any]:
    """Return the state of a tournament as the message `TournamentState` defines it.

    It lists the best `most` entrants (None: all), and in addition `player`, who receives the
    message. `online` are the names of connected players. `note` is a sentence for the organiser.
    `awaited` says who loses a game by not coming, and in how many milliseconds. `busy` are the
    numbers of those who play elsewhere. `next_season` is the id of a ladder's running season if
    this is an earlier one.
    """
    standings = core.standings()
    shown = standings[:most]
    if player is not None and len(shown) < len(standings):
        shown += tuple(each for each in standings[most:] if each.name == player)
    progress = core.progress()
    return {
        "type": "tournament_state",
        "tournament": row.tournament_id,
        "terms": terms.model_dump(),
        "owner": row.owner,
        "status": core.status,
        "entrants": tuple(
            {
                "player": each.name,
                "engine": each.engine,
                "state": each.state,
                "reason": each.reason,
                "online": each.name in online,
                "loses_in_ms": awaited.get(each.name),
                "playing": core.playing(each.number),
                "busy": each.number in busy,
                "place": each.place,
                "games": each.games,
                "points": float(each.points),
                "net": each.net,
                "tie_breaks": each.tie_breaks,
                "rating": None if each.rating is None else round(each.rating.rating, 1),
                "deviation": None if each.rating is None else round(each.rating.deviation, 1),
                "on_fire": each.on_fire,
                "last_ms": each.last_ms,
            }
            for each in shown
        ),
        "entrants_total": len(standings),
        "games_played": progress.played,
        "games_planned": progress.planned,
        "next_ms": next_ms(row, terms, core),
        "ends_ms": core.ends_ms,
        "next_season": next_season,
        "note": note,
        "phrase": Sentence(note).phrase,
    }


def rounds_due(row: TournamentRow, terms: WireTerms, now: int) -> int | None:
    """Return how many rounds may have begun at the date `now`; None: all."""
    if terms.round_ms is None or row.started_ms is None:
        return None
    return 1 + max(0, now - row.started_ms) // terms.round_ms


def next_ms(row: TournamentRow, terms: WireTerms, core: Tournament) -> int | None:
    """Return when a tournament starts by itself, or its next round begins; None: at no moment."""
    if core.status == "open":
        return terms.starts_ms
    waiting = core.waiting_round
    if waiting is None or terms.round_ms is None or row.started_ms is None:
        return None
    return row.started_ms + waiting * terms.round_ms


@dataclass(frozen=True, slots=True)
class StoredTournament:
    """Everything that is stored of a tournament."""

    row: TournamentRow
    entrants: Sequence[Entrant]
    pairings: Sequence[Pairing]
    games: Sequence[GameRow]


async def read_tournament(store: Store, tournament_id: str) -> StoredTournament | None:
    """Read everything that is stored of a tournament; return None if it does not exist.

    The games are read last, so they may include some that ended during the reading.

    Raises:
        StoreError: the database fails.
        CorruptTournament: a row cannot be read.
    """
    with _check_rows(tournament_id):
        found = await store.tournament(tournament_id)
        if found is None:
            return None
        return StoredTournament(*found, await store.tournament_games(tournament_id))


def rebuild(
    stored: StoredTournament, outcomes: Iterable[GameOutcome], live: Iterable[Tag]
) -> tuple[WireTerms, Tournament, RowChanges]:
    """Rebuild a tournament from its rows, finished games and live games.

    Returns its terms, its core, and the changes that must be stored now.

    Raises:
        CorruptTournament: the rows do not belong together.
    """
    with _check_rows(stored.row.tournament_id):
        wire, openings = parse_terms(stored.row.terms), parse_openings(stored.row.terms)
        core, changes = Tournament.restore(
            core_terms(stored.row.tournament_id, wire, openings, parse_carried(stored.row.terms)),
            stored.row.status,
            stored.entrants,
            stored.pairings,
            outcomes,
            live,
            stored.row.started_ms,
        )
    return wire, core, changes


def rebuild_to_show(
    stored: StoredTournament, live: Iterable[Tag]
) -> tuple[WireTerms, Tournament, Sequence[GameRow]]:
    """Rebuild a tournament to show its state, without running it.

    Returns its terms, its core, and those stored games whose pairings were read too. `live` are
    games that were being played before the rows were read.

    Raises:
        CorruptTournament: the rows do not belong together.
    """
    games, count = stored.games, len(stored.pairings)
    if stored.row.status in ("open", "running"):
        # The tournament may have gone on during the reading. Games of pairings that were created
        # after the pairings were read appear in the next answer.
        games = [game for game in games if game.tag is not None and game.tag.pairing < count]
        live = [tag for tag in live if tag.pairing < count]
    wire, core, _ = rebuild(stored, map(outcome_of, games), live)
    return wire, core, games


@contextlib.contextmanager
def _check_rows(tournament_id: str) -> Iterator[None]:
    """Turn errors from unreadable rows into `CorruptTournament`."""
    try:
        yield
    except (LookupError, TypeError, ValueError, Refused) as error:
        raise CorruptTournament(f"Tournament {tournament_id}: {error}") from error


def unreadable(tournament_id: str) -> Refused:
    """Return the refusal of a request about a corrupt tournament."""
    return Refused(
        ErrorCode.INTERNAL,
        "The stored rows of tournament {tournament_id} cannot be read; the server's"
        " log has the details.",
        tournament_id,
    )
