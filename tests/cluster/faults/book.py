"""What the players were told, and the checks of it: the server's word against the rules.

`Book.told` takes each event, `Book.shown` each snapshot and `Book.acknowledged` each answered move.
What contradicts the protocol or the rules becomes a sentence in `Book.faults`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from doublecross.games.api import GameError
from doublecross.games.record import parse_record
from doublecross.games.registry import make_game

Message = dict[str, Any]
Row = Mapping[str, Any]
"""A row of the table of games."""

NO_RESULT: Final = ("aborted", "void")

VARYING: Final = frozenset(("id", "board"))
"""Fields in which two copies of an event may differ."""


@dataclass
class Match:
    """A match of a room, as all its players together were told."""

    moves: dict[int, int] = field(default_factory=dict)
    """The action at each ply."""
    promised: dict[int, int] = field(default_factory=dict)
    """The actions that were acknowledged to their movers."""
    scores: list[int] | None = None
    """The last scores, once the match has ended with a result."""


@dataclass
class RoomHistory:
    """A room, as all its players together were told."""

    room: str
    events: dict[int, Message] = field(default_factory=dict)
    matches: dict[int, Match] = field(default_factory=dict)

    def match(self, number: int) -> Match:
        """Return a match of the room."""
        return self.matches.setdefault(number, Match())


class Book:
    """Everything that was told, and whatever was wrong with it."""

    def __init__(self) -> None:
        self.rooms: dict[str, RoomHistory] = {}
        self.faults: list[str] = []
        """The violations, each once."""
        self.moves = 0
        """How many moves were acknowledged."""

    def blame(self, sentence: str) -> None:
        """Note a violation."""
        if sentence not in self.faults:
            self.faults.append(sentence)

    def history(self, room: str) -> RoomHistory:
        """Return the history of a room."""
        found = self.rooms.get(room)
        if found is None:
            found = self.rooms[room] = RoomHistory(room)
        return found

    def told(self, who: str, event: Message) -> None:
        """Note an event that somebody received."""
        history = self.history(event["room"])
        plain = {key: value for key, value in event.items() if key not in VARYING}
        known = history.events.setdefault(event["seq"], plain)
        if known is plain:
            self._new(history, plain)
        elif known != plain:
            self.blame(f"{who} was told {plain}, and others {known}.")

    def _new(self, history: RoomHistory, event: Message) -> None:
        if event["type"] == "move":
            match = history.match(event["match"])
            self._moved(history, event["match"], event["ply"], event["action"])
            if any(
                other["type"] == "move"
                and other["seq"] != event["seq"]
                and (other["match"], other["ply"]) == (event["match"], event["ply"])
                for other in history.events.values()
            ):
                self.blame(f"Two events of {history.room} are the move of one ply: {event}")
        elif event["type"] == "match_finished":
            match = history.match(event["match"])
            if event["termination"] == "completed":
                match.scores = list(event["scores"])
            else:
                self.blame(f"A match has ended before its last gateway: {event}")

    def _moved(self, history: RoomHistory, match: int, ply: int, action: int) -> None:
        known = history.match(match).moves.setdefault(ply, action)
        if known != action:
            self.blame(f"{history.room} has the moves {known} and {action} at ply {ply}.")

    def shown(self, snapshot: Message, room: str) -> None:
        """Note a snapshot that somebody received."""
        history = self.history(room)
        for ply, action in enumerate(snapshot["moves"]):
            self._moved(history, snapshot["match"], ply, action)
        if snapshot["status"] == "finished":
            history.match(snapshot["match"]).scores = list(snapshot["scores"])

    def acknowledged(self, who: str, request: Message, answer: Message) -> None:
        """Note that a move was answered."""
        self.moves += 1
        match, ply, action = (request[name] for name in ("match", "ply", "action"))
        promised = self.history(request["room"]).match(match).promised
        if promised.setdefault(ply, action) != action:
            self.blame(f"{who} was promised two moves at ply {ply} of {request['room']}.")
        if (answer["match"], answer["ply"], answer["action"]) != (match, ply, action):
            self.blame(f"{who} asked for {request} and was answered {answer}.")

    # -- the whole history ---------------------------------------------------------------------

    def check_promises(self) -> None:
        """Check that each acknowledged move is one of those that everybody was told."""
        for history in self.rooms.values():
            for number, match in history.matches.items():
                for ply, action in match.promised.items():
                    if match.moves.get(ply) != action:
                        self.blame(
                            f"Move {action} at ply {ply} of match {number} of {history.room} was"
                            f" acknowledged, and there is {match.moves.get(ply)}."
                        )

    def check_rules(
        self, sizes: Mapping[str, tuple[int, int]], openings: Mapping[str, Sequence[int]]
    ) -> int:
        """Play all matches again by the rules; return how many moves they have."""
        moves = 0
        for history in self.rooms.values():
            if history.room in sizes:
                for number in history.matches:
                    moves += self._check_match(
                        history, number, sizes[history.room], openings[history.room]
                    )
        return moves

    def _check_match(
        self, history: RoomHistory, number: int, size: tuple[int, int], opening: Sequence[int]
    ) -> int:
        match = history.matches[number]
        to_move: int | None = 0
        scores = [0, 0]
        events = {
            event["ply"]: event
            for event in history.events.values()
            if event["type"] == "move" and event["match"] == number
        }
        state = make_game("dots-and-boxes", {"rows": size[0], "cols": size[1]}).initial_state(
            tuple(opening)
        )
        for ply in range(len(match.moves)):
            mover = state.current_player()
            if ply not in match.moves:
                self.blame(f"{history.room} has no move at ply {ply} of match {number}.")
                return ply
            try:
                state.apply(match.moves[ply])
            except GameError as error:
                self.blame(f"{history.room} has an illegal move at ply {ply}: {error}.")
                return ply
            to_move = None if state.is_terminal() else state.current_player()
            scores = list(state.scores())
            event = events.get(ply)
            if event is not None:
                found = (event["seat"], event.get("to_move"), list(event["scores"]))
                if found != (mover, to_move, scores):
                    self.blame(
                        f"{history.room}: by the rules seat {mover} moves, then {to_move},"
                        f" with {scores}: {event}"
                    )
        if match.scores is not None and (to_move, scores) != (None, match.scores):
            self.blame(f"{history.room} has ended with {match.scores}, by the rules {scores}.")
        return len(match.moves)

    def ended(self) -> set[str]:
        """Return the ids of the games that were completed."""
        return {
            f"{history.room}-{number}"
            for history in self.rooms.values()
            for number, match in history.matches.items()
            if match.scores is not None
        }

    def check_stored(self, rows: Iterable[Row]) -> None:
        """Compare the rows of finished games with what was told."""
        stored = {row["game_id"]: row for row in rows}
        for history in self.rooms.values():
            for number, match in history.matches.items():
                if match.scores is None:
                    continue
                game = f"{history.room}-{number}"
                row = stored.get(game)
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
                if [row["score_0"], row["score_1"]] != match.scores:
                    self.blame(f"The game {game} is stored with other scores: {dict(row)}")


def check_tournaments(book: Book, rows: Iterable[Row], planned: Mapping[str, int]) -> None:
    """Check that each game of each schedule was played once; `planned` has how many there are."""
    played: dict[str, Counter[tuple[int, int]]] = {}
    for row in rows:
        if row["tournament_id"] is not None and row["termination"] not in NO_RESULT:
            games = played.setdefault(row["tournament_id"], Counter())
            games[row["pairing"], row["pair_game"]] += 1
    for tournament, number in planned.items():
        games = played.get(tournament, Counter())
        if len(games) != number or any(times != 1 for times in games.values()):
            book.blame(f"{tournament} has {number} games, and these were played: {dict(games)}")


def wrong_ratings(rows: Iterable[Row], ratings: Iterable[Message]) -> list[str]:
    """Return which ratings of the lobby do not count each rated game of a player once."""
    played: Counter[str] = Counter()
    for row in rows:
        if row["rated"] and row["termination"] not in NO_RESULT:
            played.update((row["player_0"], row["player_1"]))
    return [
        f"The rating of {rating['player']} counts {rating['games']} games,"
        f" {played[rating['player']]} were played."
        for rating in ratings
        if rating["games"] != played[rating["player"]]
    ]
