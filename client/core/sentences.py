"""Read the sentences of the server's messages."""

from __future__ import annotations

import json
from typing import Any

from doublecross.games.api.sentence import Sentence
from doublecross.protocol.server_messages import Failed, MatchResult, RoomClosed, TournamentState
from doublecross.protocol.text import one_line


def sentence_of(message: Failed | MatchResult | RoomClosed | TournamentState) -> Sentence:
    """Return what a message says to people, with what translations of it need."""
    fields = message.model_dump(include={"message", "reason", "note", "phrase"})
    phrase = fields.pop("phrase")
    (text,) = fields.values()
    return Sentence.read(one_line(text), _in_one_line(phrase))


def refusal_in(body: str) -> tuple[Sentence, str]:
    """Return the sentence and the code, or an empty one, of an HTTP answer that refuses.

    Raises:
        ValueError: it is no such answer.
    """
    try:
        found = json.loads(body)
        sentence = Sentence.read(one_line(str(found["error"])), _in_one_line(found.get("phrase")))
        return sentence, str(found.get("code") or "")
    except (LookupError, TypeError, AttributeError):
        raise ValueError("no refusal") from None


def _in_one_line(phrase: Any) -> Any:
    """Return a phrase whose texts are safe to show on a terminal; a server may be hostile."""
    if isinstance(phrase, dict):
        return {name: _in_one_line(each) for name, each in phrase.items()}
    return one_line(phrase) if isinstance(phrase, str) else phrase
