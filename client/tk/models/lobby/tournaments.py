"""Tournaments as they are shown: which there are, how the chosen one stands, when to ask for that.

Theory of operation
-------------------
The lobby tells which tournaments are open or on, in a line for each; how one stands has to be
asked for. `due` says when: at once for one that was chosen, soon after its line in the lobby has
changed, otherwise every few seconds, and never while an answer is on its way. One that has ended is
not asked for again, and stays in the list, so that its last table can be read.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from client.tk.models.lobby.model import Row
from client.tk.models.words import game_line, signed, time_line
from protocol.server_messages import EntrantState, LobbyTournament, TournamentState

EVERY_S: Final = 5.0
"""How often one asks how the chosen tournament stands, in seconds."""
SOON_S: Final = 1.0
"""The same when something has happened in it."""
_TOLD: Final = 2
"""Tournaments that the lobby tells of; of the others only how many there are."""
_STATES: Final = {"open": "open", "running": "on", "finished": "over", "cancelled": "called off"}
_ENDED: Final = ("finished", "cancelled")


class TournamentsModel:
    """The tournaments of the player called `me`. `wanted` is the id of the one to begin with, which
    need not be in the lobby any more; otherwise one begins with the first. Times are in seconds."""

    def __init__(self, me: str, wanted: str = "") -> None:
        self.me = me
        self.chosen = wanted
        self.problem = ""
        self._lines: dict[str, LobbyTournament] = {}
        self._states: dict[str, TournamentState] = {}
        self._asking = ""
        self._asked_at = -math.inf
        self._changed = False
        self._warned = ""

    # -- what comes from the server ----------------------------------------------------------

    def take_lines(self, tournaments: Sequence[LobbyTournament]) -> None:
        """The lobby has these."""
        lines = {each.tournament: each for each in tournaments}
        if lines.get(self.chosen) != self._lines.get(self.chosen):
            self._changed = True
        self._lines = lines
        if not self.chosen:
            self.choose(next(iter(lines), ""))

    def take(self, state: TournamentState) -> None:
        """A tournament stands like this."""
        self._states[state.tournament] = state
        self.answered(state.tournament)

    def answered(self, tournament: str, problem: str = "") -> None:
        """There is an answer to the question how `tournament` stands; `problem`: it was refused."""
        if tournament == self._asking:
            self._asking = ""
        if tournament == self.chosen:
            self.problem = problem

    def due(self, now: float) -> str:
        """The tournament to ask for now, which counts as asked then; empty: none."""
        state = self._states.get(self.chosen)
        ended = state is not None and state.status in _ENDED
        if not self.chosen or self._asking or (ended and self.chosen not in self._lines):
            return ""
        if now < self._asked_at + (SOON_S if self._changed else EVERY_S):
            return ""
        self._asking, self._asked_at, self._changed = self.chosen, now, False
        return self.chosen

    # -- what the person does ----------------------------------------------------------------

    def choose(self, tournament: str) -> None:
        """Look at this one."""
        if tournament and tournament != self.chosen:
            self.chosen = tournament
            self.problem = self._warned = ""
            self.hurry()

    def hurry(self) -> None:
        """Ask as soon as possible how the chosen one stands."""
        self._asked_at = -math.inf

    def warning(self) -> str:
        """What is to be said, once, before the chosen tournament is left; empty: nothing."""
        state = self.state
        final = state is not None and (state.status, state.terms.format) == ("running", "knockout")
        if not final or self._warned == self.chosen:
            return ""
        self._warned = self.chosen
        return "Who leaves a knockout cannot come back. Press Leave again to leave it."

    @property
    def may_join(self) -> bool:
        """Whether this player may enter the chosen tournament, as far as one knows here; who has
        left it may come back in most formats, which the server knows."""
        line, entry = self._lines.get(self.chosen), self._entry
        if line is None or self.chosen not in self._states:
            return False
        return line.people if entry is None else entry.state == "left"

    @property
    def may_leave(self) -> bool:
        """Whether this player is in the chosen tournament."""
        entry = self._entry
        return self.chosen in self._lines and entry is not None and entry.state == "in"

    # -- what there is to see ----------------------------------------------------------------

    @property
    def state(self) -> TournamentState | None:
        """How the chosen tournament stands; None as long as that is not known."""
        return self._states.get(self.chosen)

    @property
    def name(self) -> str:
        """What the chosen one is called."""
        state, line = self.state, self._lines.get(self.chosen)
        return state.terms.name if state is not None else line.name if line is not None else ""

    @property
    def rows(self) -> list[Row]:
        """The tournaments of the lobby, then those that were looked at and have left it."""
        rows = [_lobby_row(line) for line in self._lines.values()]
        return rows + [
            _past_row(state) for key, state in self._states.items() if key not in self._lines
        ]

    @property
    def table(self) -> list[Row]:
        """The players of the chosen one, by place."""
        state = self.state
        if state is None:
            return []
        return [entrant_row(each, self.me, state) for each in state.entrants]

    @property
    def terms(self) -> str:
        """How the chosen one is played, and who may play in it, in some sentences."""
        state = self.state
        return "" if state is None else terms_text(state)

    @property
    def progress(self) -> str:
        """How far the chosen one is, in a few words."""
        if self.problem:
            return self.problem
        if self.state is not None:
            return progress_line(self.state)
        return "Asking how it stands ..." if self.chosen else ""

    def about(self, player: str) -> str:
        """What else can be said of a player in the chosen one; empty: nothing."""
        state = self.state
        entrants = () if state is None else state.entrants
        found = next((each for each in entrants if each.player == player), None)
        if found is None:
            return ""
        what = f"{found.player} plays by {found.engine}." if found.engine else ""
        why = f" ({found.reason})" if found.reason else ""
        gone = {"in": "", "left": f"{player} has left.", "aside": f"{player} was set aside{why}."}
        return f"{what} {gone[found.state]}".strip()

    @property
    def _entry(self) -> EntrantState | None:
        return None if self.state is None else entry_of(self.state, self.me)


# -- in words ----------------------------------------------------------------------------------


def tournament_line(tournaments: Sequence[LobbyTournament]) -> str:
    """What is on, in a sentence or two; empty: nothing."""
    said = []
    for each in tournaments[:_TOLD]:
        state = "is open" if each.status == "open" else "is on"
        said.append(
            f"Tournament {each.name} {state}: {_format(each.format)},"
            f" {game_line(each.settings)}, {_count(each.entrants, 'player')}."
        )
    more = len(tournaments) - _TOLD
    if more > 0:
        said.append(f"{more} more {'is' if more == 1 else 'are'} open or on.")
    return " ".join(said)


def short_line(tournaments: Sequence[LobbyTournament]) -> str:
    """How many there are, where there is little room; empty: none."""
    count = len(tournaments)
    if not count:
        return ""
    return f"{_count(count, 'tournament')} {'is' if count == 1 else 'are'} open or on."


def entry_of(state: TournamentState, player: str) -> EntrantState | None:
    """The line of `player` in a tournament; None: there is none."""
    return next((each for each in state.entrants if each.player == player), None)


def entrant_row(entrant: EntrantState, me: str, state: TournamentState) -> Row:
    """Place and name, whether it plays, games, points, net score."""
    name = entrant.player
    if name == me:
        name = f"{name} (you)"
    elif entrant.engine:
        name = f"{name} (bot)"
    if state.status != "open":
        name = f"{entrant.place}. {name}"
    cells = (
        name,
        _now(entrant, ended=state.status in _ENDED),
        str(entrant.games),
        _points(entrant.points),
        signed(entrant.net),
    )
    return Row(entrant.player, cells, "person" if entrant.state == "in" else "finished")


def terms_text(state: TournamentState) -> str:
    """How a tournament is played, and who may play in it, in some sentences."""
    terms = state.terms
    pairs = _count(terms.pairs, "game pair")
    if terms.format == "round-robin":
        how = f"Every two play {pairs}."
    elif terms.format == "gauntlet":
        how = f"{terms.hero or 'Who joined first'} plays {pairs} against each other player."
    elif terms.format == "swiss":
        rounds = _count(terms.rounds or 0, "round")
        how = f"{rounds} of {pairs} between players of about the same points."
    elif terms.format == "knockout":
        how = f"The loser of {pairs} is out."
    else:
        end = f"{_count(terms.rounds, 'game pair')} in all" if terms.rounds else "until it is ended"
        how = f"Whoever is free meets somebody near, {end}."
    who = ["people and bots may join" if terms.people else "for bots only"]
    if terms.invited is not None:
        who.append("by invitation")
    if terms.late or terms.format == "ladder":
        who.append("also after the start")
    return (
        f"{how} {'Rated' if terms.settings.rated else 'Casual'}."
        f" Who loses {_count(terms.patience, 'game')} in a row by time or absence is set aside."
        f" Organised by {state.owner}; {', '.join(who)}."
    )


def progress_line(state: TournamentState) -> str:
    """How far a tournament is."""
    played, planned = state.games_played, state.games_planned
    count = _count(played, "game")
    line = {
        "open": f"{state.owner} has not started it yet",
        "running": f"{count} played" if planned is None else f"{played} of {planned} games played",
        "finished": f"Over after {count}",
        "cancelled": f"Ended before its time, after {count}",
    }[state.status]
    if len(state.entrants) < state.entrants_total:
        line += f" · the first {len(state.entrants)} of {state.entrants_total} are listed"
    return line


def is_aside(state: TournamentState, player: str) -> bool:
    """Whether `player` was set aside in a tournament."""
    entry = entry_of(state, player)
    return entry is not None and entry.state == "aside"


def news_line(state: TournamentState, me: str) -> str:
    """What is to be said when a tournament of the player `me` has started or ended, or has set
    that player aside; empty: nothing."""
    name, entry = state.terms.name, entry_of(state, me)
    if entry is not None and is_aside(state, me) and state.status not in _ENDED:
        return f"You were set aside in the tournament {name}: {entry.reason}."
    if state.status == "running" and entry is not None and entry.state == "in":
        return f"The tournament {name} has started. Your games come by themselves."
    if state.status in _ENDED:
        return f"The tournament {name} {_ending(state, me)}"
    return ""


def game_note(name: str, state: TournamentState | None, me: str) -> str:
    """What is to be said below the end of a game of a tournament that is called `name`; `state` is
    how it stands, as far as that is known."""
    line = f"A game of the tournament {name}." if name else "A game of a tournament."
    if state is None:
        return line
    if state.status in _ENDED:
        return f"{line} It {_ending(state, me)}"
    entry = entry_of(state, me)
    if entry is not None and entry.state == "in":
        return f"{line} If there is another one for you, it comes by itself."
    return line


def _ending(state: TournamentState, me: str) -> str:
    over = "is over" if state.status == "finished" else "was ended before its time"
    entry = entry_of(state, me)
    if entry is None or not state.games_played:
        return f"{over}."
    return f"{over}: you are in place {entry.place} of {state.entrants_total}."


def _lobby_row(line: LobbyTournament) -> Row:
    state = _STATES[line.status]
    cells = (
        line.name,
        _format(line.format),
        game_line(line.settings),
        time_line(line.settings.time),
        str(line.entrants),
        state if line.people or line.status != "open" else "open to bots",
    )
    return Row(line.tournament, cells, "playing")


def _past_row(state: TournamentState) -> Row:
    terms = state.terms
    cells = (
        terms.name,
        _format(terms.format),
        game_line(terms.settings),
        time_line(terms.settings.time),
        str(state.entrants_total),
        _STATES[state.status],
    )
    return Row(state.tournament, cells, "finished" if state.status in _ENDED else "playing")


def _now(entrant: EntrantState, *, ended: bool) -> str:
    """What a player does now; why it gets no more games, if it does not."""
    if entrant.state == "aside":
        return f"aside: {entrant.reason}" if entrant.reason else "set aside"
    if entrant.state == "left":
        return "left"
    if entrant.playing:
        return "playing"
    return "" if entrant.online or ended else "away"


def _format(key: str) -> str:
    return key.replace("-", " ")


def _points(points: float) -> str:
    """``3``, ``2½``, ``½``."""
    whole, half = int(points), points % 1 == 0.5
    if not half:
        return f"{points:g}"
    return f"{whole or ''}½"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
