"""Show the state of a tournament: its terms, its progress and its table."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from doublecross.cli.shared.console import is_terminal, live_area, out, say
from doublecross.cli.shared.report.formatting import count, halves
from doublecross.cli.shared.tables import rows_table
from doublecross.cli.shared.times import duration, moment

if TYPE_CHECKING:
    from rich.table import Table

    from doublecross.protocol.common import TournamentTerms
    from doublecross.protocol.lobby_messages import EntrantState
    from doublecross.protocol.server_messages import TournamentState


def describe(terms: TournamentTerms) -> str:
    """Return ``round robin of Dots and Boxes 5x5, 10+0.1, 10 game pairs when two meet``."""
    from doublecross.cli.shared.board import game_name
    from doublecross.protocol.common import DAY_MS

    settings = terms.settings
    parts = [f"{format_name(terms.format)} of {game_name(settings)}"]
    if terms.rounds is not None:
        parts.append(count(terms.rounds, "game pair" if terms.format == "ladder" else "round"))
    by_days, move_ms = settings.time.by_days, settings.time.move_ms or 0
    parts.append(f"{move_ms / DAY_MS:g}d a move" if by_days else settings.time.text)
    if terms.length_ms is not None:
        parts.append(duration(terms.length_ms / 1000))
    elif terms.format != "ladder":
        parts.append(f"{count(terms.pairs, 'game pair')} when two meet")
    if terms.round_ms is not None:
        parts.append(f"a round every {duration(terms.round_ms / 1000)}")
    return ", ".join(parts)


def format_name(format_: str) -> str:
    """Return the name of a format for people."""
    return "Swiss" if format_ == "swiss" else format_.replace("-", " ")


def status_name(status: str) -> str:
    """Return the status of a tournament for people."""
    return "ended early" if status == "cancelled" else status


def show(state: TournamentState, pairings: Table | None = None) -> None:
    """Print the state of a tournament, and a table of pairings if there is one."""
    say(state.terms.name, "bold")
    say(describe(state.terms))
    say(how_far(state), "dim")
    if state.next_season is not None:
        say(f"The present season is {state.next_season}.")
    if not state.entrants:
        say("Nobody has joined yet.")
        return
    out().print(table_of(state))
    if pairings is not None:
        say()
        out().print(pairings)


def how_far(state: TournamentState) -> str:
    """Return the progress, such as ``running, 3 of 12 games``."""
    parts = [status_name(state.status)]
    if state.games_planned is not None:
        parts.append(f"{state.games_played} of {count(state.games_planned, 'game')}")
    elif state.status != "open":
        parts.append(count(state.games_played, "game"))
    if state.next_ms is not None:
        what = "starts" if state.status == "open" else "the next round begins"
        parts.append(f"{what} at {moment(state.next_ms)}")
    if state.ends_ms is not None and state.status == "running":
        parts.append(f"ends at {moment(state.ends_ms)}")
    return ", ".join(parts)


def table_of(state: TournamentState) -> Table:
    """Return the table of a tournament."""
    rated = state.terms.format in ("ladder", "arena")
    keys = state.terms.tie_breaks
    breaks = [key.title() for key in keys if key != "net"]
    numbers = ("#", *(("Rating",) if rated else ()), "Points", "Games", *breaks, "Net")
    table = rows_table(("#", "Player", "Engine", *numbers[1:], ""), (), right=numbers)
    for each in state.entrants:
        remark = ""
        if each.state != "in":
            explained = each.reason and each.reason != each.state
            remark = f"{each.state}: {each.reason}" if explained else each.state
        elif not each.online and state.status in ("open", "running"):
            late = each.loses_in_ms
            remark = "offline" if late is None else f"offline, loses a game in {late // 1000} s"
        elif each.playing:
            remark = f"playing {each.playing}" if each.playing > 1 else "playing"
        table.add_row(
            f"{each.place}.",
            each.player,
            each.engine,
            *((_rating_text(each),) if rated else ()),
            halves(each.points) + (" on fire" if each.on_fire else ""),
            str(each.games),
            *(
                f"{value:g}"
                for key, value in zip(keys, each.tie_breaks, strict=False)
                if key != "net"
            ),
            f"{each.net:+d}",
            remark,
        )
    return table


def _rating_text(entrant: EntrantState) -> str:
    """Return a rating with its interval of 95 %, such as ``1612 ± 84``; ``1500`` is fixed."""
    if entrant.rating is None or entrant.deviation is None:
        return ""
    interval = f" ± {2 * entrant.deviation:.0f}" if entrant.deviation else ""
    return f"{entrant.rating:.0f}{interval}"


@contextlib.contextmanager
def watched(*, shown: bool) -> Iterator[Callable[[TournamentState, Table | None], None]]:
    """Show a running tournament: a live table in a terminal, otherwise a line for each change.

    The context gives a function that takes the next state and its pairings.
    """
    if not shown:
        yield lambda *_: None
        return
    if not is_terminal():
        printed = [""]

        def print_change(state: TournamentState, _: Table | None) -> None:
            players = count(state.entrants_total, "player")
            line = f"{state.terms.name}: {how_far(state)}, {players}"
            if line != printed[0]:
                say(line, "dim")
            printed[0] = line

        yield print_change
        return
    from rich.console import Group

    with live_area() as draw:

        def redraw(state: TournamentState, pairings: Table | None) -> None:
            below = ("", pairings) if pairings else ()
            draw(Group(f"{state.terms.name}: {how_far(state)}", table_of(state), *below))

        yield redraw
