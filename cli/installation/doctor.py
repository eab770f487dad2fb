"""Say what this installation has and lacks: `doublecross doctor`."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Final

import typer

from doublecross.cli.shared.console import FAILED, Problem, out, say, say_json
from doublecross.cli.shared.options import AsJson

if TYPE_CHECKING:
    from doublecross.cli.installation.checks import Check

_STYLES: Final = {"ok": "green", "missing": "yellow", "problem": "bold red"}


def doctor(
    server: Annotated[
        str | None,
        typer.Option("--server", "-s", help="Ask this server too, and compare its clock."),
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Say what this installation has, what it lacks, and how to get that.

    What is missing is optional. The exit code is 1 only if there is a problem.

    Example: doublecross doctor --server http://10.0.0.5:8765
    """
    from rich.text import Text

    from doublecross.client.core.address import http_url, server_url

    try:
        address = None if server is None else http_url(server_url(server))
    except ValueError as error:
        raise Problem(str(error)) from None
    found = []
    for check in _checks(address):
        found.append(check)
        if not as_json:
            state = Text(f"{check.state:<9}", _STYLES[check.state])
            out().print(state + Text(f"{check.name:<17}{check.text}"), soft_wrap=True)
    problems = sum(check.state == "problem" for check in found)
    if as_json:
        say_json({"problems": problems, "checks": [asdict(check) for check in found]})
    else:
        say()
        say(f"{problems or 'No'} problem{'' if problems == 1 else 's'}.")
    return FAILED if problems else 0


def _checks(address: str | None) -> Iterator[Check]:
    from importlib.metadata import requires

    from platformdirs import user_state_path

    from doublecross.cli.installation import checks
    from doublecross.protocol.version import DEFAULT_PORT
    from doublecross.server.data_folder import data_folder

    program = checks.check_program()
    yield program
    if program.state == "ok":
        yield from checks.check_extras(requires("doublecross") or (), checks.installed_version)
    yield checks.check_kernels()
    yield checks.check_window()
    yield checks.check_terminal(sys.stdout.encoding)
    yield checks.check_page()
    yield checks.check_folder("data folder", data_folder())
    yield checks.check_folder("state folder", user_state_path("doublecross"))
    yield checks.check_port(DEFAULT_PORT)
    yield checks.check_clock(data_folder(), time.time())
    if address is not None:
        yield checks.check_server(address)
