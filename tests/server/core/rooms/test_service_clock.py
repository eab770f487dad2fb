"""The service clock stands still while the server cannot answer, so a stall costs nobody time."""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import given, settings
from hypothesis import strategies as st

from doublecross.protocol.common import TimeControl
from doublecross.server.core.events import Event
from doublecross.server.core.rooms import deadlines
from doublecross.server.core.rooms.clock import LIMIT_MS, ServiceClock
from tests.server.playing import T0, dots, room_in_play

STEP = 10
"""The simulated machine does something every so many milliseconds."""
BEAT = 20


def beat_until(clock: ServiceClock, start: int, end: int) -> None:
    for real in range(start, end + 1, BEAT):
        clock.beat(real)


def test_a_stopped_loop_costs_the_limit() -> None:
    clock = ServiceClock(T0)
    clock.beat(T0 + 20)
    assert clock.stalled(T0 + 70) == 0
    assert clock.stalled(T0 + 71) == 1
    assert clock.now(T0 + 70) == clock.now(T0 + 10_000) == T0 + 70
    clock.beat(T0 + 10_000)
    assert clock.now(T0 + 10_030) == T0 + 100
    assert clock.offset == -9_930


def test_a_slow_commit_costs_the_limit() -> None:
    clock = ServiceClock(T0)
    clock.beat(T0)
    clock.commit_began(T0 + 10)
    beat_until(clock, T0 + 20, T0 + 5_000)
    assert clock.now(T0 + 5_000) == T0 + 60
    clock.commit_ended(T0 + 5_000)
    assert clock.now(T0 + 5_040) == T0 + 100


def test_a_storage_that_fails_costs_nothing() -> None:
    clock = ServiceClock(T0)
    clock.beat(T0)
    clock.commit_began(T0 + 10)
    clock.storage_works(T0 + 15, False)
    clock.commit_ended(T0 + 16)
    beat_until(clock, T0 + 20, T0 + 60_000)
    clock.commit_began(T0 + 60_000)
    assert clock.now(T0 + 60_010) == T0 + 15
    clock.storage_works(T0 + 60_010, True)
    clock.commit_ended(T0 + 60_010)
    assert clock.now(T0 + 60_020) == T0 + 25


@given(st.lists(st.tuples(st.sampled_from("btceswn"), st.integers(0, 400)), max_size=60))
def test_it_never_goes_back_and_never_runs_faster_than_real_time(
    steps: list[tuple[str, int]],
) -> None:
    clock, real, before = ServiceClock(T0), T0, T0
    for act, pause in steps:
        later = real + pause
        assert 0 <= clock.now(later) - before <= pause
        real, before = later, clock.now(later)
        {
            "b": lambda now=real: clock.beat(now),
            "c": lambda now=real: clock.commit_began(now),
            "e": lambda now=real: clock.commit_ended(now),
            "s": lambda now=real: clock.storage_works(now, False),
            "w": lambda now=real: clock.storage_works(now, True),
        }.get(act, lambda: None)()
        assert clock.now(real) == before


@dataclass
class Machine:
    """A server's loop, clock and one room, with players who think, in simulated time.

    `stalls` are the intervals in which the loop does nothing, `commits` the times that the commits
    of the moves take, and `others` the intervals with commits of other rooms (in these the storage
    fails if the third value is true).
    """

    stalls: list[tuple[int, int]]
    commits: list[int]
    others: list[tuple[int, int, bool]]
    thinks: list[int]
    tick_first: bool
    control: TimeControl
    charged: list[tuple[int, int]] = field(default_factory=list)
    """For each move, the thinking time and what the clock charged."""
    lost: bool = False

    def run(self) -> None:
        clock = ServiceClock(T0)
        room, _ = room_in_play(dots(2, 2, time=self.control))
        assert room.match is not None
        sent = self.thinks[0]
        """When the mover's move arrives at the machine, in milliseconds after T0."""
        committing: int | None = None
        """When the commit of the last move ends."""
        other: tuple[int, int, bool] | None = None
        last_beat = 0
        for at in range(STEP, 60_000, STEP):
            if any(start <= at < start + length for start, length in self.stalls):
                continue
            real = T0 + at
            if self.tick_first and self._tick(deadlines.tick(room, clock.now(real))):
                return
            if committing is None and sent <= at:
                ply = room.match.ply
                mover = room.players[room.match.state.current_player()]
                assert mover is not None
                action = room.match.state.legal_actions()[0]
                now = clock.now(real)
                (event, *rest) = room.move(mover.name, 1, ply, action, None, False, now)
                if event["type"] != "move":
                    self.lost = True
                    return
                self.charged.append((self.thinks[ply], event["elapsed_ms"]))
                if rest or ply + 1 == len(self.thinks):
                    return
                if other is None:
                    clock.commit_began(real)
                committing = at + self.commits[ply % len(self.commits)]
            if not self.tick_first and self._tick(deadlines.tick(room, clock.now(real))):
                return
            if at - last_beat >= BEAT:
                clock.beat(real)
                last_beat = at
            if other is not None and at >= other[0] + other[1]:
                clock.storage_works(real, True)
                clock.commit_ended(real)
                other = None
                if committing is not None:
                    clock.commit_began(real)
            if committing is not None and other is None and at >= committing:
                clock.commit_ended(real)
                committing = None
                room.start_clock(clock.now(real))
                sent = at + self.thinks[room.match.ply]
            if committing is None and other is None:
                other = next((o for o in self.others if o[0] <= at < o[0] + o[1]), None)
                if other is not None:
                    clock.commit_began(real)
                    clock.storage_works(real, not other[2])

    def _tick(self, events: list[Event]) -> bool:
        self.lost = bool(events)
        return self.lost


STEPS = st.integers(0, 150).map(lambda n: n * STEP)


@st.composite
def machines(draw: st.DrawFn) -> Machine:
    thinks = draw(st.lists(STEPS, min_size=1, max_size=8))
    times = st.tuples(st.integers(0, 800).map(lambda n: n * STEP), STEPS)
    return Machine(
        draw(st.lists(times, max_size=6)),
        draw(st.lists(STEPS, min_size=1, max_size=3)),
        draw(st.lists(st.tuples(times, st.booleans()).map(lambda t: (*t[0], t[1])), max_size=4)),
        thinks,
        draw(st.booleans()),
        # Everybody has enough time for what they think, with the limit for each move.
        TimeControl(base_ms=None, move_ms=max(max(thinks) + LIMIT_MS, 100))
        if draw(st.booleans())
        else TimeControl(base_ms=max(sum(thinks) + LIMIT_MS * len(thinks), 1000)),
    )


@settings(max_examples=150)
@given(machines())
def test_a_move_costs_at_most_its_thinking_time_and_the_limit(machine: Machine) -> None:
    machine.run()
    assert not machine.lost
    assert machine.charged
    for thought, charged in machine.charged:
        assert charged <= thought + LIMIT_MS


@settings(max_examples=100)
@given(machines())
def test_only_stalls_give_players_time(machine: Machine) -> None:
    machine.stalls = []
    machine.others = []
    machine.commits = [min(commit, LIMIT_MS) for commit in machine.commits]
    machine.run()
    # The simulated server reads a move at its next step.
    assert all(charged == max(thought, STEP) for thought, charged in machine.charged)
