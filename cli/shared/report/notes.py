"""Write the sentences of a report: the winner, the meaning of rating 0 and of bounds, warnings.

All outputs have the same sentences: the terminal and the page show them, JSON has them as `notes`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from doublecross.cli.shared.report import formatting
from doublecross.protocol.text import printable

if TYPE_CHECKING:
    from doublecross.stats.results import Encounter, PlayedGame
    from doublecross.stats.summary import Summary

FEW_OPENINGS: Final = 10
"""With fewer different openings than this, a report warns about them."""
_NAMED: Final = 3
"""The most players whose mean is described by their names."""
_MOST_GROUPS: Final = 6
_MOST_MEMBERS: Final = 8


def notes(summary: Summary) -> list[str]:
    """Return all sentences that a reader must know, the most important first."""
    return [*warnings(summary), *gaps(summary), *islands(summary)]


def warnings(summary: Summary) -> list[str]:
    """Return the sentences without which a reader might misread the whole report."""
    return [
        *left_out(summary),
        *map(printable, summary.results.notes),
        *openings(summary),
    ]


def winner(summary: Summary) -> str:
    """Say who has won or is ahead; empty if there are no places or no games."""
    results = summary.results
    first = results.leaders
    if not first or not summary.pairs:
        return ""
    called = listed([formatting.names(summary)[n] for n in first])
    if not results.over:
        return f"Ahead: {called}"
    return f"Winner: {called}" if len(first) == 1 else f"Winners, who share first place: {called}"


def tie_break(summary: Summary) -> list[str]:
    """Say who is listed first although others have as many points; or nothing."""
    results = summary.results
    first = [n for n in results.leaders if results.places[n].place == 1]
    if not summary.pairs or len(first) == len(results.leaders):
        return []
    names = formatting.names(summary)
    verb = "is" if len(first) == 1 else "are"
    points = formatting.halves(summary.total(first[0]))
    return [
        f"{listed([names[n] for n in results.leaders])} have {points} points each;"
        f" {listed([names[n] for n in first])} {verb} listed first by the tie-break."
    ]


def place(summary: Summary, player: int) -> str:
    """Return a player's place, such as ``1`` or, if shared, ``3=``; else its rank by rating."""
    places = [each.place for each in summary.results.places]
    if not places:
        return str(summary.order.index(player) + 1)
    shared = places.count(places[player]) > 1
    return f"{places[player]}{'=' if shared else ''}"


def bonus(summary: Summary, player: int) -> str:
    """Say where points without a game come from, such as ``8 of them for a bye``; or nothing."""
    more = summary.bonus(player)
    if not more:
        return ""
    if more < 0:
        return (
            f"{formatting.halves(-more)} more, of games with players who left early, do not count"
        )
    own = summary.results.places[player]
    byes = own.byes
    reason = "opponents who did not come"
    if byes:
        reason = "a bye" if byes == 1 else f"{byes} byes"
        of_byes = 2 * byes * _pairs_each(summary) if own.bye_points is None else own.bye_points
        if more > of_byes:
            reason += " and opponents who did not come"
    return f"{formatting.halves(more)} of them for {reason}"


def bonuses(summary: Summary) -> list[str]:
    """Return a sentence for each group of players with the same source of points without games."""
    players_by_text: dict[str, list[str]] = {}
    for player in summary.order:
        if text := bonus(summary, player):
            players_by_text.setdefault(text, []).append(formatting.names(summary)[player])
    texts = [
        f"Points of {listed(players)}{' each' if len(players) > 1 else ''}: {text}."
        for text, players in players_by_text.items()
    ]
    return [*tie_break(summary), *texts]


def _pairs_each(summary: Summary) -> int:
    """Return how many pairs an encounter has: the maximum of all."""
    return max((len(each.pairs) for each in summary.results.encounters), default=1)


def reference(summary: Summary) -> str:
    """Say what rating 0 means."""
    names, fixed = formatting.names(summary), formatting.fixed_player(summary)
    if fixed is not None:
        return f"{names[fixed]} is at 0"
    return f"{_mean(summary, summary.home)} is 0"


def steady(summary: Summary) -> str:
    """Say what ratings over time are relative to."""
    if _is_steady(summary):
        return reference(summary)
    return f"{_mean(summary, summary.steady)} is fixed"


def fixed_note(summary: Summary) -> str:
    """Explain what ratings over time are relative to, in a sentence with a space after it."""
    if _is_steady(summary):
        return f"Throughout, {reference(summary)}. "
    mean = _mean(summary, summary.steady)
    return f"{mean[0].upper()}{mean[1:]} is at each moment where it is in the end. "


def _is_steady(summary: Summary) -> bool:
    return summary.anchor is not None or set(summary.steady) == set(summary.home)


def _mean(summary: Summary, players: Sequence[int]) -> str:
    rated = sum(standing.rating is not None for standing in summary.standings)
    if len(players) == rated:
        return "their mean"
    names = formatting.names(summary)
    if len(players) <= _NAMED:
        return f"the mean of {listed([names[n] for n in players])}"
    what = "the largest group" if set(players) == set(summary.home) else "those there early"
    return f"the mean of {what} ({len(players)})"


