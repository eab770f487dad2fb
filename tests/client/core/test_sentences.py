"""Tests of the sentences that a server sends."""

from __future__ import annotations

import json

from doublecross.client.core.sentences import refusal_in, sentence_of
from doublecross.client.language import said
from doublecross.protocol.server_messages import Failed


def test_no_sentence_of_a_hostile_server_controls_the_terminal() -> None:
    inner = {"one": "in\x07ner", "values": {}}
    phrase = {"one": "a\x1b[31m{x}\n{y}", "values": {"x": "b\x9b", "y": inner}}
    refused, code = refusal_in(json.dumps({"error": "c\nd", "phrase": phrase}))
    message = {"type": "error", "id": 1, "code": "bad_message", "message": "c", "phrase": phrase}
    failed = sentence_of(Failed.model_validate(message))
    assert [str(refused), said(refused), str(failed)] == ["a [31mb in ner"] * 3
    assert code == ""
    assert refusal_in('{"error": "c\\nd", "code": "full"}') == ("c d", "full")
