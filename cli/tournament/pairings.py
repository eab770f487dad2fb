"""List the encounters of a tournament with their scores so far."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from doublecross.cli.shared.report.formatting import points_of
from doublecross.cli.shared.tables import rows_table
from doublecross.cli.tournament.results import results_of
from doublecross.cli.tournament.standing import WITH_ROUNDS, encounters_of

if TYPE_CHECKING:
    from rich.table import Table

    from doublecross.stats.results import PlayedGame


def pairings_table(body: dict[str, Any], *, every: bool) -> Table | None:
    """Return the encounters of the present round, or of all rounds, with the scores so far.

    In formats without rounds the present encounters are those with a game to play now. None: there
    are none. `body` is the answer of ``/api/tournaments/ID``.
    """
    results = results_of(body)
    names = [player.name for player in results.players]
    encounters, rounds = encounters_of(body), body["terms"]["format"] in WITH_ROUNDS
    last = max((each.round for each in encounters), default=0)
    states = {pairing["number"]: pairing["state"] for pairing in body["pairings"]}
    live = Counter(game["pair"] for game in body["live"])
    games: dict[int, list[PlayedGame]] = {}
    for game in results.games:
        if not game.void:
            games.setdefault(game.pair, []).append(game)
    rows = []
    for each in encounters:
        found = {states[number] for number in each.pairs}
        if not (every or "open" in found or (rounds and each.round == last)):
            continue
        played = [game for number in each.pairs for game in games.get(number, ())]
        points = sum(game.points(each.first) for game in played)
        planned = 2 * max(body["terms"]["pairs"], len(each.pairs))
        playing = sum(live[number] for number in each.pairs)
        remark = ""
        if playing:
            remark = f"playing {playing}" if playing > 1 else "playing"
        elif each.onward is not None and rounds:
            remark = f"{names[each.onward]} goes on"
        elif "unplayed" in found:
            remark = "unplayed"
        bye = each.second is None
        rows.append(
            (
                *([each.round] if rounds else []),
                names[each.first],
                None if each.second is None else names[each.second],
                points_of((points, len(played) - points), bye=bye),
                None if bye else f"{len(played)} of {planned}",
                remark,
            )
        )
    columns = (*(["Round"] if rounds else []), "Player", "Opponent", "Score", "Games", "")
    return rows_table(columns, rows, right=("Round",), whole=("Score", "Games")) if rows else None
