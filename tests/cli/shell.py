"""Runs commands in this process against a server that runs in it too."""

from __future__ import annotations

import asyncio
import io
import sys

import pytest

from doublecross.cli.main import main


class Shell:
    """Runs the commands of a family, and returns what they print.

    `options` follow each command. None of `secrets` may ever be printed.
    """

    def __init__(
        self,
        family: str,
        capsys: pytest.CaptureFixture[str],
        monkeypatch: pytest.MonkeyPatch,
        *options: str,
        secrets: tuple[str, ...] = (),
    ) -> None:
        self.options = options
        self._family = family
        self._capsys = capsys
        self._monkeypatch = monkeypatch
        self._secrets = secrets

    async def run(self, line: str, *typed: str, code: int = 0) -> str:
        """Run a command that reads the lines `typed`; return all its output in one line."""
        return " ".join((await self.lines(line, *typed, code=code)).split())

    async def lines(self, line: str, *typed: str, code: int = 0) -> str:
        """Run a command as `run` does; return all its output as it is."""
        self._monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{t}\n" for t in typed)))
        self._capsys.readouterr()  # the log of the server, which runs in this process
        found = await asyncio.to_thread(main, [self._family, *line.split(), *self.options])
        shown = self._capsys.readouterr()
        text = shown.out + shown.err
        assert found == code, text
        assert not any(secret in text for secret in self._secrets)
        return text
