"""The page's code without comments and space, and in packs, is the same code."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from doublecross.server.shell.page.code import smaller_script, smaller_style
from doublecross.server.shell.page.document import LIBRARIES, MAIN
from doublecross.server.shell.page.graph import read_modules
from tests.client.web.harness.node import NEED, give_up

ROOT = Path(__file__).resolve().parents[4]
WEB = ROOT / "client" / "web"


@pytest.mark.parametrize(
    ("source", "left"),
    [
        ("/** One. */\nimport a from 'a'; // two\n  // Three.\nb ( )", "import a from'a';b()"),
        ("a\n/* / */ = 4 /* x */ / 2 / 1", "a\n=4 / 2 / 1"),
        ("return /* a\n */ b", "return\nb"),
        ('const b = "/* no */ // no  =  no";', 'const b="/* no */ // no  =  no";'),
        ("c = `  ${ d ( `{ ${ e } ` ) } // no `\nf", "c=`  ${ d(`{ ${ e} `)} // no `\nf"),
        ("html`<p>\n    a  ${b}\n  c`", "html`<p>\na  ${b}\nc`"),
        ("html`${`\n  a`}\n  b`", "html`${`\n  a`}\nb`"),
        ("x.html`\n  a`", "x.html`\n  a`"),
        ("g = h.match( / [/*'`] \\/ /u ) / 2", "g=h.match(/ [/*'`] \\/ /u)/ 2"),
        ("return /* c */ / a  b / ;", "return/ a  b /;"),
        ("`${/a  b/.test(c)} ${d / 2 / 1}`", "`${/a  b/.test(c)} ${d / 2 / 1}`"),
        ("await /a  b/; throw /c  d/", "await/a  b/;throw/c  d/"),
        ("if (a) {\n  b\n}\nc + +d", "if(a){b}\nc + +d"),
        ("a + b - -c - (d * 'e') + - f", "a+b - -c -(d *'e')+ - f"),
    ],
)
def test_a_script_loses_comments_and_space(source: str, left: str) -> None:
    assert smaller_script(source) == left


@pytest.mark.parametrize("source", ["\n\nconst a = `b ${c}", "\n\na = 'b\n'", '\n\n"'])
def test_code_without_an_end_is_refused(source: str) -> None:
    with pytest.raises(ValueError, match="in line 3 has no end"):
        smaller_script(source)


@pytest.mark.parametrize(
    ("source", "left"),
    [
        ("a { content: '/* b; } */' } /* c's */ d {}", "a{content:'/* b; } */'}d{}"),
        ('/* a */\n\nb {\n  c: ", /";\n}\n//d\n', 'b{c:", /"}//d'),
        # In front of a colon, and around a sign, space has a meaning.
        ("a :hover,\nb > c {\n  d: calc(1px + 2px) e;\n  f: g, h;\n}", None),
    ],
)
def test_a_style_loses_comments_and_space(source: str, left: str | None) -> None:
    assert smaller_style(source) == (left or "a :hover,b > c{d:calc(1px + 2px) e;f:g,h}")


@pytest.mark.processes
def test_the_syntax_trees_of_the_whole_page_stay(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        give_up("There is no Node.js: apt-get install nodejs npm", NEED)
    texts = {
        path.relative_to(WEB).as_posix(): path.read_text("utf-8") for path in WEB.rglob("*.js")
    }
    modules = read_modules(texts, LIBRARIES, MAIN)
    for name, text in texts.items():
        copy = tmp_path / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        code = modules[name].code if name in modules else smaller_script(text)
        copy.write_text(code, "utf-8")
    command = [node, "--expose-internals", str(ROOT / "tests" / "node" / "trees.mjs")]
    done = subprocess.run(
        [*command, str(WEB), str(tmp_path)], capture_output=True, text=True, timeout=50
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
