"""Read the settings of a bot from a TOML file, and turn them into those of a runner."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from doublecross.bots.api import BotError
from doublecross.bots.registry import BotSpec, checked_spec
from doublecross.bots.runner.config import Engine, RunnerConfig
from doublecross.bots.runner.core.matchmaking import Matchmaking
from doublecross.bots.runner.core.pause import Pause
from doublecross.bots.runner.core.policy import Policy
from doublecross.bots.runner.home.tables import TABLES, BotHome, Table
from doublecross.bots.runner.ready import PlayedBot
from doublecross.games.registry import make_game

_PATHS: Final = ("token_file", "log_folder")
"""The keys whose values are paths, relative to the folder of the file."""
_LOADABLE: Final = frozenset(("accept", "seek", "matchmaking", "think", "pause"))
"""The keys that a running bot can change."""


class HomeError(Exception):
    """Settings are wrong: `key` names them, and `reason` is a sentence about the first of them.

    Without a key the file as a whole is wrong. `trace` is the traceback of a bot.
    """

    def __init__(self, reason: str, key: str = "", trace: str = "") -> None:
        super().__init__(f"{key}: {reason}" if key else reason)
        self.reason = reason
        self.trace = trace


def read_home(file: Path | None, given: Mapping[str, Any]) -> BotHome:
    """Return the settings in `file` (None: only defaults), replaced by those of `given`.

    Raises:
        HomeError: the file cannot be read, or settings are wrong.
    """
    tables = {} if file is None else _tables(file)
    for one, other in (("name", "token_file"), ("token_file", "name")):
        if one in given:
            tables.pop(other, None)
    for key, value in given.items():
        old = tables.get(key)
        tables[key] = old | value if isinstance(old, dict) and isinstance(value, dict) else value
    try:
        return BotHome.model_validate(tables)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        raise _wrong(first["loc"], first["type"], first["msg"]) from None


def _tables(file: Path) -> dict[str, Any]:
    try:
        tables = tomllib.loads(file.read_text("utf-8"))
    except OSError as error:
        raise HomeError(f"it cannot be read: {(error.strerror or str(error)).lower()}.") from None
    except UnicodeDecodeError:
        raise HomeError("it is no text in UTF-8.") from None
    except tomllib.TOMLDecodeError as error:
        raise HomeError(f"it is not TOML: {error}.") from None
    for key in _PATHS:
        if isinstance(tables.get(key), str):
            tables[key] = str(file.parent / Path(tables[key]).expanduser())
    return tables


def _wrong(place: tuple[int | str, ...], kind: str, message: str) -> HomeError:
    """Return the error about the value at `place`, by pydantic's kind of error and message."""
    key = ".".join(str(part + 1) if isinstance(part, int) else part for part in place)
    if kind == "extra_forbidden":
        table: type[Table] = TABLES[str(place[0])] if len(place) > 1 else BotHome
        known = list(table.model_fields)
        near = difflib.get_close_matches(str(place[-1]), known, n=1)
        which = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}."
        return HomeError(f"there is no such key; {which}", key)
    if kind == "missing":
        return HomeError("this key is missing.", key)
    message = message.removeprefix("Value error, ").replace("Input should be", "it must be")
    return HomeError(f"{message.rstrip('.')}.", key)


def changed_home(old: BotHome, new: BotHome) -> tuple[BotHome, list[str]]:
    """Return the settings `new` as a bot that runs with `old` can use them.

    Also return the keys that keep their old values, because they cannot change meanwhile.
    """
    kept = {
        key: getattr(old, key)
        for key in BotHome.model_fields
        if key not in _LOADABLE and getattr(new, key) != getattr(old, key)
    }
    return new.model_copy(update=kept), list(kept)


def runner_config(home: BotHome, token: str | None) -> RunnerConfig:
    """Return the settings of a runner that plays with `token` (None: as a guest).

    Raises:
        HomeError: there is no such bot, or no bot for a game that the settings name.
    """
    engines = tuple(
        Engine(_spec(f"engine.{number}.bot", engine.bot), tuple(engine.games))
        for number, engine in enumerate(home.engine, 1)
    )
    if not engines:
        raise HomeError("name a bot, such as rules.", "engine")
    _check_games(home, engines)
    accept, seek = home.accept, home.seek
    policy = Policy(
        games=tuple(accept.games),
        base_s=accept.time,
        unlimited=accept.time is None,
        rated=accept.rated is not False,
        casual=accept.rated is not True,
        bots=accept.bots,
        people=accept.people,
        only=frozenset(accept.only),
        refused=frozenset(accept.refuse),
        rating=accept.rating,
        at_once=accept.at_once,
        each=accept.each,
        each_day=accept.each_day,
        quiet=tuple(accept.quiet),
        seeks_after_s=0.0 if accept.seeks else None,
        rematches=accept.rematches,
        takebacks=home.takebacks,
    )
    return RunnerConfig(
        server=home.server,
        spec=engines[0].spec,
        engines=engines,
        name=home.name,
        token=token,
        seed=home.seed,
        policy=policy,
        workers=home.workers,
        patience_s=home.wait,
        think_s=home.think,
        pause=Pause() if home.pause else None,
        games=home.leave_after,
        seek=seek.game.model_copy(update={"rated": seek.rated}) if seek else None,
        matchmaking=_matchmaking(home),
        tournament=home.tournament,
    )


def _matchmaking(home: BotHome) -> Matchmaking | None:
    if (making := home.matchmaking) is None:
        return None
    return Matchmaking(
        tuple(each.model_copy(update={"rated": making.rated}) for each in making.games),
        making.idle_minutes,
        making.rating,
        making.again_hours,
    )


def _check_games(home: BotHome, engines: tuple[Engine, ...]) -> None:
    """Refuse a game that nobody plays."""
    named = [("accept.games", each.games()) for each in home.accept.games]
    for number, engine in enumerate(engines, 1):
        named += [(f"engine.{number}.games", each.games()) for each in engine.games]
    matches = [("seek.game", home.seek.game)] if home.seek else []
    matches += [("matchmaking.games", each) for each in getattr(home.matchmaking, "games", ())]
    named += [(key, [make_game(each.game, each.params)]) for key, each in matches]
    for key, games in named:
        if games and not any(PlayedBot(engines, 0).plays(game) for game in games):
            bots = ", ".join(engine.spec.name for engine in engines)
            raise HomeError(f"{games[0].full_title} is a game that {bots} does not play.", key)


def _spec(key: str, text: str) -> BotSpec:
    try:
        return checked_spec(text)
    except BotError as error:
        raise HomeError(str(error), key, error.trace) from None
