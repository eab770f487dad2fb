"""`doublecross admin list` and `doublecross admin audit`: who is there, and what admins did."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from doublecross.cli.admin.asking import AsJson
from doublecross.cli.admin.reach import Reach, managing
from doublecross.cli.shared.console import Problem, out, say, say_json
from doublecross.cli.shared.tables import rows_table
from doublecross.cli.shared.times import duration, moment

if TYPE_CHECKING:
    from rich.table import Table

_NO_SEARCH: Final = ("rooms", "bans", "reports")
_PAGE: Final = 1000
"""The most entries of one answer."""


@managing
def list_(
    at: Reach,
    what: Annotated[
        str, typer.Argument(metavar="WHAT", help="players, rooms, accounts, bans or reports.")
    ] = "players",
    search: Annotated[
        str | None,
        typer.Option(help="Only names with this part, of players and accounts."),
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=_PAGE, help="The most lines.")] = 100,
    as_json: AsJson = False,
) -> None:
    """List the connected players, the open rooms, all accounts, the bans, or what players reported.

    Example: doublecross admin list accounts --search ann
    """
    if what not in _TABLES:
        raise Problem(f"There is no list of {what!r}; there are {', '.join(_TABLES)}.")
    if search is not None and what in _NO_SEARCH:
        raise Problem(f"--search is for players and accounts, not for {what}.")
    asked = {} if what == "bans" else {"limit": limit, "search": search}
    answer = at.get(what, **asked)
    rows = answer[what][:limit]
    if as_json:
        say_json(rows)
    elif rows:
        out().print(_TABLES[what](rows))
        total = answer.get("total", len(rows))
        if total > len(rows):
            say(f"{total - len(rows)} more. Add --limit or --search.", "dim")
    else:
        say(_EMPTY[what])


@managing
def audit(
    at: Reach,
    limit: Annotated[int, typer.Option(min=1, help="The most lines.")] = 50,
    as_json: AsJson = False,
) -> None:
    """Show what admins and the host did, newest first.

    Example: doublecross admin audit --limit 20
    """
    rows: list[dict[str, Any]] = []
    before: int | None = None
    while len(rows) < limit:
        answer = at.get("audit", limit=min(_PAGE, limit - len(rows)), before=before)
        rows += answer["entries"]
        before = answer["next"]
        if before is None:
            break
    if as_json:
        say_json(rows)
    elif rows:
        names = ("When", "Who", "Address", "What", "Target", "Detail")
        keys = ("actor", "address", "action", "target", "detail")
        out().print(
            rows_table(
                names, ((moment(each["at_ms"]), *(each[key] for key in keys)) for each in rows)
            )
        )
    else:
        say("No admin has done anything yet.")


def _players(rows: list[dict[str, Any]]) -> Table:
    names = ("Name", "Kind", "Account", "Address", "Client", "Here for", "Rooms")
    return rows_table(
        names,
        (
            (
                each["name"],
                each["engine"] or each["kind"] if each["kind"] == "bot" else "person",
                _standing(each),
                each["address"],
                each["client"],
                duration(each["connected_s"]),
                " ".join(each["rooms"]),
            )
            for each in rows
        ),
    )


def _rooms(rows: list[dict[str, Any]]) -> Table:
    names = ("Room", "Status", "Game", "Size", "Move", "First", "Second", "Watch", "Remark")
    return rows_table(
        names,
        (
            (
                each["room"],
                each["status"],
                each["game"],
                each["size"],
                each["ply"],
                *((*each["players"], None, None)[:2]),
                each["spectators"],
                ", ".join(_remarks(each)),
            )
            for each in rows
        ),
        right=("Move", "Watch"),
        whole=("Room",),
    )


def _remarks(room: Mapping[str, Any]) -> list[str]:
    found = ["private"] if room["private"] else []
    return [*found, f"tournament {room['tournament']}"] if room["tournament"] else found


def _accounts(rows: list[dict[str, Any]]) -> Table:
    names = ("Name", "Kind", "Account", "Run by", "Since", "Here", "Bans")
    return rows_table(
        names,
        (
            (
                each["name"],
                "bot" if each["kind"] == "bot" else "person",
                _standing(each),
                each["run_by"],
                moment(each["created_ms"]),
                "yes" if each["connected"] else "",
                " ".join(ban["ban_id"] for ban in each["bans"]),
            )
            for each in rows
        ),
    )


def _bans(rows: list[dict[str, Any]]) -> Table:
    names = ("Id", "Who", "Until", "Reason", "Since", "By")
    return rows_table(
        names,
        (
            (
                each["ban_id"],
                each["network"] or each["player"] or f"account {each['account_id']}",
                moment(each["until_ms"], never="for good"),
                each["reason"],
                moment(each["made_ms"]),
                each["made_by"],
            )
            for each in rows
        ),
        whole=("Id",),
    )


def _reports(rows: list[dict[str, Any]]) -> Table:
    keys = ("about", "reason", "words", "game_id", "reporter", "note", "closed_by")
    names = ("When", "About", "Reason", "Words", "Game", "By", "Note", "Closed by")
    return rows_table(
        names, ((moment(each["made_ms"]), *(each[key] for key in keys)) for each in rows)
    )


def _standing(player: Mapping[str, Any]) -> str:
    return "admin" if player["admin"] else "yes" if player["claimed"] else "guest"


_TABLES: Final[Mapping[str, Callable[[list[dict[str, Any]]], Table]]] = MappingProxyType(
    {
        "players": _players,
        "rooms": _rooms,
        "accounts": _accounts,
        "bans": _bans,
        "reports": _reports,
    }
)
_EMPTY: Final[Mapping[str, str]] = MappingProxyType(
    {
        "players": "No such player is connected.",
        "rooms": "No room is open.",
        "accounts": "No such player is known.",
        "bans": "Nobody is banned.",
        "reports": "Nobody has reported anything.",
    }
)
