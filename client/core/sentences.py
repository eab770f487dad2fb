"""Read the sentences of the server's messages."""

from __future__ import annotations

import json

from doublecross.games.api.sentence import Sentence
from doublecross.protocol.server_messages import Failed, MatchResult, RoomClosed, TournamentState
from doublecross.protocol.text import one_line


def sentence_of(message: Failed | MatchResult | RoomClosed | TournamentState) -> Sentence:
    """Return what a message says to people, with what translations of it need."""
    fields = message.model_dump(include={"message", "reason", "note", "phrase"})
    phrase = fields.pop("phrase")
    (text,) = fields.values()
    return Sentence.read(text, phrase)


def refusal_in(body: str) -> tuple[Sentence, str]:
    """Return the sentence and the code, or an empty one, of an HTTP answer that refuses.

    Raises:
        ValueError: it is no such answer.
    """
    try:
        found = json.loads(body)
        sentence = Sentence.read(one_line(str(found["error"])), found.get("phrase"))
        return sentence, str(found.get("code") or "")
    except (LookupError, TypeError, AttributeError):
        raise ValueError("no refusal") from None
