"""Give commands the options of settings, or read the settings for a command without them."""

from __future__ import annotations

import inspect
import re
from functools import cache, wraps
from typing import TYPE_CHECKING, Annotated, Any, Final, NoReturn

import typer
from typer.core import TyperCommand

from doublecross.cli.shared.console import BAD_INPUT, print_error
from doublecross.cli.shared.family import alone, help_text
from doublecross.cli.shared.options import bots
from doublecross.cli.shared.parsing import need_server_packages

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pydantic.fields import FieldInfo

    from doublecross.cli.settings.load import Loaded
    from doublecross.server.shell.settings import ServerSettings

SettingsOption = Annotated[
    str | None,
    typer.Option(
        "--settings",
        help="TOML file with the server's settings.",
        metavar="FILE",
        show_default="DOUBLECROSS_SETTINGS",
    ),
]
"""The option that names a file of settings, for commands that need the server's database."""
_HELP: Final = re.compile(r"--help|-\w*h\w*")
"""What may ask for help: `-vh` does."""
_METAVARS: Final = {"integer": "<int>", "number": "<float>", "string": "<str>", "path": "FILE"}


def settings_of(database: str | None, settings_file: str | None) -> ServerSettings:
    """Return the settings of a server, for a command that is not `serve`.

    `database` is the value of the option ``--database``, or None.
    """
    return load_or_refuse({"database": database}, settings_file).settings


def load_or_refuse(flags: Mapping[str, object], settings_file: str | None) -> Loaded:
    """Load settings; wrong ones end the command with a line for each."""
    from doublecross.cli.settings.file import WrongSettingsError
    from doublecross.cli.settings.load import load

    try:
        return load(flags, settings_file)
    except WrongSettingsError as error:
        refuse(error.args)


def refuse(sentences: Sequence[str]) -> NoReturn:
    """End the command with one line for each of these problems."""
    for sentence in sentences:
        print_error(sentence)
    raise typer.Exit(BAD_INPUT)


def add_with_settings(app: typer.Typer, command: Callable[..., Any]) -> None:
    """Add a command that has an option for each setting which declares one.

    It gets their values by setting, None for an option that is not there. The options are made when
    the command runs: other commands need no packages of the server, and do not wait for them.
    """

    class WithSettings(TyperCommand):
        def whole(self, *, explained: bool = True) -> Any:
            return _whole(command, explained)

        def make_context(
            self, info_name: str | None, args: list[str], *rest: Any, **extra: Any
        ) -> Any:
            need_server_packages()
            # Only help and completions show what the options mean, and to say it takes a while.
            explained = extra.get("resilient_parsing") or any(map(_HELP.fullmatch, args))
            whole = self.whole(explained=explained)
            return whole.make_context(info_name, args, *rest, **extra)

    app.command(command.__name__, help=help_text(command), cls=WithSettings)(lambda: None)


@cache
def _whole(command: Callable[..., Any], explained: bool) -> Any:
    """Return a command with the options of settings before its own, `explained` or not."""
    from doublecross.server.shell.settings import ServerSettings, about

    own = inspect.signature(command, eval_str=True).parameters.values()
    parameters = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=None,
            annotation=_option(name, field, explained),
        )
        for name, field in ServerSettings.model_fields.items()
        if about(field).option
    ]
    parameters += [each for each in own if each.kind is inspect.Parameter.KEYWORD_ONLY]

    @wraps(command)
    def whole(**given: Any) -> Any:
        return command(**given)

    whole.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    app = alone()
    app.command(help=help_text(command))(whole)
    return typer.main.get_command(app)


def _option(name: str, field: FieldInfo, explained: bool) -> Any:
    """Return the annotation of a parameter for a setting.

    Values come as texts, so that all settings are checked at once and in the same words.
    """
    from doublecross.server.shell.settings import about

    said = about(field)
    option = typer.Option(
        *said.option.split(),
        autocompletion=bots if name == "bots" else None,
        **(_explanation(name, field) if explained else {}),
    )
    kind: Any = list[str] if said.separator else str
    return Annotated[(bool if field.annotation is bool else kind) | None, option]


def _explanation(name: str, field: FieldInfo) -> dict[str, Any]:
    """Return what the help shows of an option."""
    from doublecross.cli.settings.sentences import kind_of, literal
    from doublecross.cli.settings.show import meaning
    from doublecross.server.shell.settings import about, default_of

    said, value = about(field), default_of(field)
    text = re.sub(r"\[([^]]*)\]\([^)]*\)|`", r"\1", meaning(name))
    return {
        "help": f"{text} Can be repeated." if said.separator else text,
        "metavar": said.metavar or _METAVARS.get(kind_of(name)),
        "show_default": literal(value).strip('"') if value else False,
    }
