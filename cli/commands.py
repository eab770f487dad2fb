"""The commands of `doublecross`, and how one of them is loaded when it is called.

A command that runs waits for its own modules only, and the list of commands for none of them.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, Final

import typer

from doublecross.cli.shared.family import Family, add, alone

Table = dict[str, dict[str, tuple[str, str]]]

COMMANDS: Final[Table] = {
    "Play and watch": {
        "play": (
            "play.play",
            "Play in a window: against people on a server, against bots, or two at one screen.",
        ),
        "demo": (
            "tournament.demo",
            "Watch bots play a tournament of Dots and Boxes, and then the final on a live board.",
        ),
        "rooms": ("watch.rooms", "List the open rooms, the seeks and the players of a server."),
        "watch": ("watch.watch", "Watch a room until its match is over."),
        "account": (
            "account.account",
            "Log in to a server, set your password, make tokens, and add bots to your account.",
        ),
        "desktop": (
            "installation.desktop",
            "Add Doublecross and files of records to the menus of your desktop, or remove them.",
        ),
    },
    "Learn from games": {
        "review": (
            "review.review",
            "Say what each move of a game cost, where the game turned, and why.",
        ),
        "analyse": (
            "analysis.analyse",
            "Solve a position of Dots and Boxes: its value, the best edges, the value of each"
            " edge.",
        ),
        "replay": (
            "watch.replay",
            "Step through a finished game, or make a picture of it.",
        ),
        "export": (
            "watch.export",
            "Write the records of all finished public games to one file, oldest first.",
        ),
        "convert": (
            "watch.convert",
            "Convert records: CSV, JSON Lines, OpenSpiel's text and littlegolem.net's lists of"
            " moves.",
        ),
        "lessons": (
            "analysis.lessons",
            "List the lessons of the course, or check lessons that you have written.",
        ),
        "puzzles": ("analysis.puzzles", "Make puzzles from games of bots, and check them."),
        "stats": (
            "analysis.stats",
            "Measure textbook searches: value, size of the tree and time for each depth.",
        ),
    },
    "Bots and how strong they are": {
        "games": ("play.lists", "List the games and their sizes."),
        "bots": ("play.lists", "List the bots and their options."),
        "bot": ("play.bot", "Let a bot join a server and play everybody who challenges it."),
        "bot-config": (
            "play.bot_config",
            "Write a file with the settings of a bot, for doublecross bot --config.",
        ),
        "engine": (
            "engine.engine",
            "Check programs that play over standard input and output, or let a bot be one:"
            " doublecross engine champion",
        ),
        "match": ("play.match", "Let two bots play a match."),
        "arena": ("arena.arena", "Measure two bots against each other."),
        "sprt": (
            "arena.sprt",
            "Decide between two Elo differences with as few games as possible.",
        ),
        "gauntlet": ("arena.gauntlet", "Measure one bot against several others."),
        "openings": (
            "arena.openings",
            "Make files of openings for arena, sprt, match and ladder.",
        ),
        "tune": ("arena.tune", "Search for better values of a bot's options."),
        "train": ("train.train", "Train a network for the bot zero, or continue a run."),
    },
    "Tournaments": {
        "tournament": (
            "tournament.tournament",
            "Organise tournaments on a server, enter bots, see tables and reports.",
        ),
        "ladder": (
            "tournament.ladder",
            "Let bots play a tournament on a server that is started for it, and report the result.",
        ),
    },
    "Host a server": {
        "serve": ("serve.serve", "Run a server."),
        "admin": (
            "admin.admin",
            "Manage a server: see who is there, kick, ban, close rooms, announce, make admins.",
        ),
        "backup": (
            "database.backup",
            "Save everything that a server keeps in one file: its database, its key for"
            " signatures, and the tokens of its bots.",
        ),
        "restore": (
            "database.restore",
            "Restore what doublecross backup saved, and check that it is whole.",
        ),
        "database": ("database.database", "Check, copy or upgrade the database of a server."),
        "keys": (
            "account.keys",
            "Make, show or replace the key with which a server signs records; make one for pushes.",
        ),
        "cluster": (
            "cluster.cluster",
            "Try a server of several processes, which loses no game when one of them dies.",
        ),
        "load": ("serve.load", "Measure how many games a server can carry."),
        "doctor": (
            "installation.doctor",
            "Say what this installation has, what it lacks, and how to get that.",
        ),
    },
}
"""By section and name, the module below `doublecross.cli` and the first sentence of the help. The
module has an `app` with commands of its own, or a function of the command's name."""


class Commands(Family):
    """Loads a command when somebody asks for it."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self._known = {name: about for part in COMMANDS.values() for name, about in part.items()}
        # Who mistypes a name is shown the most similar ones of these.
        self.commands: dict[str, Any] = dict.fromkeys(self._known)

    def get_command(self, ctx: object, cmd_name: str) -> Any:
        """Return a command; None if there is none of this name."""
        if cmd_name in self._known and self.commands[cmd_name] is None:
            self.commands[cmd_name] = _load(cmd_name, *self._known[cmd_name])
        return self.commands.get(cmd_name)

    def format_commands(self, ctx: object, formatter: Any) -> None:
        """Write the list of commands by section, without loading them."""
        for title, part in COMMANDS.items():
            with formatter.section(title):
                formatter.write_dl([(name, summary) for name, (_, summary) in part.items()])


def _load(name: str, module: str, summary: str) -> Any:
    found = import_module(f"doublecross.cli.{module}")
    app: typer.Typer | None = getattr(found, "app", None)
    if app is not None:
        group = typer.main.get_group(app)
        group.help = group.help or summary
        return group
    app = alone()
    command: Callable[..., Any] = getattr(found, name.replace("-", "_"))
    if name == "serve":
        from doublecross.cli.settings.options import add_with_settings

        add_with_settings(app, command)
    else:
        add(app, command)
    return typer.main.get_command(app)
