"""Check the words of phrases, how long they are shown, and who may say them."""

from __future__ import annotations

from typing import get_args

import pytest

from doublecross.client.tk.models.latest import LatestSnapshots
from doublecross.client.tk.models.room.parts import RoomParts
from doublecross.client.tk.models.room.phrases import SHOWN_S, RoomPhrases, phrase_words
from doublecross.client.tk.network.thread import GUEST
from doublecross.protocol.client_messages import Phrase
from tests.client.tk.models.rooms import ROBO, SeenRoom
from tests.fakes.rooms import ANN


def test_each_phrase_has_words_of_its_own() -> None:
    assert set(phrase_words()) == set(get_args(Phrase))
    assert len(set(phrase_words().values())) == len(phrase_words())


def test_a_phrase_is_shown_for_some_seconds_until_the_next_one() -> None:
    phrases = RoomPhrases()
    assert phrases.line(1, 10.0) == ""
    phrases.take(1, "oops", 10.0, own=False)
    assert (phrases.line(0, 10.0), phrases.line(1, 10.0)) == ("", "Oops!")
    phrases.take(1, "thanks", 12.0, own=False)
    assert phrases.line(1, 12.0 + SHOWN_S - 0.1) == "Thank you!"
    assert phrases.line(1, 12.0 + SHOWN_S) == ""
    phrases.take(1, "of_a_newer_server", 30.0, own=False)
    assert phrases.line(1, 30.0) == ""
    phrases.take(1, "oops", 30.0, own=False)
    phrases.clear()
    assert phrases.line(1, 30.0) == ""


def test_muted_phrases_of_others_disappear_and_own_ones_stay() -> None:
    phrases = RoomPhrases()
    phrases.take(0, "hello", 10.0, own=True)
    phrases.take(1, "hello", 10.0, own=False)
    phrases.muted = True
    assert (phrases.line(0, 10.0), phrases.line(1, 10.0)) == ("Hello!", "")
    phrases.take(0, "oops", 11.0, own=True)
    phrases.take(1, "oops", 11.0, own=False)
    assert (phrases.line(0, 11.0), phrases.line(1, 11.0)) == ("Oops!", "")
    phrases.muted = False
    assert phrases.line(1, 11.0) == ""
    phrases.take(1, "thanks", 12.0, own=False)
    assert phrases.line(1, 12.0) == "Thank you!"


def parts_of(room: SeenRoom, me: str | None = None) -> RoomParts:
    return RoomParts.begin(room.seen(me=me), LatestSnapshots())


def test_who_may_say_phrases() -> None:
    room = SeenRoom()
    assert parts_of(room).may.speaks
    watched = parts_of(room, "Zoe").may
    assert (watched.phrases_here, watched.speaks) == (True, False)
    shared = parts_of(room)
    shared.model.take(room.seen(GUEST, "Bob"))
    assert not shared.may.phrases_here
    assert not parts_of(SeenRoom(players=(ANN, ROBO))).may.phrases_here
    assert not parts_of(SeenRoom(players=(ANN,))).may.phrases_here
    room.end()
    assert parts_of(room).may.speaks


@pytest.mark.parametrize("on", [True, False])
def test_a_closed_room_has_nobody_to_speak_to(on: bool) -> None:
    parts = parts_of(SeenRoom())
    if on:
        parts.model.gone("The room was closed.")
    assert parts.may.speaks is not on
