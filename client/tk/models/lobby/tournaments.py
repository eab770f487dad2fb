"""Model the tournament dialog: the list, the state of the chosen one, and when to request it.

Theory of operation
-------------------
The lobby lists open and running tournaments, with one entry for each. Those that have ended come
in a list of their own (`take_past`). The state of a tournament has to be requested. `due` returns
when: at once after it was chosen, soon after its lobby entry has changed, and every few seconds
apart from that; never while a request waits for its answer. A tournament that has ended is not
requested again.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from client.tk.models.lobby.model import Row
from client.tk.models.lobby.past import PastTournament
from client.tk.models.words import game_line, signed, time_line
from protocol.common import TournamentTerms
from protocol.server_messages import EntrantState, LobbyTournament, TournamentState

EVERY_S: Final = 5.0
"""How often the state of the chosen tournament is requested, in seconds."""
SOON_S: Final = 1.0
"""The same after its lobby entry has changed."""
_LISTED: Final = 2
"""How many tournaments the lobby describes; the others are only counted."""
_STATES: Final = {"open": "open", "running": "on", "finished": "over", "cancelled": "called off"}
_ENDED: Final = ("finished", "cancelled")


class TournamentsModel:
    """The tournaments, from the view of the player called `me`.

    `wanted` is the id of the tournament to choose first, which may have left the lobby. Without it,
    that is the first of the lobby. Times are in seconds.
    """

    def __init__(self, me: str, wanted: str = "") -> None:
        self.me = me
        self.chosen = wanted
        self.problem = ""
        self._lines: dict[str, LobbyTournament] = {}
        self._past: dict[str, PastTournament] = {}
        self._states: dict[str, TournamentState] = {}
        self._asking = ""
        self._asked_at = -math.inf
        self._changed = False
        self._warned = ""

    # -- server messages ---------------------------------------------------------------------

    def take_lines(self, tournaments: Sequence[LobbyTournament]) -> None:
        """Apply the tournaments of the lobby."""
        lines = {each.tournament: each for each in tournaments}
        if lines.get(self.chosen) != self._lines.get(self.chosen):
            self._changed = True
        self._lines = lines
        if not self.chosen:
            self.choose(next(iter(lines), ""))

    def take_past(self, tournaments: Sequence[PastTournament]) -> None:
        """Apply the tournaments that have ended."""
        self._past = {each.tournament: each for each in tournaments}
        if not self.chosen:
            self.choose(next(iter(self._past), ""))

    def take(self, state: TournamentState) -> None:
        """Apply the state of a tournament."""
        self._states[state.tournament] = state
        self.answered(state.tournament)

    def answered(self, tournament: str, problem: str = "") -> None:
        """Note that a request for a tournament was answered; `problem` says why it was refused."""
        if tournament == self._asking:
            self._asking = ""
        if tournament == self.chosen:
            self.problem = problem

    def due(self, now: float) -> str:
        """Return the tournament to request now, and count it as requested; empty for none."""
        state = self._states.get(self.chosen)
        ended = state is not None and state.status in _ENDED
        if not self.chosen or self._asking or (ended and self.chosen not in self._lines):
            return ""
        if now < self._asked_at + (SOON_S if self._changed else EVERY_S):
            return ""
        self._asking, self._asked_at, self._changed = self.chosen, now, False
        return self.chosen

    # -- input of the person -----------------------------------------------------------------

    def choose(self, tournament: str) -> None:
        """Choose the tournament to show."""
        if tournament and tournament != self.chosen:
            self.chosen = tournament
            self.problem = self._warned = ""
            self.hurry()

    def hurry(self) -> None:
        """Request the state of the chosen tournament as soon as possible."""
        self._asked_at = -math.inf

    def warning(self) -> str:
        """Return a warning to show once before the player leaves the tournament; empty for none."""
        state = self.state
        final = state is not None and (state.status, state.terms.format) == ("running", "knockout")
        if not final or self._warned == self.chosen:
            return ""
        self._warned = self.chosen
        return "Who leaves a knockout cannot come back. Press Leave again to leave it."

    @property
    def may_join(self) -> bool:
        """Whether this player may join the chosen tournament, as far as the client can tell.

        A player who has left may rejoin in most formats; the server decides.
        """
        line, entry = self._lines.get(self.chosen), self._entry
        if line is None or self.chosen not in self._states:
            return False
        return line.people if entry is None else entry.state == "left"

    @property
    def may_leave(self) -> bool:
        """Whether this player is in the chosen tournament."""
        entry = self._entry
        return self.chosen in self._lines and entry is not None and entry.state == "in"

    # -- output ------------------------------------------------------------------------------

    @property
    def state(self) -> TournamentState | None:
        """The state of the chosen tournament, or None while it is unknown."""
        return self._states.get(self.chosen)

    @property
    def name(self) -> str:
        """The name of the chosen tournament, or an empty text while it is unknown."""
        state, line = self.state, self._lines.get(self.chosen)
        past = self._past.get(self.chosen)
        if state is not None:
            return state.terms.name
        return line.name if line is not None else past.terms.name if past is not None else ""

    @property
    def rows(self) -> list[Row]:
        """The tournaments of the lobby, then those that have ended."""
        rows = [_lobby_row(line) for line in self._lines.values()]
        rows += [_past_row(state) for key, state in self._states.items() if key not in self._lines]
        listed = {row.key for row in rows}
        return rows + [_old_row(past) for key, past in self._past.items() if key not in listed]

    @property
    def has_games(self) -> bool:
        """Whether a game of the chosen tournament is over."""
        return self.state is not None and self.state.games_played > 0

    @property
    def table(self) -> list[Row]:
        """The players of the chosen tournament, by place."""
        state = self.state
        if state is None:
            return []
        return [entrant_row(each, self.me, state) for each in state.entrants]

    @property
    def terms(self) -> str:
        """The rules of the chosen tournament, and who may join it, in some sentences."""
        state = self.state
        return "" if state is None else terms_text(state)

    @property
    def progress(self) -> str:
        """The progress of the chosen tournament, in a few words."""
        if self.problem:
            return self.problem
        if self.state is not None:
            return progress_line(self.state)
        return "Loading the table ..." if self.chosen else ""

    def about(self, player: str) -> str:
        """Return further facts about a player of the chosen tournament, or an empty text."""
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
    """Describe the open and running tournaments in sentences; empty without any."""
    sentences = []
    for each in tournaments[:_LISTED]:
        state = "is open" if each.status == "open" else "is running"
        sentences.append(
            f"Tournament {each.name} {state}: {_format(each.format)},"
            f" {game_line(each.settings)}, {_count(each.entrants, 'player')}."
        )
    more = len(tournaments) - _LISTED
    if more > 0:
        sentences.append(f"{more} more {'is' if more == 1 else 'are'} open or running.")
    return " ".join(sentences)


def short_line(tournaments: Sequence[LobbyTournament]) -> str:
    """Return the number of tournaments as a short sentence; empty without any."""
    count = len(tournaments)
    if not count:
        return ""
    return f"{_count(count, 'tournament')} {'is' if count == 1 else 'are'} open or running."


def entry_of(state: TournamentState, player: str) -> EntrantState | None:
    """Return the entry of `player` in a tournament, or None."""
    return next((each for each in state.entrants if each.player == player), None)


def entrant_row(entrant: EntrantState, me: str, state: TournamentState) -> Row:
    """Return the row of a player: place and name, status, games, points and net score."""
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
    """Describe the rules of a tournament, and who may join it, in some sentences."""
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
        how = f"Free players with similar ratings meet, {end}."
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
    """Describe the progress of a tournament in a few words."""
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
    """Return whether `player` was set aside in a tournament."""
    entry = entry_of(state, player)
    return entry is not None and entry.state == "aside"


def news_line(state: TournamentState, me: str) -> str:
    """Return a sentence for the start or end of a tournament of the player `me`.

    The same for a player who was set aside. Empty if there is nothing to report.
    """
    name, entry = state.terms.name, entry_of(state, me)
    if entry is not None and is_aside(state, me) and state.status not in _ENDED:
        return f"You were set aside in the tournament {name}: {entry.reason}."
    if state.status == "running" and entry is not None and entry.state == "in":
        return f"The tournament {name} has started. Your games come by themselves."
    if state.status in _ENDED:
        return state.note or f"The tournament {name} {_ending(state, me)}"
    return ""


def game_note(name: str, state: TournamentState | None, me: str) -> str:
    """Return the note below the end of a tournament game.

    `name` is the name of the tournament, and `state` its state, or None while that is unknown.
    """
    line = f"A game of the tournament {name}." if name else "A game of a tournament."
    if state is None:
        return line
    if state.status in _ENDED:
        return f"{line} It {_ending(state, me)}"
    entry = entry_of(state, me)
    if entry is not None and entry.state == "in":
        return f"{line} If you have another game, it opens automatically."
    return line


def _ending(state: TournamentState, me: str) -> str:
    over = "is over" if state.status == "finished" else "was ended before its time"
    entry = entry_of(state, me)
    if entry is None or not state.games_played:
        return f"{over}."
    return f"{over}: you are in place {entry.place} of {state.entrants_total}."


def _cells(about: LobbyTournament | TournamentTerms, entrants: str, state: str) -> tuple[str, ...]:
    """Return the cells of a row of the list: name, format, game, time, players and state."""
    return (
        about.name,
        _format(about.format),
        game_line(about.settings),
        time_line(about.settings.time),
        entrants,
        state,
    )


def _lobby_row(line: LobbyTournament) -> Row:
    only_bots = line.status == "open" and not line.people
    state = "open to bots" if only_bots else _STATES[line.status]
    return Row(line.tournament, _cells(line, str(line.entrants), state), "playing")


def _past_row(state: TournamentState) -> Row:
    cells = _cells(state.terms, str(state.entrants_total), _STATES[state.status])
    return Row(state.tournament, cells, "finished" if state.status in _ENDED else "playing")


def _old_row(past: PastTournament) -> Row:
    return Row(past.tournament, _cells(past.terms, "", _STATES[past.status]), "finished")


def _now(entrant: EntrantState, *, ended: bool) -> str:
    """Return what a player is doing, or why the player gets no more games."""
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
    """Return points such as ``3``, ``2½`` or ``½``."""
    whole, half = int(points), points % 1 == 0.5
    if not half:
        return f"{points:g}"
    return f"{whole or ''}½"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
