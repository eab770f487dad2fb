"""Random commands of several players to a room, with invariants checked after each command."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import hypothesis.strategies as st
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from pydantic import TypeAdapter

from doublecross.protocol.common import MatchSettings, PlayerInfo, TimeControl
from doublecross.protocol.server_messages import Event, Snapshot
from doublecross.server.core import commands
from doublecross.server.core.errors import Refused, Repeated
from doublecross.server.core.records import game_row
from doublecross.server.core.rooms import deadlines
from doublecross.server.core.rooms.match import Match
from doublecross.server.core.rooms.replay import restore
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.rooms.snapshot import board, board_after, presence, snapshot
from doublecross.server.core.rooms.takeback_commands import answer_takeback, ask_takeback
from doublecross.server.core.terms import RoomTerms
from doublecross.server.shell.peer import MSGPACK_CODEC
from tests.server.core.test_replay import stopped, stored
from tests.server.playing import ANN, CAT, T0, TIMES, dots
from tests.server.playing import BOB as BOT

EVENTS: TypeAdapter[Event] = TypeAdapter(Event)
NAMES = st.sampled_from(["Ann", "Bob", "Cat"])
BOB = PlayerInfo(name="Bob", kind="human")
SETTINGS = st.sampled_from(
    [
        dots(1, 1),
        dots(1, 2, rated=True),
        dots(2, 2, time=TimeControl()),
        dots(1, 2, time=TimeControl(base_ms=2000, increment_ms=100, move_ms=900)),
        MatchSettings(game="tic-tac-toe", time=TimeControl(move_ms=1500)),
    ]
)


class RoomMachine(RuleBasedStateMachine):
    """Run random commands; `said` has all events, as if each were stored at once."""

    room: Room

    def __init__(self) -> None:
        super().__init__()
        self.now = T0
        self.said: list[dict[str, Any]] = []
        self.boards: dict[int, tuple[Match, object]] = {}
        """The position after each event that has one, with its match."""
        self.requests: list[tuple[str, int, int, int]] = []
        """The takebacks that were asked for: name, match, ply and count."""

    @initialize(chosen=SETTINGS, seat=st.integers(0, 1), bot=st.booleans())
    def begin(self, chosen: MatchSettings, seat: int, bot: bool) -> None:
        self.players = {p.name: p for p in (ANN, BOT if bot else BOB, CAT)}
        self.room, said = Room.open(RoomTerms("r1", chosen), TIMES, self.now)
        self.keep(said + self.room.sit(ANN, seat, self.now))
        self.room.attendance.connect(seat, True)

    def keep(self, said: list[dict[str, Any]]) -> None:
        for event in said:
            assert len(event) <= 14
            EVENTS.validate_python(event)
            MSGPACK_CODEC.encode(event)
            assert event["seq"] == len(self.said) + 1  # no gaps
            self.said.append(event)
            match = self.room.match
            if event["type"] in ("match_started", "move", "takeback") and match is not None:
                self.boards[event["seq"]] = match, board(match.state)
            if event["type"] == "match_finished":
                row = game_row(self.room)
                assert row.game_id == event["game_id"]

    def command(
        self, act: Callable[[], list[dict[str, Any]]], *, may_be_silent: bool = False
    ) -> None:
        """Check that a command has events, is answered by an earlier event, or is refused."""
        before = (snapshot(self.room, self.now), deadlines.next_due(self.room))
        answer: Refused | int
        try:
            said = act()
        except Refused as refused:
            answer = refused
        except Repeated as repeated:
            answer = repeated.seq
        else:
            assert said or may_be_silent
            self.keep(said)
            return
        if isinstance(answer, Refused):
            assert answer.sentence.endswith(".")
        else:
            assert self.said[answer - 1]["type"] in (
                "move",
                "takeback",
                "takeback_asked",
                "takeback_declined",
            )
        assert (snapshot(self.room, self.now), deadlines.next_due(self.room)) == before

    # -- what players do -----------------------------------------------------------------------

    @rule(name=NAMES)
    def sit(self, name: str) -> None:
        self.command(lambda: self.room.sit(self.players[name], None, self.now))

    @rule(pick=st.integers(0, 99), thinks=st.sampled_from([0, 1, 40, 900, 901]))
    @precondition(lambda self: self.room.status == "playing")
    def play(self, pick: int, thinks: int) -> None:
        """Play a legal action for the mover."""
        match = self.room.match
        assert match is not None
        self.now += thinks
        legal = match.state.legal_actions()
        mover = self.room.players[match.state.current_player()]
        assert mover is not None
        ply = match.ply
        said = self.room.move(
            mover.name, self.room.match_number, ply, legal[pick % len(legal)], None, False, self.now
        )
        assert said[0]["type"] == "move" or said[0]["termination"] in ("timeout", "aborted")
        self.keep(said)

    @rule(
        name=NAMES,
        number=st.integers(0, 3),
        back=st.integers(-1, 3),
        action=st.integers(0, 15),
    )
    def try_a_move(self, name: str, number: int, back: int, action: int) -> None:
        match = self.room.match
        ply = max(0, 0 if match is None else match.ply - back)
        self.command(lambda: self.room.move(name, number, ply, action, None, False, self.now))

    @rule(pick=st.integers(0, 999))
    @precondition(lambda self: any(e["type"] == "move" for e in self.said))
    def send_a_move_again(self, pick: int) -> None:
        moves = [e for e in self.said if e["type"] == "move"]
        event = moves[pick % len(moves)]
        names = next(
            e["players"]
            for e in self.said
            if e["type"] == "match_started" and e["match"] == event["match"]
        )
        seq = None
        try:
            self.room.move(
                names[event["seat"]],
                event["match"],
                event["ply"],
                event["action"],
                None,
                False,
                self.now,
                event.get("takebacks", 0),
            )
            raise AssertionError("a move was played twice")
        except Repeated as repeated:
            seq = repeated.seq
        except Refused:
            pass
        stands = event["match"] == self.room.match_number and event["seq"] in self.room.move_seqs
        assert seq == (event["seq"] if stands else None)
        assert stands == (event in self.moves())

    def moves(self) -> list[dict[str, Any]]:
        """Return the moves of the current match that were not taken back."""
        line: list[dict[str, Any]] = []
        for event in self.said:
            if event["type"] == "match_started":
                line = []
            elif event["type"] == "move":
                line.append(event)
            elif event["type"] == "takeback":
                del line[event["ply"] :]
        return line

    @rule(name=NAMES, back=st.integers(-1, 4), late=st.integers(0, 1))
    @precondition(lambda self: self.room.status == "playing")
    def ask_for_a_takeback(self, name: str, back: int, late: int) -> None:
        match = self.room.match
        assert match is not None
        ply, count = max(0, match.ply - back), max(0, match.takebacks.count - late)
        self.requests.append((name, self.room.match_number, ply, count))
        self.command(lambda: ask_takeback(self.room, *self.requests[-1], self.now))

    @rule(name=NAMES, accept=st.booleans())
    @precondition(
        lambda self: self.room.match is not None and self.room.match.takebacks.request is not None
    )
    def answer_the_takeback(self, name: str, accept: bool) -> None:
        room = self.room
        assert room.match is not None
        assert room.match.takebacks.request is not None
        ply, count = room.match.takebacks.request.ply, room.match.takebacks.count
        number = room.match_number
        self.command(lambda: answer_takeback(room, name, number, ply, count, accept, self.now))

    @rule(pick=st.integers(0, 99))
    @precondition(lambda self: self.requests and self.room.match is not None)
    def ask_again(self, pick: int) -> None:
        """Send an earlier request again: it never takes back moves a second time."""
        asked = self.requests[pick % len(self.requests)]
        _, number, _, count = asked
        said = len(self.said)
        self.command(lambda: ask_takeback(self.room, *asked, self.now))
        assert self.room.match is not None
        if number != self.room.match_number or count + 1 < self.room.match.takebacks.count:
            assert len(self.said) == said

    @rule(name=NAMES)
    def resign(self, name: str) -> None:
        self.command(lambda: commands.resign(self.room, name, self.now))

    @rule(name=NAMES)
    def abort(self, name: str) -> None:
        self.command(lambda: commands.abort(self.room, name, self.now))

    @rule(name=NAMES)
    def claim(self, name: str) -> None:
        self.command(lambda: commands.claim(self.room, name, self.now))

    @rule(name=NAMES, ply=st.integers(0, 4))
    def crash(self, name: str, ply: int) -> None:
        number = self.room.match_number
        self.command(lambda: commands.crash(self.room, name, number, ply, "oops", self.now))

    @rule(name=NAMES)
    def rematch(self, name: str) -> None:
        self.command(lambda: commands.offer_rematch(self.room, name, self.now))

    @rule()
    @precondition(lambda self: self.room.status == "finished")
    def both_want_a_rematch(self) -> None:
        for name in ("Ann", "Bob"):
            self.command(lambda name=name: commands.offer_rematch(self.room, name, self.now))

    @rule(name=NAMES)
    def leave(self, name: str) -> None:
        self.command(lambda: self.room.leave(name, self.now), may_be_silent=True)

    @rule(name=NAMES, here=st.booleans())
    def come_or_go(self, name: str, here: bool) -> None:
        seat = self.room.seat_of(name)
        if seat is not None:
            if here:
                self.room.attendance.connect(seat, True)
            else:
                self.room.attendance.disconnect(seat, self.now)

    # -- time and the server -------------------------------------------------------------------

    @rule(ms=st.sampled_from([1, 500, 1000, 5000, 30_000]))
    def time_passes(self, ms: int) -> None:
        self.now += ms

    @rule()
    def tick(self) -> None:
        deadline = deadlines.next_due(self.room)
        said = deadlines.tick(self.room, self.now)
        self.keep(said)
        if deadline is not None and deadline <= self.now:
            after = deadlines.next_due(self.room)
            # `tick` must move every deadline, or the server would loop.
            assert said or after is None or after > self.now
        elif deadline is None or deadline > self.now:
            assert said == []

    @rule()
    def everything_is_stored(self) -> None:
        self.room.start_clock(self.now)

    @rule()
    def restart(self) -> None:
        self.room = restore(stored(self.said), TIMES, self.now)

    # -- what always holds ---------------------------------------------------------------------

    @invariant()
    def the_log_is_the_room(self) -> None:
        again = restore(stored(self.said), TIMES, self.now)
        assert snapshot(again, self.now) == stopped(self.room, self.now)
        assert again.move_seqs == self.room.move_seqs
        assert self.room.move_seqs == [event["seq"] for event in self.moves()]
        if again.match is not None and self.room.match is not None:
            ours, theirs = self.room.match, again.match
            assert (theirs.moves, theirs.movers, theirs.moved) == (
                ours.moves,
                ours.movers,
                ours.moved,
            )
            assert theirs.counts == ours.counts
            assert theirs.takebacks.actions_before == ours.takebacks.actions_before
            assert theirs.takebacks.asked == ours.takebacks.asked
            assert theirs.thought == ours.thought
        assert again.created_at == self.room.created_at
        assert again.finished_at == self.room.finished_at

    @invariant()
    def positions_of_earlier_events_stay_known(self) -> None:
        for seq, (match, shown) in self.boards.items():
            if match is self.room.match:
                assert board_after(self.said[seq - 1], match) == shown

    @invariant()
    def what_is_shown_fits_the_wire(self) -> None:
        shown = snapshot(self.room, self.now)
        Snapshot.model_validate(shown)
        presence(self.room, 0, self.now)
        assert (shown["to_move"] is not None) == (self.room.status == "playing")
        assert shown["clock_runs"] is False or self.room.status == "playing"
        if shown["clock_ms"] is not None:
            assert min(shown["clock_ms"]) >= 0

    @invariant()
    def scores_are_what_was_captured(self) -> None:
        match = self.room.match
        if match is not None and self.room.settings.game == "dots-and-boxes":
            owners = match.state.owners()
            assert match.state.scores() == (owners.count(0), owners.count(1))

    @invariant()
    def players_keep_their_seats(self) -> None:
        names = [p.name for p in self.room.players if p is not None]
        assert len(set(names)) == len(names)
        assert (len(names) == 2) or self.room.status in ("waiting", "closed")


RoomMachine.TestCase.settings = settings(
    max_examples=60,
    stateful_step_count=40,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
TestRooms = RoomMachine.TestCase
