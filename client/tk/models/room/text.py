"""Describe the state of a room in words."""

from __future__ import annotations

import math

from doublecross.client.language import plural, tr
from doublecross.client.tk.models.latest import LatestSnapshots
from doublecross.client.tk.models.lobby.tournaments import game_note
from doublecross.client.tk.models.room.model import LAST_MOVE, NOT_PLAYING, RoomModel
from doublecross.client.tk.models.room.seats import SeatPanel, make_panel
from doublecross.client.tk.models.words import EVALUATION, watching
from doublecross.games.sentences import initials


class RoomText:
    """The texts for the room of `model`; `latest` has the state of its tournament."""

    def __init__(self, model: RoomModel, latest: LatestSnapshots) -> None:
        self._model = model
        self._latest = latest

    @property
    def worth(self) -> str:
        """Return whether the match is casual, rated or a tournament's, in a few words.

        It also says whether spectators see who is ahead.
        """
        open_to_all = f" · {EVALUATION}" if self._model.snapshot.evaluation else ""
        return self._stakes + open_to_all

    @property
    def _stakes(self) -> str:
        snapshot = self._model.snapshot
        if snapshot.tournament is not None:
            name = self._latest.tournament_name(snapshot.tournament)
            return tr("tournament {name}", name=name).rstrip()
        return tr("rated") if snapshot.rated else tr("casual")

    @property
    def tournament_note(self) -> str:
        """The note after a tournament game; empty for other games."""
        latest, tournament = self._latest, self._model.snapshot.tournament
        if tournament is None:
            return ""
        me = "" if latest.link is None or latest.link.player is None else latest.link.player.name
        name = latest.tournament_name(tournament)
        return game_note(name, latest.tournaments.get(tournament), me)

    @property
    def watching_line(self) -> str:
        """The number of spectators in words; empty without any."""
        snapshot = self._model.snapshot
        if snapshot.status == "closed":
            return ""
        return watching(snapshot.spectators, myself=self._model.seats.watching)

    @property
    def status_line(self) -> str:
        """Return one short sentence about what the person has to do or to wait for."""
        model, snapshot = self._model, self._model.snapshot
        if snapshot.status == "closed":
            return snapshot.sentence or NOT_PLAYING["closed"]
        if snapshot.status == "waiting":
            return tr("Waiting for an opponent.")
        if snapshot.status == "finished":
            return self._finished_line()
        seat = model.to_move
        if seat is None:
            return LAST_MOVE
        if line := self.takeback_line:
            return line
        if seat not in model.seats:
            thinks = model.is_bot(seat) and snapshot.present[seat]
            text = tr("{name} is thinking.") if thinks else tr("{name} is to move.")
            return text.format(name=model.name(seat))
        again = model.position.last_seat == seat
        if model.seats.shared:
            text = tr("{name}, it is your turn again.") if again else tr("{name}, it is your turn.")
            return text.format(name=model.name(seat))
        return tr("Your turn again.") if again else tr("Your turn.")

    @property
    def takeback_line(self) -> str:
        """Describe the request for a takeback that waits for its answer; empty without one."""
        model, snapshot = self._model, self._model.snapshot
        request = snapshot.takeback
        if request is None:
            return ""
        if request.seat in model.seats and not model.seats.shared:
            return tr(
                "Waiting for {name} to agree to the takeback.", name=model.name(1 - request.seat)
            )
        count = len(snapshot.moves) - request.ply
        return plural(
            "{name} asks to take back the last move.",
            "{name} asks to take back the last {n} moves.",
            count,
            name=model.name(request.seat),
        )

    def absence_line(self, now: float) -> str:
        """Describe the opponent's absence at `now`, in seconds by the client's clock.

        It is empty while the opponent is connected or the absence has no consequence.
        """
        model = self._model
        claim_at, seat = model.snapshot.claim_at, model.seats.opponent
        if not model.playing or claim_at is None or seat is None:
            return ""
        left = math.ceil(claim_at - now)
        if left <= 0:
            return tr("{name} stays away: you may claim the win.", name=model.name(seat))
        return tr(
            "{name} is away. You may claim the win in {left} s.", name=model.name(seat), left=left
        )

    def first_move_line(self, now: float) -> str:
        """Say at `now` how long the match waits for a first move; empty when it does not."""
        model = self._model
        until, seat = model.snapshot.first_until, model.to_move
        if until is None or seat is None:
            return ""
        left = max(0, math.ceil(until - now))
        if seat not in model.seats:
            return tr("The first move must come within {left} s.", left=left)
        if model.snapshot.tournament is not None:
            return tr("Begin within {left} s, or the game is lost.", left=left)
        return tr("Begin within {left} s, or the match is called off.", left=left)

    @property
    def resign_line(self) -> str:
        """The label of the resign button; with two people here it names the one who resigns."""
        model = self._model
        if model.seats.shared and model.to_move is not None:
            return tr("{name} resigns", name=model.name(model.to_move))
        return tr("Resign")

    def panel(self, seat: int) -> SeatPanel:
        """Return what to show beside the board for `seat`."""
        model = self._model
        state = model.position.board.state
        return make_panel(model.snapshot, model.seats.connections, state, seat, model.to_move)

    @property
    def place(self) -> tuple[str, ...]:
        """The place of the position that is shown, the longest text first."""
        model = self._model
        ply, total = model.position.ply, model.position.total
        where = tr("Move {number} of {total}", number=ply, total=total) if ply else tr("The start")
        short = tr("{number} of {total}", number=ply, total=total) if ply else tr("Start")
        long = tr("{where} · an earlier position", where=where)
        return long, where, short, f"{ply}/{total}"

    @property
    def initials(self) -> tuple[str, str]:
        """The text for the cells of each seat."""
        model = self._model
        if not model.position.board.shows_players:
            return model.snapshot.game.seat_names
        return initials(*(model.name(seat) for seat in (0, 1)))

    def _finished_line(self) -> str:
        model, seats = self._model, self._model.seats
        # Who has gone can neither accept a rematch nor play the one that they offered.
        offered = [s for s in (0, 1) if model.snapshot.rematch[s] and all(model.snapshot.present)]
        if offered and not seats.watching and not seats.shared:
            seat = offered[0]
            if seat not in seats:
                return tr("{name} would like a rematch.", name=model.name(seat))
            return tr("Waiting for {name} to accept a rematch.", name=model.name(1 - seat))
        return tr("The match is over.")
