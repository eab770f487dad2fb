"""The phrases that players say: their words, and how long each one is shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from doublecross.client.language import tr
from doublecross.protocol.client_messages import Phrase

SHOWN_S: Final = 8.0
"""How long a phrase is shown, in seconds."""


def phrase_words() -> Mapping[Phrase, str]:
    """Return the words of each phrase, in the order of a match."""
    return {
        "hello": tr("Hello!"),
        "good_luck": tr("Good luck!"),
        "have_fun": tr("Have fun!"),
        "nice_move": tr("Nice move!"),
        "oops": tr("Oops!"),
        "thanks": tr("Thank you!"),
        "well_played": tr("Well played!"),
        "good_game": tr("Good game!"),
        "one_more": tr("One more?"),
        "goodbye": tr("Goodbye!"),
    }


class RoomPhrases:
    """The last phrases of the players of a room. While `muted`, those of others are dropped."""

    def __init__(self) -> None:
        self._muted = False
        self._said: dict[int, tuple[str, float, bool]] = {}
        self._words: Mapping[str, str] = {str(code): text for code, text in phrase_words().items()}

    @property
    def muted(self) -> bool:
        """Return whether the phrases of others are dropped."""
        return self._muted

    @muted.setter
    def muted(self, on: bool) -> None:
        self._muted = on
        if on:
            self._said = {seat: said for seat, said in self._said.items() if said[2]}

    def take(self, seat: int, phrase: str, now: float, *, own: bool) -> None:
        """Note what `seat` said at `now`, in seconds; `own` says that it belongs to this window.

        Phrases of a newer server, which have no words here, are dropped.
        """
        text = self._words.get(phrase)
        if text is not None and (own or not self._muted):
            self._said[seat] = text, now + SHOWN_S, own

    def line(self, seat: int, now: float) -> str:
        """Return the words of `seat` that are shown at `now`, in seconds; usually empty."""
        text, until, _ = self._said.get(seat, ("", now, False))
        return text if now < until else ""

    def clear(self) -> None:
        """Forget everything, because another match begins and the seats have changed."""
        self._said.clear()