def one_sided(summary: Summary) -> str:
    """Explain what a bound means by the example of one player; empty if nobody has only a bound."""
    for player in summary.order:
        rating = summary.standings[player].rating
        if rating is None or formatting.is_estimated(summary, player):
            continue
        low, high = rating.interval.low, rating.interval.high
        if math.isinf(low) and math.isinf(high):
            continue
        end = round(low if math.isinf(high) else high)
        inward = (end > 0) == math.isinf(high)  # away from 0 on the open side
        side = "above" if end > 0 else "below"
        bound = f"at {'least' if inward else 'most'} {abs(end)} {side} 0"
        name = formatting.names(summary)[player]
        return (
            f"“{formatting.bounds(rating.interval)}” of {name}: the results only"
            f" show that it is {bound}, not how far."
        )
    return ""


def islands(summary: Summary) -> list[str]:
    """Return sentences if the results do not determine all rating differences."""
    if len(summary.groups) < 2:
        return []
    names = formatting.names(summary)
    groups = []
    for group in summary.groups[:_MOST_GROUPS]:
        members = [names[n] for n in group[:_MOST_MEMBERS]]
        groups.append(", ".join([*members, "…"] if len(group) > _MOST_MEMBERS else members))
    more = ["…"] if len(summary.groups) > _MOST_GROUPS else []
    sentences = [
        f"Results decide distances only within each of these groups: {'; '.join(groups + more)}."
        " Between two of them one side has won everything, or they have not met."
    ]
    return [*sentences, *filter(None, (one_sided(summary),))]


def openings(summary: Summary) -> list[str]:
    """Return sentences if there are few openings, or repeated ones."""
    found = summary.openings
    if found is None:
        return []
    return few_openings(
        found.different, found.repeated, "ratings, intervals and the first mover’s score"
    )


def few_openings(different: int, repeated: int, what: str) -> list[str]:
    """Return warnings about few `different` openings and about `repeated` ones.

    `repeated` counts the pairs whose opening the same two players had before. `what` names the
    figures that this limits.
    """
    sentences = []
    if different < FEW_OPENINGS:
        ones = "this one" if different == 1 else "these"
        sentences.append(
            f"All pairs are from {formatting.count(different, 'opening')}:"
            f" {what} speak for {ones}, not for others."
        )
    if repeated:
        pairs = formatting.count(repeated, "pair")
        # The sentence above says already that there were few.
        few = "" if sentences else "There were too few openings: "
        sentences.append(
            f"{few}{pairs} of the same two players"
            f" {'is' if repeated == 1 else 'are'} from one that they had already. Bots that"
            " choose alike play the same games again, and intervals are then too short."
        )
    return sentences


def openings_text(summary: Summary) -> str:
    """Return the number of openings, such as ``4 openings``; empty if unknown."""
    return (
        "" if summary.openings is None else formatting.count(summary.openings.different, "opening")
    )


def pairs_text(summary: Summary) -> str:
    """Return how many pairs count, from how many openings: ``36 pairs from 4 openings``."""
    pairs, found = formatting.count(len(summary.pairs), "pair"), openings_text(summary)
    return f"{pairs} from {found}" if found else pairs


def gaps(summary: Summary) -> list[str]:
    """Return a sentence that names the pairs that were byes."""
    byes = [each for each in summary.results.encounters if each.second is None]
    numbers = [number + 1 for each in byes for number in each.pairs]
    if not numbers:
        return []
    names = formatting.names(summary)
    if len(byes) <= _MOST_GROUPS:
        listing = listed(
            [f"{number} ({names[e.first]})" for e in byes for number in (n + 1 for n in e.pairs)]
        )
    else:
        listing = f"{listed([str(n) for n in numbers[:_MOST_GROUPS]])} and others"
    noun = "Pair" if len(numbers) == 1 else "Pairs"
    return [f"{noun} {listing} {'was a bye' if len(numbers) == 1 else 'were byes'}, without games."]


def left_out(summary: Summary, most: int = 5) -> list[str]:
    """Return sentences on games that do not count, naming the first `most` of each kind."""
    sentences = []
    if unfinished := summary.unfinished:
        of = "an unfinished pair" if len(unfinished) == 1 else "unfinished pairs"
        games = formatting.count(len(unfinished), "game")
        sentences.append(f"Not counted: {games} of {of} ({_called(unfinished, most)}).")
    if void := summary.void:
        games = formatting.count(len(void), "game")
        sentences.append(f"Not counted: {games} of pairs that were voided ({_called(void, most)}).")
    return sentences


def _called(games: tuple[PlayedGame, ...], most: int) -> str:
    named = [printable(game.name) for game in games[:most]]
    return ", ".join([*named, "…"] if len(games) > most else named)


def nothing_yet(summary: Summary) -> str:
    """Say why there is nothing to rate; empty if there is."""
    if not summary.results.players:
        return "Nobody has joined yet."
    return "" if summary.pairs else "No pair is complete yet, so there is nothing to rate."


def round_of(summary: Summary) -> dict[int, Encounter]:
    """Return the encounters by the numbers of their pairs."""
    return {number: each for each in summary.results.encounters for number in each.pairs}


def score_of(summary: Summary, each: Encounter) -> tuple[float, float] | None:
    """Return both players' points in an encounter, from pairs that count; None without any."""
    wanted = set(each.pairs)
    found = [pair for pair in summary.pairs if pair[0].pair in wanted]
    if not found:
        return None
    first = sum(game.points(each.first) for pair in found for game in pair)
    return first, 2.0 * len(found) - first


def listed(parts: Sequence[str]) -> str:
    """Join parts: ``A``, ``A and B``, ``A, B and C``."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"
