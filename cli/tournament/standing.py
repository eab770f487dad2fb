"""Read terms, places and rounds from a server's data about a tournament, for reports."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from doublecross.cli.shared.report.formatting import count
from doublecross.cli.tournament.show import format_name

if TYPE_CHECKING:
    from doublecross.stats.results import Encounter, Place

_BY_RATING: Final = "ladder"
"""The format whose order follows ratings, not points."""
WITH_ROUNDS: Final = ("swiss", "knockout")
"""The formats in which encounters belong to a round."""
_WITH_ONWARD: Final = "knockout"


def settings_text(terms: dict[str, Any]) -> str:
    """Return format, length and clock, such as ``gauntlet of rules, 4 pairs when two meet, 3+0.05,
    seed 1``."""
    from doublecross.protocol.common import TimeControl

    kind, rounds = terms["format"], terms["rounds"]
    title = format_name(kind)
    parts = [f"{title} of {terms['hero']}" if terms["hero"] else title]
    if rounds is not None:
        parts.append(count(rounds, "pair" if kind == _BY_RATING else "round"))
    if kind != _BY_RATING:
        parts.append(f"{count(terms['pairs'], 'pair')} when two meet")
    time = TimeControl.model_validate_json(json.dumps(terms["settings"]["time"]))
    return ", ".join([*parts, time.text, f"seed {terms['seed']}"])


def places_of(body: dict[str, Any]) -> tuple[Place, ...]:
    """Return the places of all entrants, by number; none for a ladder, which ranks by ratings."""
    from doublecross.stats.results import Place

    if body["terms"]["format"] == _BY_RATING:
        return ()
    byes: dict[str, int] = {}
    for pairing in body["pairings"]:
        first, second = pairing["players"]
        if second is None:
            byes[first] = byes.get(first, 0) + 1
    return tuple(
        Place(
            each["place"],
            float(each["points"]),
            byes.get(each["player"], 0),
            2.0 * body["terms"]["pairs"] * byes.get(each["player"], 0),
        )
        for each in body["entrants"]
    )


def encounters_of(body: dict[str, Any]) -> tuple[Encounter, ...]:
    """Return who met whom in which round, in order. Without rounds all are in the first one.

    In a knockout an encounter also says who went on: the player who is in the next round, or who
    has the first place after the last round.
    """
    from doublecross.stats.results import Encounter

    kind = body["terms"]["format"]
    numbers = {each["player"]: number for number, each in enumerate(body["entrants"])}
    pairs: dict[tuple[int, str, str | None], list[int]] = {}
    there: dict[int, set[str]] = {}
    for pairing in sorted(body["pairings"], key=lambda each: each["number"]):
        first, second = pairing["players"]
        round_ = pairing["round"] if kind in WITH_ROUNDS else 0
        # In later pairings the two may be named the other way round.
        key = (round_, first, second)
        if second is not None and (round_, second, first) in pairs:
            key = (round_, second, first)
        pairs.setdefault(key, []).append(pairing["number"])
        there.setdefault(round_, set()).update(filter(None, (first, second)))
    over = body["status"] == "finished"
    first_place = {each["player"] for each in body["entrants"] if each["place"] == 1}
    last = max(there, default=0)

    def onward(round_: int, players: tuple[str, str | None]) -> int | None:
        if kind != _WITH_ONWARD:
            return None
        on = there[round_ + 1] if round_ < last else first_place if over else set()
        went = [player for player in players if player is not None and player in on]
        return numbers[went[0]] if went else None

    return tuple(
        Encounter(
            round=round_ + 1,
            first=numbers[first],
            second=None if second is None else numbers[second],
            pairs=tuple(found),
            onward=onward(round_, (first, second)),
        )
        for (round_, first, second), found in sorted(pairs.items(), key=lambda item: item[0][0])
    )
