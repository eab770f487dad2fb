"""Check whether bots exist, and under which names they would play, as a child process.

Its argument is a JSON list of bot specs. It answers with one line of JSON: ``what`` is ``checked``,
with the names, or ``problem`` with a sentence and the bot's traceback. It imports the bots, but
nothing that plays them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable

from doublecross.bots.api import BotError
from doublecross.bots.names import numbered, player_name
from doublecross.bots.registry import checked_spec, player_name_of
from doublecross.processes.parent import Parent


def names_of(specs: Iterable[str]) -> list[str]:
    """Return names for bots that play on one server: their own, with a number from the second on.

    Raises:
        BotError: a bot does not exist or does not have these options, or there are too many alike.
    """
    names: list[str] = []
    for text in specs:
        spec = checked_spec(text)
        name = player_name(player_name_of(spec.name))
        taken = {other.casefold() for other in names}
        free = next((n for n in numbered(name) if n.casefold() not in taken), None)
        if free is None:
            raise BotError(f"There are too many bots with the name {name}.")
        names.append(free)
    return names


def main() -> int:
    """Check the bots of the argument and return the exit code."""
    parent = Parent()
    parent.listen()
    try:
        parent.send({"what": "checked", "names": names_of(json.loads(sys.argv[1]))})
    except BotError as error:
        parent.send({"what": "problem", "sentence": str(error), "trace": error.trace})
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
