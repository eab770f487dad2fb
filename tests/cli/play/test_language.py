"""The window's language: the one chosen in the settings, or that of the desktop."""

from __future__ import annotations

import subprocess
import sys

import pytest

from doublecross.cli.play.play import language_of

_LOADED = """
import sys
import doublecross.cli.main, doublecross.cli.play.play
import doublecross.client.tk.home, doublecross.client.language
texts = sorted(
    name for name, module in sys.modules.items()
    if name.startswith(("doublecross.client.tk", "doublecross.cli."))
    and {"tr", "plural"} & set(vars(module))
)
print(texts)
"""


def test_nothing_is_translated_before_the_language_is_chosen() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", _LOADED], capture_output=True, text=True, timeout=50, check=True
    )
    assert ran.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("chosen", "desktop", "language"),
    [
        ("nl", {"LANG": "de_DE.UTF-8"}, "nl"),
        ("", {"LANG": "de_DE.UTF-8"}, "de"),
        ("", {"LANG": "de_DE.UTF-8", "LC_ALL": "fr_BE.UTF-8"}, "fr"),
        ("", {"LANG": "de_DE.UTF-8", "LANGUAGE": "pt:es:fr"}, "es"),
        ("", {"LANG": "C.UTF-8"}, "en"),
        ("klingon", {"LANG": "de_DE.UTF-8"}, "de"),
    ],
)
def test_the_settings_come_before_the_desktop(
    chosen: str, desktop: dict[str, str], language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in desktop.items():
        monkeypatch.setenv(name, value)
    assert language_of(chosen) == language
