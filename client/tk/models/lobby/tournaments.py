"""Say what the window shows of tournaments: entries of the lobby, news, and notes after games.

The page in the browser has the rest: tables, schedules, games, and how to organise a tournament.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from doublecross.client.core.sentences import sentence_of
from doublecross.client.language import plural, said, tr
from doublecross.client.tk.models.lobby.shortlists import ShortEntry
from doublecross.client.tk.models.words import game_line
from doublecross.protocol.server_messages import EntrantState, LobbyTournament, TournamentState

_STATES: Final = {"open": tr("open"), "running": tr("running")}
_FORMATS: Final = {
    "round-robin": tr("round robin"),
    "gauntlet": tr("gauntlet"),
    "swiss": tr("swiss"),
    "knockout": tr("knockout"),
    "ladder": tr("ladder"),
}
_ENDED: Final = ("finished", "cancelled")


def tournament_entries(
    tournaments: Sequence[LobbyTournament], states: Mapping[str, TournamentState], me: str
) -> list[ShortEntry[LobbyTournament]]:
    """Return the open and running tournaments; a button joins or leaves where that is possible.

    `states` are the tournaments whose players are known. The server decides who may join.
    """

    def entry(each: LobbyTournament) -> ShortEntry[LobbyTournament]:
        players = plural("1 player", "{n} players", each.entrants)
        parts = [_format(each.format), game_line(each.settings), players, _STATES[each.status]]
        about = tuple(" · ".join(parts[left:]) for left in range(len(parts)))
        action = _action(each, states.get(each.tournament), me)
        return ShortEntry(each.tournament, each.name, about, action, each, more=tr("View"))

    return [entry(each) for each in tournaments]


def plays_in(state: TournamentState | None, player: str) -> bool:
    """Return whether `player` takes part in a tournament; false while its state is unknown."""
    entry = _entry(state, player)
    return entry is not None and entry.state == "in"


def leave_warning(state: TournamentState | None) -> str:
    """Return a warning before a player leaves this tournament; empty for none."""
    if state is None or (state.status, state.terms.format) != ("running", "knockout"):
        return ""
    return tr("Who leaves a knockout cannot come back. Press Withdraw again to leave it.")


def is_aside(state: TournamentState, player: str) -> bool:
    """Return whether `player` was set aside in a tournament."""
    entry = _entry(state, player)
    return entry is not None and entry.state == "aside"


def news_line(state: TournamentState, me: str) -> str:
    """Return a sentence for the start or end of a tournament of the player `me`.

    The same for a player who was set aside. Empty if there is nothing to report.
    """
    name, entry = state.terms.name, _entry(state, me)
    if entry is not None and is_aside(state, me) and state.status not in _ENDED:
        return tr(
            "You were excluded from the tournament {name}: {reason}.",
            name=name,
            reason=entry.reason,
        )
    if state.status == "running" and plays_in(state, me):
        return tr("The tournament {name} has started. Your games come by themselves.", name=name)
    if state.status in _ENDED:
        over = (
            tr("The tournament {name} is over", name=name)
            if state.status == "finished"
            else tr("The tournament {name} was ended before its time", name=name)
        )
        return said(sentence_of(state)) or _ending(over, state, me)
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
    if plays_in(state, me):
        more = tr("If you have another game, it opens automatically.")
        return f"{line} {more}"
    return line


def _entry(state: TournamentState | None, player: str) -> EntrantState | None:
    entrants = () if state is None else state.entrants
    return next((each for each in entrants if each.player == player), None)


def _action(line: LobbyTournament, state: TournamentState | None, me: str) -> str:
    """Return the label of the button that joins or leaves; empty if neither is possible."""
    if state is not None and state.status in _ENDED:
        return ""  # its last games are still in play
    entry = _entry(state, me)
    if entry is not None and entry.state == "in":
        return tr("tournament|Withdraw")
    # Who has left may come back to most tournaments that take nobody else.
    may_join = line.people if entry is None else entry.state == "left"
    return tr("Join") if may_join else ""


def _ending(over: str, state: TournamentState, me: str) -> str:
    """Add this player's place to the beginning of a sentence, and end it."""
    entry = _entry(state, me)
    if entry is None or not state.games_played:
        return f"{over}."
    return tr(
        "{over}: you are in place {place} of {count}.",
        over=over,
        place=entry.place,
        count=state.entrants_total,
    )


def _format(key: str) -> str:
    return _FORMATS.get(key, key.replace("-", " "))
