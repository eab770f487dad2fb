"""Tests that backup, restore, export and admin find the database in the server's settings."""

from __future__ import annotations

from pathlib import Path

import pytest

from doublecross.cli.main import main


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    file = tmp_path / "serve.toml"
    file.write_text('database = "file.db"\n')
    return file


def test_the_commands_use_the_database_of_the_file(
    settings: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(line: str) -> tuple[int, str]:
        code = main([*line.split(), "--settings", str(settings)])
        captured = capsys.readouterr()
        return code, captured.out + captured.err

    assert run("admin register Boss --create")[0] == 0
    assert Path("file.db").is_file()
    assert run("export") == (0, "No finished public game is like that.\n")
    assert run("backup saved.tar")[0] == 0
    code, said = run("restore saved.tar")
    assert (code, "file.db exists already" in said) == (2, True)
    for file in Path().glob("file.db*"):
        file.unlink()
    code, said = run("restore saved.tar")
    assert (code, "--database file.db" in said) == (0, True)
    assert run("export --database other.db")[1].startswith("Error: There is no database other.db")
    assert run("export --server 127.0.0.1:1") == (
        2,
        "Error: Use --server or --settings, not both.\n",
    )


@pytest.mark.parametrize(
    "line", ["backup saved.tar", "restore saved.tar", "admin register Boss", "export"]
)
def test_a_wrong_file_gets_the_sentences_of_the_server(
    line: str, settings: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.write_text('database = "file.db"\nport = 70000\ncolour = "red"\n')
    said = []
    for command in ("serve", line):
        assert main([*command.split(), "--settings", str(settings)]) == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        said.append(captured.err)
    assert said[0] == said[1]
    assert said[0].count("\n") == 2
    assert f"{settings} line 2: port must be from 0 to 65535" in said[0]
    assert main([*line.split(), "--settings", "missing.toml"]) == 2
    assert capsys.readouterr().err == "Error: --settings: there is no file missing.toml.\n"
