"""Play matches by the rules in a fake room, and create the messages that a server would send."""

from __future__ import annotations

from doublecross.games.registry import make_game
from doublecross.protocol.common import MatchSettings, PlayerInfo, TimeControl
from doublecross.protocol.server_messages import (
    LobbyState,
    MatchFinished,
    MatchResult,
    MatchStarted,
    MoveMade,
    OpenTakeback,
    Presence,
    RematchOffered,
    RoomClosed,
    RoomCreated,
    RoomEvent,
    RoomState,
    Seated,
    SeatPresence,
    Snapshot,
    TakebackAsked,
    TakebackDeclined,
    TakenBack,
    Termination,
)

ANN = PlayerInfo(name="Ann", kind="human")
BOB = PlayerInfo(name="Bob", kind="human")
SMALL = MatchSettings(
    game="dots-and-boxes", params={"rows": 1, "cols": 2}, time=TimeControl(base_ms=60_000)
)
HERE = SeatPresence(connected=True, takebacks=True)


class FakeRoom:
    """A room with Ann and Bob; `events` has all its events."""

    def __init__(self, room: str = "r1", settings: MatchSettings = SMALL) -> None:
        self.room = room
        self.settings = settings
        self.game = make_game(settings.game, settings.params)
        self.state = self.game.initial_state(settings.opening)
        self.events: list[RoomEvent] = []
        self.players: list[PlayerInfo | None] = [None, None]
        self.status = "waiting"
        self.match = 0
        self.rematch = [False, False]
        self.takebacks = 0
        self.takeback: OpenTakeback | None = None
        self.result: MatchResult | None = None
        self.clock_ms = (60_000, 60_000) if settings.time.base_ms else None
        self._add(
            RoomCreated(room=room, seq=1, settings=settings, private=False, at=5, keys=("k", None))
        )

    @property
    def seq(self) -> int:
        return len(self.events)

    def _add(self, event: RoomEvent) -> None:
        assert event.seq == self.seq + 1
        self.events.append(event)

    def sit(self, player: PlayerInfo, seat: int) -> RoomEvent:
        self.players[seat] = player
        event = Seated(room=self.room, seq=self.seq + 1, seat=seat, player=player)
        self._add(event)
        return event

    def start(self) -> RoomEvent:
        if self.match:
            self.players.reverse()
        self.match += 1
        self.status = "playing"
        self.result = None
        self.rematch = [False, False]
        self.takebacks, self.takeback = 0, None
        self.state = self.game.initial_state(self.settings.opening)
        first, second = self.players
        assert first is not None
        assert second is not None
        event = MatchStarted(
            room=self.room,
            seq=self.seq + 1,
            match=self.match,
            players=(first.name, second.name),
            to_move=self.state.current_player(),
            clock_ms=self.clock_ms,
            at=7,
        )
        self._add(event)
        return event

    def play(self, action: int, expected: float | None = None) -> RoomEvent:
        seat, ply = self.state.current_player(), self.state.ply
        self.state.apply(action)
        event = MoveMade(
            room=self.room,
            seq=self.seq + 1,
            match=self.match,
            ply=ply,
            seat=seat,
            action=action,
            to_move=None if self.state.is_terminal() else self.state.current_player(),
            scores=self.state.scores(),
            clock_ms=self.clock_ms,
            elapsed_ms=3,
            expected=expected,
            takebacks=self.takebacks,
        )
        self.takeback = None
        self._add(event)
        return event

    def ask_back(self, seat: int, ply: int) -> RoomEvent:
        """Let `seat` ask to return to `ply`."""
        self.takeback = OpenTakeback(seat=seat, ply=ply)
        event = TakebackAsked(
            room=self.room, seq=self.seq + 1, match=self.match, seat=seat, ply=ply
        )
        self._add(event)
        return event

    def decline_back(self, seat: int | None) -> RoomEvent:
        """End the request for a takeback."""
        self.takeback = None
        event = TakebackDeclined(room=self.room, seq=self.seq + 1, match=self.match, seat=seat)
        self._add(event)
        return event

    def take_back(self, ply: int) -> RoomEvent:
        """Return to `ply`."""
        while self.state.ply > ply:
            self.state.undo()
        self.takebacks, self.takeback = self.takebacks + 1, None
        seat = self.state.current_player()
        event = TakenBack(
            room=self.room,
            seq=self.seq + 1,
            match=self.match,
            seat=seat,
            ply=ply,
            takebacks=self.takebacks,
            to_move=seat,
            scores=self.state.scores(),
            clock_ms=self.clock_ms,
        )
        self._add(event)
        return event

    def finish(
        self, termination: Termination = "completed", winner: int | None = None
    ) -> RoomEvent:
        self.status, self.takeback = "finished", None
        returns = self.state.returns()
        event = MatchFinished(
            room=self.room,
            seq=self.seq + 1,
            match=self.match,
            termination=termination,
            winner=winner,
            returns=returns,
            scores=self.state.scores(),
            clock_ms=self.clock_ms,
            game_id=f"{self.room}-{self.match}",
            at=9,
        )
        self.result = MatchResult(
            termination=termination, winner=winner, returns=returns, game_id=event.game_id
        )
        self._add(event)
        return event

    def offer(self, seat: int) -> RoomEvent:
        self.rematch[seat] = True
        event = RematchOffered(room=self.room, seq=self.seq + 1, seat=seat)
        self._add(event)
        return event

    def close(self, reason: str = "The match is over.") -> RoomEvent:
        self.status = "closed"
        event = RoomClosed(room=self.room, seq=self.seq + 1, reason=reason)
        self._add(event)
        return event

    # -- messages about the room --------------------------------------------------------------

    def seat_of(self, name: str) -> int | None:
        for seat, player in enumerate(self.players):
            if player is not None and player.name == name:
                return seat
        return None

    @property
    def presence(self) -> Presence:
        return Presence(room=self.room, seats=(HERE, HERE), spectators=0)

    def snapshot(self) -> Snapshot:
        first, second = self.players
        over = self.status != "playing" or self.state.is_terminal()
        return Snapshot(
            seq=self.seq,
            settings=self.settings,
            private=False,
            status=self.status,  # type: ignore[arg-type]
            players=(first, second),
            match=self.match,
            moves=self.state.history(),
            to_move=None if over else self.state.current_player(),
            scores=self.state.scores(),
            clock_ms=self.clock_ms if self.match else None,
            clock_runs=not over,
            started_at=7 if self.match else None,
            rematch=(self.rematch[0], self.rematch[1]),
            result=self.result,
            takebacks=self.takebacks,
            takeback=self.takeback,
        )

    def room_state(
        self, request_id: int | None = None, me: str = "Ann", origin: str | None = None
    ) -> RoomState:
        """Return a `room_state` with a snapshot."""
        return RoomState(
            id=request_id,
            room=self.room,
            seat=self.seat_of(me),
            origin=origin,
            snapshot=self.snapshot(),
            presence=self.presence,
        )

    def room_state_after(
        self, seq: int, request_id: int | None = None, me: str = "Ann", origin: str | None = None
    ) -> RoomState:
        """Return a `room_state` with the events after `seq`."""
        return RoomState(
            id=request_id,
            room=self.room,
            seat=self.seat_of(me),
            origin=origin,
            events=tuple(self.events[seq:]),  # type: ignore[arg-type]
            clock_ms=self.clock_ms if self.match else None,
            clock_runs=self.status == "playing" and not self.state.is_terminal(),
            presence=self.presence,
        )


def room_in_play(room: str = "r1", settings: MatchSettings = SMALL) -> FakeRoom:
    """Return a room in which the match of Ann (seat 0) and Bob (seat 1) has started."""
    fake = FakeRoom(room, settings)
    fake.sit(ANN, 0)
    fake.sit(BOB, 1)
    fake.start()
    return fake


def lobby_of(request_id: int, *players: PlayerInfo) -> LobbyState:
    """Return a lobby with only these players."""
    return LobbyState(
        id=request_id,
        players=players,
        seeks=(),
        rooms=(),
        players_total=len(players),
        seeks_total=0,
        rooms_total=0,
    )
