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

from doublecross.client.language import number, plural, tr
from doublecross.client.tk.models.lobby.model import Row, RowKind
from doublecross.client.tk.models.lobby.past import PastTournament
from doublecross.client.tk.models.words import game_line, signed, size_line, time_line
from doublecross.protocol.common import TournamentTerms
from doublecross.protocol.server_messages import EntrantState, LobbyTournament, TournamentState

EVERY_S: Final = 5.0
"""How often the state of the chosen tournament is requested, in seconds."""
SOON_S: Final = 1.0
"""The same after its lobby entry has changed."""
_LISTED: Final = 2
"""How many tournaments the lobby describes; the others are only counted."""
_STATES: Final = {
    "open": tr("open"),
    "running": tr("on"),
    "finished": tr("over"),
    "cancelled": tr("called off"),
}
_FORMATS: Final = {
    "round-robin": tr("round robin"),
    "gauntlet": tr("gauntlet"),
    "swiss": tr("swiss"),
    "knockout": tr("knockout"),
    "ladder": tr("ladder"),
}
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
        return tr("Who leaves a knockout cannot come back. Press Leave again to leave it.")

    @property
    def may_join(self) -> bool:
        """Return whether this player may join the chosen tournament, as far as the client can tell.

        A player who has left may rejoin in most formats; the server decides.
        """
        line, entry = self._lines.get(self.chosen), self._entry
        if line is None or self.chosen not in self._states:
            return False
        return line.people if entry is None else entry.state == "left"

    @property
    def may_leave(self) -> bool:
        """Return whether this player is in the chosen tournament."""
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
        """Return whether a game of the chosen tournament is over."""
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
        return tr("Loading the table ...") if self.chosen else ""

    def about(self, player: str) -> str:
        """Return further facts about a player of the chosen tournament, or an empty text."""
        state = self.state
        entrants = () if state is None else state.entrants
        found = next((each for each in entrants if each.player == player), None)
        if found is None:
            return ""
        what = tr("{name} plays by {engine}.") if found.engine else ""
        aside = (
            tr("{name} was set aside ({reason}).") if found.reason else tr("{name} was set aside.")
        )
        gone = {"in": "", "left": tr("{name} has left."), "aside": aside}[found.state]
        values = {"name": player, "engine": found.engine, "reason": found.reason}
        return f"{what} {gone}".strip().format(**values)

    @property
    def _entry(self) -> EntrantState | None:
        return None if self.state is None else entry_of(self.state, self.me)


# -- in words ----------------------------------------------------------------------------------


def tournament_line(tournaments: Sequence[LobbyTournament]) -> str:
    """Describe the open and running tournaments in sentences; empty without any."""
    sentences = []
    for each in tournaments[:_LISTED]:
        text = (
            tr("Tournament {name} is open: {format}, {game}, {players}.")
            if each.status == "open"
            else tr("Tournament {name} is running: {format}, {game}, {players}.")
        )
        sentences.append(
            text.format(
                name=each.name,
                format=_format(each.format),
                game=game_line(each.settings),
                players=plural("1 player", "{n} players", each.entrants),
            )
        )
    more = len(tournaments) - _LISTED
    if more > 0:
        sentences.append(
            plural("1 more is open or running.", "{n} more are open or running.", more)
        )
    return " ".join(sentences)


def short_line(tournaments: Sequence[LobbyTournament]) -> str:
    """Return the number of tournaments as a short sentence; empty without any."""
    count = len(tournaments)
    if not count:
        return ""
    return plural("1 tournament is open or running.", "{n} tournaments are open or running.", count)


def entry_of(state: TournamentState, player: str) -> EntrantState | None:
    """Return the entry of `player` in a tournament, or None."""
    return next((each for each in state.entrants if each.player == player), None)


def entrant_row(entrant: EntrantState, me: str, state: TournamentState) -> Row:
    """Return the row of a player: place and name, status, games, points and net score."""
    name = entrant.player
    if name == me:
        name = tr("{name} (you)", name=name)
    elif entrant.engine:
        name = tr("{name} (bot)", name=name)
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
    pairs = plural("1 game pair", "{n} game pairs", terms.pairs)
    if terms.format == "round-robin":
        how = tr("Every two play {pairs}.", pairs=pairs)
    elif terms.format == "gauntlet":
        how = (
            tr("{name} plays {pairs} against each other player.", name=terms.hero, pairs=pairs)
            if terms.hero
            else tr("Who joined first plays {pairs} against each other player.", pairs=pairs)
        )
    elif terms.format == "swiss":
        rounds = plural("1 round", "{n} rounds", terms.rounds or 0)
        how = tr(
            "{rounds} of {pairs} between players of about the same points.",
            rounds=rounds,
            pairs=pairs,
        )
    elif terms.format == "knockout":
        how = tr("The loser of {pairs} is out.", pairs=pairs)
    else:
        how = (
            plural(
                "Free players with similar ratings meet, 1 game pair in all.",
                "Free players with similar ratings meet, {n} game pairs in all.",
                terms.rounds,
            )
            if terms.rounds
            else tr("Free players with similar ratings meet, until it is ended.")
        )
    who = [tr("people and bots may join") if terms.people else tr("for bots only")]
    if not terms.phrases:
        who.append(tr("without quick phrases"))
    if terms.invited is not None:
        who.append(tr("by invitation"))
    if terms.late or terms.format == "ladder":
        who.append(tr("also after the start"))
    aside = plural(
        "Who loses 1 game by time or absence is set aside.",
        "Who loses {n} games in a row by time or absence is set aside.",
        terms.patience,
    )
    rated = tr("Rated.") if terms.settings.rated else tr("Casual.")
    end = tr("Organised by {owner}; {who}.", owner=state.owner, who=", ".join(who))
    return f"{how} {rated} {aside} {end}"


