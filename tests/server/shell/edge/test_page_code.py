"""The page's code without comments is the same code."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from server.shell.page.code import without_comments
from tests.client.web.harness.node import NEED, give_up

ROOT = Path(__file__).resolve().parents[4]
WEB = ROOT / "client" / "web"


def test_comments_with_lines_of_their_own_are_left_out() -> None:
    source = b"""/** One. */
import a from "a"; // stays
  // Two.
/**
 * Three * of
 * /several lines.
 */
const b = "/* no */ // no"; /* stays */
const c = 4
/ 2 /* stays
*/ / 1;
"""
    left = without_comments("app/a.js", source)
    lines = [line for line in left.split(b"\n") if line]
    assert lines == [
        b'import a from "a"; // stays',
        b'const b = "/* no */ // no"; /* stays */',
        b"const c = 4",
        b"/ 2 /* stays",
        b"*/ / 1;",
    ]
    assert left.count(b"\n") == source.count(b"\n")


def test_css_has_only_blocks() -> None:
    assert without_comments("style/a.css", b"/* a */\n//b\nc {}\n") == b"\n//b\nc {}\n"


@pytest.mark.parametrize("name", ["vendor/a.js", "a.svg", "a.json"])
def test_other_files_stay_as_they_are(name: str) -> None:
    assert without_comments(name, b"/* a */\n// b\n") == b"/* a */\n// b\n"


@pytest.mark.processes
def test_the_tokens_of_the_whole_page_stay_in_their_lines(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        give_up("There is no Node.js: apt-get install nodejs npm", NEED)
    for path in WEB.rglob("*.js"):
        name = path.relative_to(WEB)
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(without_comments(name.as_posix(), path.read_bytes()))
    command = [node, "--expose-internals", str(ROOT / "tests" / "node" / "tokens.mjs")]
    done = subprocess.run(
        [*command, str(WEB), str(tmp_path)], capture_output=True, text=True, timeout=50
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
