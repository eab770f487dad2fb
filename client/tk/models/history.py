"""Model the list of a player's own finished games: rows, search and results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from doublecross.client.language import day_text, plural, tr
from doublecross.client.tk.models.lobby.levels import Levels, level_title
from doublecross.client.tk.models.rows import Row
from doublecross.client.tk.models.words import known_title, size_text
from doublecross.protocol.history_messages import OwnGame

MOST_GAMES: Final = 2000
"""How many games are listed."""
PEOPLE: Final = tr("people")
"""What `PastGame.against` says of a person."""
_OUTCOMES: Final = {
    "won": tr("won"),
    "drawn": tr("draw"),
    "lost": tr("lost"),
    "none": tr("no result"),
}
LONG_RESULT: Final = max(_OUTCOMES.values(), key=len) + " 12 : 12"
"""A result of usual length."""
_WHOLE: Final = frozenset(
    {tr("won"), tr("draw"), tr("lost"), tr("rated"), tr("casual"), tr("private"), tr("public")}
)
"""Words of the search that a game has or has not; others may be parts of its texts."""


@dataclass(frozen=True, slots=True)
class PastGame:
    """A game of the list. `against` is the level or program of the opponent, or `PEOPLE`.

    `key` joins all searchable texts, in lower case.
    """

    game: OwnGame
    opponent: str
    against: str
    title: str
    date: str
    key: str

    @property
    def row(self) -> Row:
        """The row of the list: opponent, game, result with the score, date."""
        scores, seat = self.game.scores, self.game.seat
        mine, theirs = scores[seat], scores[1 - seat]
        who = self.opponent
        if self.against != PEOPLE and self.against.casefold() != who.casefold():
            who = f"{who} · {level_title(self.against)}"
        result = _OUTCOMES[self.game.outcome]
        if self.game.outcome != "none" and (mine or theirs):
            result = f"{result} {mine} : {theirs}"
        cells = (who, self.title, result, self.date)
        return Row(self.game.game_id, cells, {1: size_text(self.game.size)})


@dataclass(slots=True)
class History:
    """The games that have arrived so far, newest first. `search` is what the person looks for.

    `levels` are the levels for people. `complete` says that no more games come, `older` that the
    server has even older ones.
    """

    levels: Levels
    search: str = ""
    complete: bool = False
    older: bool = False
    games: list[PastGame] = field(default_factory=list)

    def add(self, page: Iterable[OwnGame], *, more: bool) -> None:
        """Add a page of the server's list; `more` says that older games follow."""
        known = {past.game.game_id for past in self.games}
        self.games += [self._past(game) for game in page if game.game_id not in known]
        full = len(self.games) >= MOST_GAMES
        self.complete, self.older = full or not more, full and more

    @property
    def last(self) -> OwnGame | None:
        """The oldest game so far, after which the next page begins."""
        return self.games[-1].game if self.games else None

    def find(self, game_id: str) -> PastGame | None:
        """Return the game with this id, or None."""
        return next((past for past in self.games if past.game.game_id == game_id), None)

    def matching(self) -> list[PastGame]:
        """Return the games with every word of `search`, in any case.

        Words such as ``won`` and ``rated`` must match as a whole, so that ``won`` does not find a
        player called Wong.
        """
        words = self.search.casefold().split()
        whole = _WHOLE.intersection(words)
        parts = [word for word in words if word not in whole]
        return [
            past
            for past in self.games
            if whole <= _facts(past.game) and all(part in past.key for part in parts)
        ]

    @property
    def line(self) -> str:
        """Describe how many games there are, and how many of them are found."""
        total, found = len(self.games), self.matching()
        if not self.complete:
            return (
                tr("Loading your games ... {total:,}", total=total)
                if total
                else tr("Loading your games ...")
            )
        if not total:
            return tr("You have no finished games here yet.")
        if self.search.strip() and not found:
            return tr("No game has all of these words.")
        if len(found) < total:
            if self.older:
                return tr("{found:,} of your newest {total:,} games", found=len(found), total=total)
            return tr("{found:,} of your {total:,} games", found=len(found), total=total)
        if self.older:
            return tr("Your newest {total:,} games", total=total)
        return plural("One game", "Your {n:,} games", total)

    @property
    def total(self) -> str:
        """The results of all games that match, in a line; empty if none has a result."""
        counts = Counter(past.game.outcome for past in self.matching())
        won, drawn, lost = counts["won"], counts["drawn"], counts["lost"]
        played = won + drawn + lost
        if not played:
            return ""
        return tr(
            "{won:,} won, {drawn:,} drawn, {lost:,} lost: {share} %",
            won=won,
            drawn=drawn,
            lost=lost,
            share=round(100 * (won + drawn / 2) / played),
        )

    def _past(self, game: OwnGame) -> PastGame:
        other = 1 - game.seat
        engine = game.engines[other]
        against = self._level(engine) or engine or PEOPLE
        day = datetime.fromtimestamp(game.finished_ms / 1000).astimezone().date()
        date = day_text(day)
        title = known_title(game.title)
        words = (
            game.players[other],
            level_title(against),
            title,
            game.size,
            date,
            f"{day}",
            *sorted(_facts(game)),
        )
        return PastGame(game, game.players[other], against, title, date, " ".join(words).casefold())

    def _level(self, engine: str) -> str:
        """Return the level that a program with this name and version is, or an empty text."""
        name, _, version = engine.rpartition(" ")
        return name if version and name in self.levels.names else ""


def _facts(game: OwnGame) -> frozenset[str]:
    """Return the words that the search compares as a whole."""
    return frozenset(
        {
            _OUTCOMES[game.outcome],
            tr("rated") if game.rated else tr("casual"),
            tr("private") if game.private else tr("public"),
        }
    )
