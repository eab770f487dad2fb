"""Write a tournament as a report file of FIDE (TRF), which Swiss-Manager and others read.

In such a file a player has one game in a round. So each game of a pair has a round of its own, with
the colours of its seats: seat 0 is white. In a Swiss tournament and a knockout the games of an
encounter follow one another. A round robin and a gauntlet have the rounds of the circle method,
whatever the order in which the games were played. Only whole pairs are written.

Source: FIDE, Tournament Report File, version of 2016 and 2026 (https://handbook.fide.com,
files/handbook/TRF26.pdf).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from doublecross.server.core.errors import wrong_state
from doublecross.server.tournaments.core.formats.api import Format
from doublecross.server.tournaments.core.formats.round_robin import RoundRobin, turn_of

MOST_POINTS: Final = 99.5
"""The most points that the format has room for."""

Cell = tuple[tuple[int, int], tuple[int | None, str, str]]
"""An entrant and a round of the file, both from 0; then the opponent, the colour and the result."""

_TYPES: Final[Mapping[str, str]] = {
    "swiss": "Individual: Swiss-System",
    "knockout": "Individual: Knockout",
    "round-robin": "Individual: Round-Robin",
    "gauntlet": "Individual: Gauntlet",
}
_RESULTS: Final = {1.0: "1", 0.5: "=", 0.0: "0"}
_POINTS: Final = {"1": 1.0, "=": 0.5, "0": 0.0, "+": 1.0, "-": 0.0, "U": 1.0, "Z": 0.0}


def trf_text(format_: Format, places: Mapping[int, int], dates: Sequence[str]) -> str:
    """Return the file; `dates` are those of the start and the end, as far as they are known.

    `places` has the place of each entrant.

    Raises:
        Refused: the format has no rounds, or a player has more points than the file has room for.
    """
    ledger = format_.ledger
    if ledger.terms.format not in _TYPES:
        raise wrong_state("This format has no rounds, so there is no TRF file of it.")
    cells = dict(_cells(format_))
    rounds = 1 + max((round_ for _, round_ in cells), default=-1)
    order = format_.seeds()
    start = {number: at + 1 for at, number in enumerate(order)}
    lines = [
        f"012 {ledger.terms.name}",
        *(f"{code} {date}" for code, date in zip(("042", "052"), dates, strict=False)),
        f"062 {len(order)}",
        f"092 {_TYPES[ledger.terms.format]}",
        f"122 {ledger.terms.time}",
        f"142 {rounds}",
        f"XXR {rounds}",  # what programs expect that know the version of 2016 only
    ]
    for number in order:
        own = [cells.get((number, round_), (None, "-", "Z")) for round_ in range(rounds)]
        points = sum(_POINTS[result] for _, _, result in own)
        if points > MOST_POINTS:
            raise wrong_state(
                "A player has more than {most} points, for which a TRF file has no room.",
                MOST_POINTS,
            )
        entrant = ledger.roster.entrants[number]
        rating = "" if entrant.seed_rating is None else f"{entrant.seed_rating:.0f}"
        head = f"001 {start[number]:4} {'':4} {entrant.name:33.33} {rating:>4}"
        played = "".join(_cell_text(start, *cell) for cell in own)
        lines.append(f"{head:79} {points:4.1f} {places[number]:4}{played}")
    return "".join(f"{line}\r\n" for line in lines)


def _cell_text(start: Mapping[int, int], opponent: int | None, colour: str, result: str) -> str:
    rival = "0000" if opponent is None else f"{start[opponent]:4}"
    return f"  {rival} {colour} {result}"


def _cells(format_: Format) -> Iterator[Cell]:
    """Yield what the file says of an entrant in a round."""
    ledger = format_.ledger
    if isinstance(format_, RoundRobin):
        count = len(ledger.roster.entrants)
        turns = count - 1 + count % 2
        for one in range(count):
            for other in range(one + 1, count):
                turn = turn_of(count, one, other)
                rounds = [turn + turns * at for at in range(2 * ledger.terms.pairs)]
                yield from _encounter(
                    format_, ledger.pairings.met(one, other), (one, other), rounds
                )
        return
    first = 0
    by_round: dict[int, dict[tuple[int, int | None], list[int]]] = {}
    for row in ledger.pairings.rows:
        encounters = by_round.setdefault(row.round, {})
        # The pairings of an encounter have the same order of players.
        encounters.setdefault((row.first, row.second), []).append(row.number)
    for _, encounters in sorted(by_round.items()):
        pairs = max(ledger.terms.pairs, *map(len, encounters.values()))
        for (player, opponent), numbers in encounters.items():
            rounds = [first + at for at in range(2 * pairs)]
            if opponent is not None:
                yield from _encounter(format_, numbers, (player, opponent), rounds)
                continue
            for round_ in rounds:
                # In a knockout a bye is worth no points.
                yield (player, round_), (None, "-", "U" if format_.bonus(player) else "Z")
        first += 2 * pairs


def _encounter(
    format_: Format, numbers: Sequence[int], couple: tuple[int, int], rounds: Sequence[int]
) -> Iterator[Cell]:
    """Yield both sides of the games of an encounter; `rounds` are those of its games in turn."""
    ledger = format_.ledger
    pairs = [ledger.pairings.pairs[number] for number in numbers]
    free = []
    for at, (number, pair) in enumerate(zip(numbers, pairs, strict=True)):
        if not pair.whole:
            free.append(at)
            continue
        first, second = ledger.pairings.players(number)
        for game, outcome in enumerate(pair.results):
            assert outcome is not None
            white, black = (first, second) if game == 0 else (second, first)
            round_ = rounds[2 * at + game]
            yield (white, round_), (black, "w", _RESULTS[outcome.points(0)])
            yield (black, round_), (white, "b", _RESULTS[outcome.points(1)])
    free += range(len(numbers), len(rounds) // 2)
    for one, other in (couple, couple[::-1]):
        for at in free[: format_.won_unplayed(one, other)]:
            for game, (mine, theirs) in enumerate((("w", "b"), ("b", "w"))):
                yield (one, rounds[2 * at + game]), (other, mine, "+")
                yield (other, rounds[2 * at + game]), (one, theirs, "-")
