"""Fetch the results of a tournament from a server, summarise them and write files."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from doublecross.cli.shared.console import Problem, warn
from doublecross.cli.shared.files import write_file
from doublecross.cli.shared.remote.reading import fetch
from doublecross.cli.shared.report.files import MOST_EMBEDDED, check_files, write_csv
from doublecross.cli.shared.report.packages import need_plots, need_ratings
from doublecross.cli.tournament.standing import WITH_ROUNDS, encounters_of, places_of, settings_text

if TYPE_CHECKING:
    from doublecross.protocol.server_messages import TournamentState
    from doublecross.stats.results import Results
    from doublecross.stats.summary import Summary


@dataclass(frozen=True, slots=True)
class ResultFiles:
    """The files to write; None means that a file is not wanted.

    `report` is the page, `csv` has the games with the players beside them, `json` has everything,
    `records` all records, and `trf` is the report file of FIDE.
    """

    report: Path | None = None
    json: Path | None = None
    csv: Path | None = None
    records: Path | None = None
    trf: Path | None = None

    def check(self) -> None:
        """Refuse files that cannot be written."""
        if self.report is None:
            need_ratings()
        else:
            need_plots()
        check_files(self.records, self.report, self.json, self.trf, csv=self.csv)

    def needs_records(self, games: int) -> bool:
        """Return whether the files need the records of so many games."""
        return self.records is not None or (self.report is not None and games <= MOST_EMBEDDED)

    def write(self, summary: Summary, http: str, records: str) -> None:
        """Write the files.

        The page holds the `records`. If they are too many, it links to the server's HTTP address
        `http` instead, if there is one.
        """
        from doublecross.cli.shared.report.data import as_json
        from doublecross.cli.shared.report.page import page

        if self.records is not None:
            write_file(self.records, [records])
            warn(f"Wrote the records to {self.records}.", "dim")
        if self.csv is not None:
            write_csv(summary, self.csv)
        if self.json is not None:
            write_file(self.json, [json.dumps(as_json(summary), indent=2) + "\n"])
            warn(f"Wrote {self.json}.", "dim")
        if self.report is not None:
            whole = len(summary.results.games) <= MOST_EMBEDDED
            inside = _by_game(summary, records) if whole else {}
            if not whole and not http:
                warn(
                    "The page does not hold so many records; write them to a file with --records.",
                    "dim",
                )
            link = f"{http}/api/games/{{name}}?format=text" if http and not whole else ""
            write_file(self.report, [page(summary, link=link, records=inside)])
            warn(f"Wrote the report to {self.report}.", "dim")


def fetch_tournament(
    http: str, tournament: str, known: dict[str, Any] | None = None
) -> dict[str, Any]:
    """Return a tournament with all its games from the HTTP address of a server.

    `known` is an earlier answer, so that the server sends only what is new.
    """
    since = f"?since={quote(known['cursor'])}" if known else ""
    text = fetch(http, f"/api/tournaments/{quote(tournament)}{since}")
    try:
        body: dict[str, Any] = json.loads(text)
        for what in ("pairings", "games"):
            before = known[what][: body[f"{what}_before"]] if known else []
            body[what] = before + body[what]
    except (ValueError, KeyError, TypeError):
        raise Problem("There is no Doublecross server at that HTTP address.") from None
    return body


def state_of(body: dict[str, Any]) -> TournamentState:
    """Return the state of a tournament as players get it."""
    from doublecross.protocol.server_messages import TournamentState

    names = ("terms", "owner", "status", "entrants", "games_played", "games_planned")
    try:
        state = {name: body[name] for name in (*names, "next_ms", "ends_ms", "next_season")}
        state |= {"tournament": body["id"], "entrants_total": len(body["entrants"])}
        return TournamentState.model_validate_json(json.dumps(state))
    except (KeyError, TypeError, ValueError):
        raise Problem("The state of this tournament cannot be read.") from None


def ended_tournaments(http: str, most: int) -> list[dict[str, Any]]:
    """Return the newest tournaments that have ended, like the lobby's of the others."""
    rows = _listed(http, "finished", "cancelled")
    rows.sort(key=lambda row: row["finished_ms"] or row["created_ms"], reverse=True)
    return [_like_the_lobby(row) for row in rows[:most]]


def going_tournaments(http: str) -> list[dict[str, Any]]:
    """Return the tournaments that are open or running, like the lobby's."""
    return [_like_the_lobby(row) for row in _listed(http, "open", "running")]


def _listed(http: str, *statuses: str) -> list[dict[str, Any]]:
    """Return the tournaments in these states; of each the server lists those created last.

    Tournaments with terms that cannot be read are left out.
    """
    rows: list[dict[str, Any]] = []
    for status in statuses:
        text = fetch(http, f"/api/tournaments?status={status}")
        try:
            rows += json.loads(text)["tournaments"]
        except (ValueError, LookupError, TypeError):
            raise Problem("There is no Doublecross server at that HTTP address.") from None
    return [row for row in rows if row["terms"] is not None]


