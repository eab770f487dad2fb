"""The commands that act on a running server: players who disturb, rooms, announcements, drain."""

from __future__ import annotations

import re
from ipaddress import ip_network
from typing import Annotated, Final

import typer

from doublecross.cli.admin.asking import AsJson, Player, Reason, Yes, confirm
from doublecross.cli.admin.reach import Reach, managing
from doublecross.cli.shared.console import Problem, say, say_json
from doublecross.cli.shared.parsing import check_player_name
from doublecross.cli.shared.report.formatting import count
from doublecross.cli.shared.times import moment

_LONGEST_REASON: Final = 200
_LONGEST_TEXT: Final = 200
_SPAN: Final = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,3})?)(h|d|w)")
_HOURS: Final = {"h": 1, "d": 24, "w": 168}


@managing
def kick(at: Reach, player: Player, reason: Reason = "", yes: Yes = False) -> None:
    """End the connection of a player. The player can connect again.

    Example: doublecross admin kick Bob --reason "please stop that"
    """
    _check(player, reason)
    confirm(f"End the connection of {player}?", yes=yes)
    at.post("kick", player=player, reason=reason)
    say(f"The connection of {player} has ended.")


@managing
def ban(
    at: Reach,
    who: Annotated[
        str,
        typer.Argument(
            metavar="WHO",
            help="The name of a player, or with --address an address or a network.",
            show_default=False,
        ),
    ],
    address: Annotated[
        bool, typer.Option("--address", help="WHO is an address, or a network as 192.0.2.0/24.")
    ] = False,
    span: Annotated[
        str | None,
        typer.Option(
            "--for", metavar="TIME", help="Such as 12h, 3d or 2w.", show_default="for good"
        ),
    ] = None,
    reason: Reason = "",
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Keep a player or an address out, and end the connections at once.

    The ban of a player is one of the account: another name does not lift it, and whoever gets the
    name later is not banned.

    Example: doublecross admin ban Bob --for 3d --reason "insults"
    """
    hours = _hours(span)
    if address:
        try:
            network = str(ip_network(who, strict=False))
        except ValueError:
            raise Problem(
                f"{who!r} is no address and no network; write it like 192.0.2.7 or 192.0.2.0/24."
            ) from None
        _check(None, reason)
        asked = {"network": network, "player": None}
    else:
        _check(who, reason)
        asked = {"network": None, "player": who}
    how_long = "for good" if span is None else f"for {span}"
    confirm(f"Ban {asked['network'] or who} {how_long}?", yes=yes)
    made = at.post("ban", **asked, hours=hours, reason=reason)
    if as_json:
        say_json(made)
        return
    found = made["ban"]
    who = found["network"] or found["player"]
    until = "for good" if found["until_ms"] is None else f"until {moment(found['until_ms'])}"
    say(f"{who} is banned {until}. {count(made['ended'], 'connection')} ended.")
    say(f"Lift the ban with: doublecross admin unban {found['ban_id']}", "dim")


def _hours(span: str | None) -> float | None:
    if span is None:
        return None
    found = _SPAN.fullmatch(span.strip())
    if found is None or not float(found[1]):
        raise Problem(f"--for {span!r} is no time; write it like 12h, 3d or 2w.")
    return float(found[1]) * _HOURS[found[2]]


@managing
def unban(
    at: Reach,
    ban_id: Annotated[
        str,
        typer.Argument(
            metavar="ID", help="The id of the ban, see: admin list bans.", show_default=False
        ),
    ],
) -> None:
    """Lift a ban.

    Example: doublecross admin unban k3d9x
    """
    at.post("unban", ban_id=ban_id)
    say("The ban is lifted.")


@managing
def close_room(
    at: Reach,
    room: Annotated[str, typer.Argument(metavar="ROOM", help="The room.", show_default=False)],
    reason: Reason = "",
    yes: Yes = False,
) -> None:
    """Close a room. A match in play ends without a result, and nobody's rating changes.

    Example: doublecross admin close-room 4fj2k --reason "stuck"
    """
    _check(None, reason)
    confirm(f"Close the room {room}?", yes=yes)
    at.post("close-room", room=room, reason=reason)
    say(f"The room {room} is closed.")


@managing
def announce(
    at: Reach,
    text: Annotated[
        str,
        typer.Argument(metavar="TEXT", help="One line; empty: end the last.", show_default=False),
    ],
    minutes: Annotated[
        int,
        typer.Option(min=0, max=10_080, help="For so long, those who come later read it too."),
    ] = 0,
) -> None:
    """Show a text to all players, such as that the server restarts soon.

    Example: doublecross admin announce "We restart at 20:00." --minutes 30
    """
    if len(text) > _LONGEST_TEXT or not (text.isprintable() or not text):
        raise Problem(f"The text must be one line of at most {_LONGEST_TEXT} characters.")
    players = at.post("announce", text=text, minutes=minutes)["players"]
    if text:
        say(f"{count(players, 'player')} can read it.")
    else:
        say("The announcement has ended.")


@managing
def drain(
    at: Reach,
    off: Annotated[bool, typer.Option("--off", help="Begin new games again.")] = False,
) -> None:
    """Begin no new games, so that the server can stop when those in play are over.

    Example: doublecross admin drain
    """
    at.post("drain", on=not off)
    if off:
        say("New games begin again.")
        return
    games = at.get("overview")["games_in_play"]
    say(f"No new games begin. In play: {count(games, 'game')}.")
    say("See how many are left with: doublecross admin top", "dim")


def _check(player: str | None, reason: str) -> None:
    """Refuse a name or a reason that no server accepts."""
    if player is not None:
        check_player_name(player)
    if len(reason) > _LONGEST_REASON or (reason and not reason.isprintable()):
        raise Problem(f"The reason must be one line of at most {_LONGEST_REASON} characters.")
