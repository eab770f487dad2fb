"""Say how to add optional packages to this installation.

No package index has doublecross, so a command with the bare name would install whatever a stranger
registers under it. The command names the source that this installation came from instead, which
installers write down (PEP 610).
"""

from __future__ import annotations

import json
import os
import shlex
import sys
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit, urlunsplit


def how_to_add(*extras: str) -> str:
    """Return the command that adds these extras; in words if the source is not known."""
    environment = Path(sys.prefix)
    try:
        names = ",".join(dict.fromkeys((*_lost(environment), *extras)))
        arguments = _arguments(names, _origin())
    except (KeyError, ValueError):
        listed = " and ".join(filter(None, (", ".join(extras[:-1]), extras[-1])))
        kind = "extra" if len(extras) == 1 else "extras"
        return f"install the {kind} {listed} from where you got doublecross"
    return shlex.join((*_installer(environment), *arguments))


def _installer(environment: Path) -> tuple[str, ...]:
    """Return the command that installs into the environment of this program."""
    if (environment / "pipx_metadata.json").exists():
        return "pipx", "install", "--force"
    if (environment / "uv-receipt.toml").exists():
        return "uv", "tool", "install", "--force"
    config = environment / "pyvenv.cfg"
    if config.exists() and "\nuv = " in config.read_text():
        active = os.environ.get("VIRTUAL_ENV") == str(environment)
        return "uv", "pip", "install", *(() if active else ("--python", str(environment)))
    import shutil  # slow, and nearly all processes have what they need

    pip = shutil.which("pip")
    if pip is not None and Path(pip).parent == Path(sys.executable).parent:
        return "pip", "install"
    return sys.executable, "-m", "pip", "install"


def _lost(environment: Path) -> list[str]:
    """Return the extras that installing would remove: uv keeps those that its command names."""
    receipt = environment / "uv-receipt.toml"
    if not receipt.exists():
        return []
    import tomllib  # slow, as above

    required = tomllib.loads(receipt.read_text())["tool"]["requirements"]
    return [extra for each in required for extra in each.get("extras", ())]


def _origin() -> dict[str, Any]:
    """Return where this installation came from; empty if nothing says so."""
    from importlib.metadata import distributions  # slow, as above

    # In the folder of a clone the first one found is that of a build, without an origin.
    for found in distributions(name="doublecross"):
        if text := found.read_text("direct_url.json"):
            origin: dict[str, Any] = json.loads(text)
            return origin
    return {}


def _arguments(names: str, origin: dict[str, Any]) -> tuple[str, ...]:
    """Return what follows the installer's command.

    Raises:
        KeyError, ValueError: nothing can be installed from this origin.
    """
    parts = urlsplit(origin["url"])
    if parts.scheme == "file":
        from urllib.request import url2pathname  # slow, as above

        path = Path(url2pathname(parts.path))
        if not path.exists():
            raise ValueError(f"{path} is gone")
        if origin.get("dir_info", {}).get("editable"):
            return ("-e", f"{path}[{names}]")
    if parts.query:
        raise ValueError("a query can have a password")
    user, _, host = parts.netloc.rpartition("@")
    # Any other name can be a token. The fragment of an archive is a hash.
    parts = parts._replace(netloc=parts.netloc if user == "git" else host, fragment="")
    source = urlunsplit(parts)
    if vcs := origin.get("vcs_info"):
        source = f"{vcs['vcs']}+{source}@{vcs['commit_id']}"
    if folder := origin.get("subdirectory"):
        source += f"#subdirectory={quote(folder)}"
    return (f"doublecross[{names}] @ {source}",)
