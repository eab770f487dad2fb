"""The status of a room, which three kinds of events change.

`TRANSITIONS` lists all allowed changes; `after` refuses any other::

    waiting --match_started--> playing --match_finished--> finished --room_closed--> closed
       |                          ^                           |                        ^
       |                          +-------match_started-------+                        |
       +---------------------------------room_closed-----------------------------------+
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from doublecross.games.api.sentence import Sentence
from doublecross.server.core.errors import wrong_state

Status = Literal["waiting", "playing", "finished", "closed"]
Cause = Literal["match_started", "match_finished", "room_closed"]

_WORDS = Sentence("waiting"), Sentence("playing"), Sentence("finished"), Sentence("closed")
STATUS_WORDS: Final[Mapping[str, Sentence]] = {str(word): word for word in _WORDS}
"""The words for a status in sentences."""

TRANSITIONS: Final[Mapping[tuple[Status, Cause], Status]] = {
    ("waiting", "match_started"): "playing",
    ("playing", "match_finished"): "finished",
    ("finished", "match_started"): "playing",
    ("waiting", "room_closed"): "closed",
    ("finished", "room_closed"): "closed",
}


def after(status: Status, cause: Cause) -> Status:
    """Return the status after an event.

    Raises:
        Refused: `TRANSITIONS` does not allow this change.
    """
    found = TRANSITIONS.get((status, cause))
    if found is None:
        raise wrong_state("The room is {status}; this is not possible now.", STATUS_WORDS[status])
    return found
