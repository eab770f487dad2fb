"""Carry out the requests of players and organisers: check, change, queue the rows to be stored."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from doublecross.games.api.sentence import Sentence
from doublecross.protocol.common import PlayerInfo
from doublecross.protocol.common import TournamentTerms as WireTerms
from doublecross.protocol.errors import ErrorCode
from doublecross.server.core.errors import (
    Refused,
    bad_parameter,
    storage_silent,
    too_many,
    wrong_state,
)
from doublecross.server.core.lobby.repeats import refuse_reused
from doublecross.server.core.records import engine_text
from doublecross.server.core.storage import StoreError, TournamentRow
from doublecross.server.core.terms import check_settings, complete
from doublecross.server.tournaments.core.tournament import Tournament
from doublecross.server.tournaments.director import Director
from doublecross.server.tournaments.messages import (
    NOTHING,
    Openings,
    core_terms,
    id_of,
    terms_text,
)
from doublecross.server.tournaments.running import EVENTS_ID, RunningTournament

LATEST_START_MS: Final = 366 * 86_400_000
"""How far ahead the start of a tournament may lie, in milliseconds."""
ROUNDS_IN_TURN: Final = ("swiss", "knockout")
"""The formats in which a round follows the one before it."""
FREE_FORMATS: Final = ("ladder", "arena")
"""The formats that pair whoever is free."""
AT_ONCE_BY_DAYS: Final = 1_000_000
"""How many games a player of a tournament by days plays at once: all."""
OPEN_PER_OWNER: Final = 20
"""The most tournaments of one organiser that have not ended."""


@dataclass(frozen=True, slots=True)
class Organiser:
    """Somebody who creates or manages a tournament: the player's name and account id.

    `is_admin` allows to manage those of others.
    """

    name: str
    account_id: str
    is_admin: bool = False


async def create(
    director: Director, owner: Organiser, key: str, terms: WireTerms, openings: Openings = ()
) -> tuple[RunningTournament | str, str]:
    """Create a tournament; return it, and a sentence about its openings if they repeat.

    Without `openings` it draws them.

    The same `key` returns the same tournament again, or its id if it has ended. The rows are only
    queued when this returns.

    Raises:
        Refused: invalid terms, or too many tournaments of this organiser.
    """
    tournament_id = id_of(owner.account_id, key)
    if tournament_id not in director.registry.running and await is_stored(director, tournament_id):
        director.registry.check_readable(tournament_id)
        # The same request may have been carried out during the await.
        if tournament_id not in director.registry.running:
            return tournament_id, ""
    if tournament_id in director.registry.running:
        running = director.registry.find(tournament_id)
        check_repeated(running.wire, terms)
        if openings and openings != running.core.terms.openings:
            refuse_reused()
        return running, ""
    _check_count(director, owner)
    if terms.settings.opening:
        raise bad_parameter("A tournament chooses its openings by itself; leave the opening out.")
    if terms.settings.start:
        raise bad_parameter(
            "The games of a tournament begin at their openings; leave the start out."
        )
    _check_moments(terms, director.host.date())
    _check_days(terms)
    if terms.fill is not None and not terms.bots:
        raise bad_parameter("Name the bots that fill in, or leave out the number of players.")
    game = check_settings(terms.settings)
    asked = terms
    if terms.seed is None:
        terms = terms.model_copy(update={"seed": director.rng.getrandbits(48)})
    settings = terms.settings.model_copy(update={"params": dict(game.params)})
    terms = terms.model_copy(update={"settings": settings})
    first, note = await director.seasons.draw(game, terms, openings)
    # The same request may have been carried out during the await.
    if tournament_id in director.registry.running:
        running = director.registry.find(tournament_id)
        check_repeated(running.wire, asked)
        return running, note
    # The organiser may have created others during the await.
    _check_count(director, owner)
    core = Tournament(core_terms(tournament_id, terms, first, NOTHING))
    row = TournamentRow(
        tournament_id,
        terms.name,
        terms.format,
        "open",
        owner.name,
        terms_text(terms, first, NOTHING),
        director.host.date(),
        owner_id=owner.account_id,
    )
    running = director.registry.add(row, terms, core)
    running.active_ms = director.host.now()
    director.writer.store(running, None, whole=True)
    return running, note


def check_repeated(created: WireTerms, asked: WireTerms) -> None:
    """Check that a request asks for the tournament that its idempotency key has created.

    How many games are played at once does not matter: a ladder may go on with another number.

    Raises:
        Refused: it asks for another one.
    """
    settings = complete(asked.settings)
    seed = created.seed if asked.seed is None else asked.seed
    same = {"settings": settings, "seed": seed, "games_at_once": created.games_at_once}
    if created != asked.model_copy(update=same):
        refuse_reused()


def _check_moments(terms: WireTerms, now: int) -> None:
    if terms.starts_ms is not None and not now < terms.starts_ms <= now + LATEST_START_MS:
        raise bad_parameter("A tournament can start at any moment of the coming year.")
    if terms.round_ms is not None and terms.format not in ROUNDS_IN_TURN:
        raise bad_parameter("Only the rounds of a Swiss tournament and of a knockout have a time.")


def _check_days(terms: WireTerms) -> None:
    if terms.settings.time.by_days and terms.format in FREE_FORMATS:
        raise bad_parameter(
            "A tournament of the format {format} cannot have days for each move; choose another"
            " format.",
            terms.format,
        )


def _check_count(director: Director, owner: Organiser) -> None:
    if owner.account_id == EVENTS_ID:
        return  # the host's file has a limit of its own
    running = director.registry.running.values()
    count = sum(each.row.owner_id == owner.account_id for each in running)
    if count >= OPEN_PER_OWNER:
        raise too_many(
            "You have {count} tournaments, which is the limit; end one of them first.", count
        )


def join(director: Director, running: RunningTournament, player: PlayerInfo, at_once: int) -> None:
    """Let `player` enter the tournament, or come back after leaving it.

    `at_once` is how many games the player will play at the same time, except by days.

    Raises:
        Refused: the player may not enter.
    """
    if running.by_days:
        at_once = AT_ONCE_BY_DAYS
    engine, known = engine_text(player), running.core.find(player.name)
    if known and known.state == "in" and not running.core.entry.brings_version(known, engine):
        if known.engine != engine:
            raise wrong_state(
                "{name} entered as {before} and cannot play on as {now}.",
                player.name,
                known.engine or Sentence("a person"),
                engine or Sentence("a person"),
            )
        if known.at_once == at_once:
            return  # a repeated request changes nothing
        changes = running.core.play_at_once(known.number, at_once)
    else:
        changes = running.core.join(player.name, engine, at_once, director.host.date())
    for entrant in changes.entrants:
        if entrant.state != "in":  # a former version
            running.slots.pop(entrant.number, None)
    director.registry.enter(running, changes.entrants)
    director.writer.store(running, changes)
    director.presence.count_slots(player.name)
    director.wakeups.wake(running.id)


def leave(director: Director, running: RunningTournament, player: str) -> None:
    """Give `player` no more games.

    Raises:
        Refused: the player is not in the tournament.
    """
    changes = running.core.leave(player, "left")
    director.apply(running, changes)


def set_aside(director: Director, running: RunningTournament, player: str, reason: str) -> None:
    """Set `player` aside at the organiser's request: no more games, and no return.

    Raises:
        Refused: the player has never entered the tournament.
    """
    entrant = running.core.find(player)
    if entrant is None:
        raise Refused(ErrorCode.UNKNOWN_PLAYER, "{player} is not in this tournament.", player)
    changes = running.core.set_aside(entrant.number, reason or "excluded by the organiser")
    director.apply(running, changes)


def take_back(director: Director, running: RunningTournament, player: str) -> None:
    """Let `player`, who was set aside, play again.

    Raises:
        Refused: the player is not set aside, or may not come back.
    """
    entrant = running.core.find(player)
    if entrant is None:
        raise Refused(ErrorCode.UNKNOWN_PLAYER, "{player} is not in this tournament.", player)
    changes = running.core.take_back(entrant.number, director.host.date())
    director.apply(running, changes)


def add_bots(director: Director, running: RunningTournament, bots: Iterable[str]) -> None:
    """Ask bots to join the tournament.

    Raises:
        Refused: one of them is not here, is no bot, or may not join.
    """
    for name in bots:
        player = director.host.players.get(name)
        if player is None or player.kind != "bot":
            raise Refused(ErrorCode.UNKNOWN_PLAYER, "There is no bot {name} here now.", name)
        if running.core.find(name) is None:
            running.core.entry.check_newcomer(name, engine_text(player))
        running.asked.add(name)
    director.ask_bots(running)


def start(director: Director, running: RunningTournament) -> None:
    """Start the tournament.

    Raises:
        Refused: it has started already, or it has too few players.
    """
    director.start(running)


def end(director: Director, running: RunningTournament) -> None:
    """End the tournament; games that are being played go on and count.

    Raises:
        Refused: it has ended already.
    """
    changes = running.core.cancel()
    director.apply(running, changes)


async def next_season(
    director: Director, running: RunningTournament, *, keep: bool
) -> RunningTournament:
    """End the running season of a ladder, and return the next one, which has begun.

    Without `keep` all ratings begin anew.

    Raises:
        Refused: it is no ladder without an end that runs.
    """
    if not running.core.endless:
        raise wrong_state("Only a ladder without an end has seasons, while it runs.")
    await director.seasons.begin_next(running, keep=keep)
    return director.registry.find(running.id)


def check_organiser(running: RunningTournament, organiser: Organiser) -> None:
    """Check that somebody may manage the tournament.

    Raises:
        Refused: it is neither its organiser nor an admin of the server.
    """
    # By account, because another player can have the name later.
    if organiser.account_id != running.row.owner_id and not organiser.is_admin:
        raise Refused(
            ErrorCode.NOT_YOURS, "Only {owner} organises this tournament.", running.row.owner
        )


async def is_stored(director: Director, tournament_id: str) -> bool:
    """Return whether the storage has the tournament, whatever its status.

    Raises:
        Refused: the storage does not answer.
    """
    try:
        return await director.store.has_tournament(tournament_id)
    except StoreError:
        raise storage_silent() from None
