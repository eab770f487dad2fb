"""The table of all tournament formats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from doublecross.protocol.common import FormatKey
from doublecross.server.tournaments.core.formats.api import Format
from doublecross.server.tournaments.core.formats.arena import Arena
from doublecross.server.tournaments.core.formats.knockout import Knockout
from doublecross.server.tournaments.core.formats.ladder import Ladder
from doublecross.server.tournaments.core.formats.round_robin import Gauntlet, RoundRobin
from doublecross.server.tournaments.core.formats.swiss import Swiss

FORMATS: Final[Mapping[FormatKey, type[Format]]] = {
    "round-robin": RoundRobin,
    "gauntlet": Gauntlet,
    "swiss": Swiss,
    "knockout": Knockout,
    "ladder": Ladder,
    "arena": Arena,
}