def progress_line(state: TournamentState) -> str:
    """Describe the progress of a tournament in a few words."""
    played, planned = state.games_played, state.games_planned
    line = {
        "open": tr("{owner} has not started it yet", owner=state.owner),
        "running": plural("1 game played", "{n} games played", played)
        if planned is None
        else tr("{played} of {planned} games played", played=played, planned=planned),
        "finished": plural("Over after 1 game", "Over after {n} games", played),
        "cancelled": plural(
            "Ended before its time, after 1 game",
            "Ended before its time, after {n} games",
            played,
        ),
    }[state.status]
    if len(state.entrants) < state.entrants_total:
        shown = tr(
            "the first {count} of {total} are listed",
            count=len(state.entrants),
            total=state.entrants_total,
        )
        line = f"{line} · {shown}"
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
        return tr(
            "You were set aside in the tournament {name}: {reason}.", name=name, reason=entry.reason
        )
    if state.status == "running" and entry is not None and entry.state == "in":
        return tr("The tournament {name} has started. Your games come by themselves.", name=name)
    if state.status in _ENDED:
        over = (
            tr("The tournament {name} is over", name=name)
            if state.status == "finished"
            else tr("The tournament {name} was ended before its time", name=name)
        )
        return state.note or _ending(over, state, me)
    return ""


def game_note(name: str, state: TournamentState | None, me: str) -> str:
    """Return the note below the end of a tournament game.

    `name` is the name of the tournament, and `state` its state, or None while that is unknown.
    """
    line = (
        tr("A game of the tournament {name}.", name=name) if name else tr("A game of a tournament.")
    )
    if state is None:
        return line
    if state.status in _ENDED:
        over = (
            tr("It is over") if state.status == "finished" else tr("It was ended before its time")
        )
        return f"{line} {_ending(over, state, me)}"
    entry = entry_of(state, me)
    if entry is not None and entry.state == "in":
        more = tr("If you have another game, it opens automatically.")
        return f"{line} {more}"
    return line


def _ending(over: str, state: TournamentState, me: str) -> str:
    """Add this player's place to the beginning of a sentence, and end it."""
    entry = entry_of(state, me)
    if entry is None or not state.games_played:
        return f"{over}."
    return tr(
        "{over}: you are in place {place} of {count}.",
        over=over,
        place=entry.place,
        count=state.entrants_total,
    )


def _row(
    key: str, about: LobbyTournament | TournamentTerms, entrants: str, state: str, kind: RowKind
) -> Row:
    """Return a row of the list: name, format, game, time, players and state."""
    cells = (
        about.name,
        _format(about.format),
        game_line(about.settings),
        time_line(about.settings.time),
        entrants,
        state,
    )
    return Row(key, cells, kind, {2: size_line(about.settings)})


def _lobby_row(line: LobbyTournament) -> Row:
    only_bots = line.status == "open" and not line.people
    state = tr("open to bots") if only_bots else _STATES[line.status]
    return _row(line.tournament, line, str(line.entrants), state, "playing")


def _past_row(state: TournamentState) -> Row:
    kind: RowKind = "finished" if state.status in _ENDED else "playing"
    players, status = str(state.entrants_total), _STATES[state.status]
    return _row(state.tournament, state.terms, players, status, kind)


def _old_row(past: PastTournament) -> Row:
    return _row(past.tournament, past.terms, "", _STATES[past.status], "finished")


def _now(entrant: EntrantState, *, ended: bool) -> str:
    """Return what a player is doing, or why the player gets no more games."""
    if entrant.state == "aside":
        return tr("aside: {reason}", reason=entrant.reason) if entrant.reason else tr("set aside")
    if entrant.state == "left":
        return tr("left")
    if entrant.playing:
        return tr("playing")
    return "" if entrant.online or ended else tr("away")


def _format(key: str) -> str:
    return _FORMATS.get(key, key.replace("-", " "))


def _points(points: float) -> str:
    """Return points such as ``3``, ``2½`` or ``½``."""
    whole, half = int(points), points % 1 == 0.5
    if not half:
        return number(points, "g")
    return f"{whole or ''}½"