def _like_the_lobby(row: dict[str, Any]) -> dict[str, Any]:
    """Return a tournament of the server's list like those of the lobby.

    The number of players is None, because the list does not have it.
    """
    terms, started, length = row["terms"], row["started_ms"], row["terms"]["length_ms"]
    return {
        "tournament": row["id"],
        "name": row["name"],
        "format": row["format"],
        "settings": terms["settings"],
        "owner": row["owner"],
        "status": row["status"],
        "entrants": None,
        "people": row["status"] in ("open", "running") and terms["people"],
        "starts_ms": terms["starts_ms"] if row["status"] == "open" else None,
        "ends_ms": None if started is None or length is None else started + length,
        "wanted": [],
    }


def fetch_tournament_records(http: str, tournament: str) -> str:
    """Return all records of a tournament."""
    return fetch(http, f"/api/tournaments/{quote(tournament)}/records")


def write_trf(http: str, tournament: str, path: Path) -> None:
    """Write a tournament as a report file of FIDE."""
    write_file(path, [fetch(http, f"/api/tournaments/{quote(tournament)}/trf")])
    warn(f"Wrote the report file for pairing programs to {path}.", "dim")


def summary_of(body: dict[str, Any], *, seed: int = 0) -> Summary:
    """Summarise the games of a tournament; `seed` is that of the bootstrap."""
    from doublecross.stats.summary import summarise

    return summarise(results_of(body), Random(f"{body['id']}/{seed}"))


def results_of(body: dict[str, Any]) -> Results:
    """Return the games of a tournament for statistics, with its own places and rounds."""
    from doublecross.games.registry import make_game
    from doublecross.stats.results import PlayedGame, Player, Results

    terms = body["terms"]
    if terms["format"] == "arena":
        raise Problem("A report is about game pairs; an arena has single games. Look at its page.")
    settings = terms["settings"]
    game = make_game(settings["game"], settings["params"])
    entrants = body["entrants"]
    openings = {each["number"]: tuple(each["opening"]) for each in body["pairings"]}
    # In a ladder each version of a bot has a line.
    numbers = {(one["player"], one["engine"]): number for number, one in enumerate(entrants)}
    attempts: dict[int, int] = {}
    for each in body["games"]:
        again = each["attempt"] + (each["termination"] in ("aborted", "void"))
        attempts[each["pair"]] = max(attempts.get(each["pair"], 1), again)
    games = []
    for each in body["games"]:
        first, second = zip(each["players"], each["engines"], strict=True)
        moves = each["moves"]
        games.append(
            PlayedGame(
                pair=each["pair"],
                game=each["game"],
                players=(numbers[first], numbers[second]),
                winner=each["winner"],
                scores=(each["scores"][0], each["scores"][1]),
                termination=each["termination"],
                void=each["attempt"] < attempts[each["pair"]],
                mean_s=(_mean_s(each, 0), _mean_s(each, 1)),
                longest_s=(each["longest_ms"][0] / 1000, each["longest_ms"][1] / 1000),
                finished_ms=each["finished_ms"],
                name=each["id"],
                moves=(moves[0], moves[1]),
                opening=openings[each["pair"]],
            )
        )
    notes = [
        f"{entrant['player']} {_gone(entrant)}." for entrant in entrants if entrant["state"] != "in"
    ]
    if body["status"] in ("open", "running"):
        notes.append("The tournament is not over.")
    elif body["status"] == "cancelled" and not _endless(terms):
        notes.append("The tournament was ended before its time.")
    return Results(
        title=body["name"],
        game=f"{game.title} {game.size}",
        settings=settings_text(terms),
        players=tuple(Player(each["player"], each["engine"]) for each in entrants),
        games=tuple(games),
        unit=game.unit,
        notes=tuple(notes),
        format=terms["format"],
        tie_breaks=tuple(terms["tie_breaks"]),
        places=places_of(body),
        encounters=encounters_of(body) if terms["format"] in WITH_ROUNDS else (),
        over=body["status"] == "finished",
    )


def _endless(terms: dict[str, Any]) -> bool:
    """Return whether the tournament only ends when its organiser ends it."""
    return terms["format"] == "ladder" and terms["rounds"] is None


def _mean_s(game: dict[str, Any], seat: int) -> float:
    moves: int = game["moves"][seat]
    total: int = game["thought_ms"][seat]
    return total / moves / 1000 if moves else 0.0


def _gone(entrant: dict[str, Any]) -> str:
    """Say why a player gets no more games."""
    if entrant["state"] == "left":
        return "has left"
    reason = entrant["reason"]
    if not reason or reason.startswith("excluded"):
        return f"was {reason or 'excluded'}"
    # These games may belong to pairs that were never completed.
    counted = " (the tables count whole pairs only)" if "in a row" in reason else ""
    return f"was excluded: {reason}{counted}"


def _by_game(summary: Summary, records: str) -> dict[str, str]:
    """Return the records by the names of their games, which follow from their room."""
    from doublecross.games.record import format_record, parse_records

    found = {}
    for record in parse_records(records):
        room = dict(record.tags).get("Room", "")
        found[f"{room}-1"] = format_record(record)
    return {game.name: found[game.name] for game in summary.results.games if game.name in found}
