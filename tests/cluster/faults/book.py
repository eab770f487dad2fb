"""Everything that the players of the fault programs were told, and the checks of it.

Each player's client replays what it hears by the rules (`players`). The book has what all of them
heard together: nobody may have heard anything else, what was acknowledged must be there, and the
database must have the same. What contradicts becomes a sentence in `Book.faults`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from doublecross.games.api import GameError
from doublecross.games.record import parse_record
from doublecross.protocol.server_messages import MatchFinished, MoveMade, RoomEvent, Snapshot

Row = Mapping[str, Any]
"""A row of the table of games."""

NO_RESULT: Final = ("aborted", "void")
VARYING: Final = {"id", "board"}
"""Fields in which two copies of an event may differ."""


@dataclass
class Match:
    """A match, as all its players together were told."""

    moves: dict[int, int] = field(default_factory=dict)
    """The action at each ply."""
    promised: dict[int, int] = field(default_factory=dict)
    """The actions that were acknowledged to their movers."""
    scores: tuple[int, ...] | None = None
    """The last scores, once the match has ended with a result."""


class Book:
    """Everything that was told, and whatever was wrong with it."""

    def __init__(self) -> None:
        self.games: defaultdict[str, Match] = defaultdict(Match)
        """The matches, by the ids of their records."""
        self.faults: list[str] = []
        """The violations, each once."""
        self._events: dict[tuple[str, int], dict[str, Any]] = {}

    @property
    def moves(self) -> int:
        """How many moves were acknowledged."""
        return sum(len(match.promised) for match in self.games.values())

    def blame(self, sentence: str) -> None:
        """Note a violation."""
        if sentence not in self.faults:
            self.faults.append(sentence)

    def told(self, who: str, event: RoomEvent) -> None:
        """Note an event that somebody received."""
        plain = event.model_dump(exclude=VARYING)
        known = self._events.setdefault((event.room, event.seq), plain)
        if known != plain:
            self.blame(f"{who} was told {plain}, and others {known}.")
        elif isinstance(event, MoveMade):
            self._moved(f"{event.room}-{event.match}", event.ply, event.action)
        elif isinstance(event, MatchFinished):
            self.games[f"{event.room}-{event.match}"].scores = event.scores
            if event.termination != "completed":
                self.blame(f"A match has ended before its last move: {event}")

    def shown(self, room: str, snapshot: Snapshot) -> None:
        """Note a snapshot that somebody received."""
        game = f"{room}-{snapshot.match}"
        for ply, action in enumerate(snapshot.moves):
            self._moved(game, ply, action)
        if snapshot.status == "finished":
            self.games[game].scores = snapshot.scores

    def _moved(self, game: str, ply: int, action: int) -> None:
        known = self.games[game].moves.setdefault(ply, action)
        if known != action:
            self.blame(f"{game} has the moves {known} and {action} at ply {ply}.")

    def acknowledged(self, room: str, match: int, ply: int, action: int, answer: MoveMade) -> None:
        """Note that a move was answered."""
        game = f"{room}-{match}"
        if self.games[game].promised.setdefault(ply, action) != action:
            self.blame(f"Two moves were acknowledged at ply {ply} of {game}.")
        if (answer.room, answer.match, answer.ply, answer.action) != (room, match, ply, action):
            self.blame(f"Move {action} at ply {ply} of {game} was answered {answer}.")

    # -- the whole history ---------------------------------------------------------------------

    def check_promises(self) -> None:
        """Check that no move is missing, least of all one that was acknowledged."""
        for game, match in self.games.items():
            if sorted(match.moves) != list(range(len(match.moves))):
                self.blame(f"Moves of {game} are missing: {match.moves}")
            for ply, action in match.promised.items():
                if match.moves.get(ply) != action:
                    self.blame(
                        f"Move {action} at ply {ply} of {game} was acknowledged, and there is"
                        f" {match.moves.get(ply)}."
                    )

    def ended(self) -> set[str]:
        """Return the ids of the games that were completed."""
        return {game for game, match in self.games.items() if match.scores is not None}

    def check_stored(self, rows: Iterable[Row]) -> None:
        """Compare the rows of finished games with what was told."""
        stored = {row["game_id"]: row for row in rows}
        for game in self.ended():
            match, row = self.games[game], stored.get(game)
            if row is None:
                self.blame(f"The game {game} has ended, and is not stored.")
                continue
            try:
                moves = [move.action for move in parse_record(row["record"]).moves]
            except GameError as error:
                self.blame(f"The record of {game} cannot be read: {error}")
                continue
            if dict(enumerate(moves)) != match.moves:
                self.blame(f"The record of {game} has the moves {moves}, not {match.moves}.")
            if (row["score_0"], row["score_1"]) != match.scores:
                self.blame(f"The game {game} is stored with other scores: {dict(row)}")

    def check_tournaments(self, rows: Iterable[Row], planned: Mapping[str, int]) -> None:
        """Check that each game of each schedule was played once, of as many as were planned."""
        played: defaultdict[str, Counter[tuple[int, int]]] = defaultdict(Counter)
        for row in rows:
            if row["tournament_id"] is not None and row["termination"] not in NO_RESULT:
                played[row["tournament_id"]][row["pairing"], row["pair_game"]] += 1
        for tournament, number in planned.items():
            games = played[tournament]
            if len(games) != number or games.total() != number:
                self.blame(f"{tournament} has {number} games, and these were played: {games}")


def wrong_ratings(rows: Iterable[Row], counted: Mapping[str, int]) -> Sequence[str]:
    """Return which ratings, of so many games each, do not count each rated game once."""
    played: Counter[str] = Counter()
    for row in rows:
        if row["rated"] and row["termination"] not in NO_RESULT:
            played.update((row["player_0"], row["player_1"]))
    return [
        f"The rating of {player} counts {games} games, {played[player]} were played."
        for player, games in counted.items()
        if games != played[player]
    ]
