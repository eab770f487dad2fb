"""The formats that there are: one line each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from protocol.common import FormatKey
from server.tournament.formats.api import Format
from server.tournament.formats.knockout import Knockout
from server.tournament.formats.ladder import Ladder
from server.tournament.formats.round_robin import Gauntlet, RoundRobin
from server.tournament.formats.swiss import Swiss

FORMATS: Final[Mapping[FormatKey, type[Format]]] = {
    "round-robin": RoundRobin,
    "gauntlet": Gauntlet,
    "swiss": Swiss,
    "knockout": Knockout,
    "ladder": Ladder,
}
