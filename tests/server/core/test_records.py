"""Rows of finished matches: whatever happened in a match, its row and its record say so."""

from __future__ import annotations

from contextlib import suppress
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from doublecross.games.record import RecordedMove, parse_record
from doublecross.protocol.common import MatchSettings, PairTag, TimeControl
from doublecross.protocol.errors import ErrorCode
from doublecross.server.core import commands
from doublecross.server.core.errors import Refused
from doublecross.server.core.records import game_row
from doublecross.server.core.rooms.replay import TERMINATIONS, restore
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.rooms.takeback_commands import answer_takeback, ask_takeback
from doublecross.server.core.terms import RoomTerms
from tests.contract.test_games_contract import ALL, random_opening
from tests.games.plain_record import plain_text
from tests.server.core.test_replay import stored
from tests.server.playing import ANN, BOB, CAT, T0, TIMES, play

TIME_CONTROLS = [
    TimeControl(),
    TimeControl(base_ms=3_600_000, increment_ms=2000),
    TimeControl(base_ms=60_000),
    TimeControl(move_ms=10_000),
    TimeControl(base_ms=90_500, increment_ms=100, move_ms=30_000),
]
TAG = PairTag(tournament="t1", pairing=3, game=1, attempt=1)


class RandomRoom:
    """A room in which two players do what comes to mind; `said` has all events."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.now = T0
        game = rng.choice([p.values[0] for p in ALL])
        opening = random_opening(game, rng) if rng.random() < 0.5 else ()
        state = game.initial_state(opening)
        start = []
        while rng.random() < 0.7 and not state.is_terminal():
            start.append(rng.choice(state.legal_actions()))
            state.apply(start[-1])
        rated = rng.random() < 0.3
        if rated or state.is_terminal() or rng.random() < 0.5:
            start.clear()
        chosen = MatchSettings(
            game=game.key,
            params=dict(game.params),
            opening=opening,
            start=tuple(start),
            time=rng.choice(TIME_CONTROLS),
            rated=rated,
        )
        code = rng.choice([None, "secret"])
        terms = RoomTerms("r1", chosen, code is not None, code, tag=rng.choice([None, None, TAG]))
        self.room, said = Room.open(terms, TIMES, self.now)
        self.said: list[dict[str, Any]] = said
        self.said += self.room.sit(ANN, rng.randrange(2), self.now)
        self.said += self.room.sit(rng.choice([BOB, CAT]), None, self.now)
        for seat in (0, 1):
            self.room.attendance.connect(seat, True)
        self.room.start_clock(self.now)

    def take_back(self) -> None:
        """Let the last player to move ask for a takeback, and the other one accept it."""
        room, match = self.room, self.room.match
        assert match is not None
        ply = match.ply - self.rng.randrange(1, 4)
        if ply < 0:
            return
        names = [player.name for player in room.players if player is not None]
        asks = names[match.movers[ply]]
        answers = names[1 - match.movers[ply]]
        key = room.match_number, ply, match.takebacks.count
        with suppress(Refused):
            self.said += ask_takeback(room, asks, *key, self.now)
            if match.takebacks.request is not None:
                self.said += answer_takeback(room, answers, *key, True, self.now)
            room.start_clock(self.now)

    def play(self) -> None:
        """Play the match until it ends in some way."""
        room, rng = self.room, self.rng
        while room.status == "playing":
            self.now += rng.choice([0, 1, 80, 999, 1000, 7654])
            assert room.match is not None
            chance = rng.random()
            if chance < 0.1:
                self.take_back()
            elif chance < 0.13:
                ending = rng.choice(sorted(TERMINATIONS - {"completed"}))
                reason = rng.choice(["", "Ann had to go.", 'A "reason"\nand another'])
                self.said.append(room.finish(ending, rng.choice([0, 1, None]), reason, self.now))
            else:
                self.said += play(room, rng.choice(room.match.state.legal_actions()), self.now)


@settings(max_examples=120, derandomize=True, database=None)
@given(st.integers(0, 2**32))
def test_the_row_of_a_match_has_all_of_it_and_survives_a_restart(seed: int) -> None:
    played = RandomRoom(Random(seed))
    room = played.room
    rows = []
    for _ in range(2):
        played.play()
        match = room.match
        assert match is not None
        assert match.result is not None
        row = game_row(room)
        rows.append(row)
        record = parse_record(row.record)  # this replays the moves by the rules
        assert plain_text(record) == row.record
        assert record.moves == tuple(RecordedMove(*move) for move in match.moves)
        assert (record.game, record.opening) == (room.game, room.settings.opening)
        assert record.final_state().scores() == row.scores
        assert (record.players, record.result) == (row.players, match.result.text)
        assert (record.time_control, record.termination) == (row.time_control, row.termination)
        assert record.date == "2023-11-14T22:13:20+00:00" or row.started_ms > T0
        assert row.plies == len(record.moves)
        tags = dict(record.tags)
        assert tags["Room"] == "r1"
        assert tags["Rated"] == ("yes" if room.settings.rated else "no")
        assert tags.get("Takebacks", "0") == str(match.takebacks.count)
        assert tags.get("Reason", "") == match.result.reason
        assert tags.get("Tournament") == (None if row.tag is None else "t1")
        assert ("Start" in tags) == bool(room.settings.start)
        try:
            for name in row.players:
                played.said += commands.offer_rematch(room, name, played.now)
        except Refused as refused:
            assert refused.code == ErrorCode.WRONG_STATE  # noqa: PT017
            break
        room.start_clock(played.now)
    again: list[Any] = []
    restore(stored(played.said), TIMES, played.now, lambda room: again.append(game_row(room)))
    assert again == rows
