"""The packs of the page: what is in them, what they refuse, and that they do what its files do."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from doublecross.server.shell.page.document import LIBRARIES, MAIN
from doublecross.server.shell.page.graph import read_modules
from doublecross.server.shell.page.joined import STYLE, joined
from doublecross.server.shell.page.module import PackError
from doublecross.server.shell.page.packs import PLANS, loaded, packed
from tests.client.web.harness.node import NEED, give_up

ROOT = Path(__file__).resolve().parents[4]
WEB = ROOT / "client" / "web"
NODE = ROOT / "tests" / "node"


def pack_text(name: str, **sources: str) -> str:
    """Return a pack of a page with these modules, whose names have no ending."""
    return packed({f"{path}.js": text for path, text in sources.items()}, {}, "main.js")[name].text


def test_a_module_becomes_a_function_that_returns_its_exports() -> None:
    text = pack_text(
        "main.js",
        main='import "./a.js";\nimport one from "./b.js";\n'
        'import { two as three } from "./b.js";\nrun(one, three);',
        a='export { two as four } from "./b.js";\nexport class A {}',
        b="const five = 5;\nexport { five as two };\nexport default function () {}\n[five]",
    )
    assert text.split("\n") == [
        "const $b=(()=>{const five=5;function default_(){}",
        "[five]",
        "return{default:default_,two:five}})();",
        "const $a=(()=>{class A{}",
        "return{A,four:$b.two}})();",
        "const $main=(()=>{const{default:one}=$b;const{two:three}=$b;run(one,three);",
        "return{}})();",
        "export{};",
    ]


def test_a_default_function_keeps_its_name_and_is_there_from_the_start() -> None:
    text = pack_text("main.js", main="run();\nexport default function run() {}")
    assert "{run();function run(){}\nreturn{default:run}}" in text


def test_a_dynamic_import_loads_all_that_the_pack_needs_at_once() -> None:
    pages = {"pages/room": 'import "../b.js";', "pages/wall": 'import "../b.js";', "b": ""}
    main = 'export const a = [() => import("./pages/room.js"), () => import("./pages/wall.js")];'
    text = pack_text("main.js", main=main, **pages)
    assert (
        '()=>Promise.all([import("./room.js"),import("./board.js")]).then(([pack])=>pack.$room)'
    ) in text
    again = {**pages, "pages/room": 'import "../b.js";\nimport("./wall.js");'}
    assert (
        'Promise.all([import("./more.js"),import("./parts.js")]).then(([pack])=>pack.$wall);'
    ) in pack_text("room.js", main=main, **again)


def test_the_address_of_a_module_stays() -> None:
    text = pack_text("main.js", main='import "./net/a.js";', **{"net/a": "a(import.meta.url);"})
    assert 'a(new URL("../net/a.js",import.meta.url).href);' in text


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("export let a = 1;", "has a statement that packs do not know: export let a=1;"),
        ("export const { a } = b;", "packs do not know: export const"),
        ("export * from './a.js';", r"packs do not know: export \*"),
        ("export default 1;", "packs do not know: export default 1;"),
        ('import * as a from "./a.js";', r"packs do not know: import \* as a"),
        ('const b = 1;\nimport { a } from "./a.js";', "packs do not know: import{a}from"),
        ('const b = 1;\nexport { a } from "./a.js";', "packs do not know: export{a}from"),
        ("let a = 1;\nexport { a };", "must not export a, which may change: use const"),
        ("a = `;\nexport const b = 1;`;", "a text that looks like a statement: export const b"),
        ('a = "import(1)";', r"a text that looks like a statement: import\(1\)"),
        ("a = 'import.meta.url';", "a text that looks like a statement: import.meta"),
        ("a = import.meta.env;", "packs do not know: import.meta.env"),
        ("import(`./${a}.js`);", "must name the module that it imports: import"),
        ('import "react";', 'imports "react", which is no library of the page'),
        ('import "./no.js";', "main.js imports no.js, which is not there"),
        ('import("./no.js");', "main.js imports no.js, which is not there"),
        ('import { b } from "./a.js";', "main.js imports b from a.js, which lacks it"),
        ('import "./circle.js";', "in a circle: main.js -> circle.js -> main.js"),
        ("a = `b", "main.js cannot be read: what begins with ` in line 1 has no end"),
    ],
)
def test_what_a_pack_cannot_do_is_refused(source: str, why: str) -> None:
    with pytest.raises(PackError, match=why):
        pack_text("main.js", main=source, a="export const a = 1;", circle='import "./main.js";')


@pytest.mark.parametrize(
    ("style", "why"),
    [
        ("a { background: url(../b.svg) }", "one.css has url\\(../b.svg\\)"),
        ("a { background: url( 'b.svg' ) }", "one.css has url"),
        ('@import "b.css";', "one.css has @import"),
        ('@charset "utf-8";', "one.css has @charset"),
    ],
)
def test_a_style_that_would_change_among_others_is_refused(style: str, why: str) -> None:
    files = {"main.js": b"", "one.css": style.encode()}
    with pytest.raises(PackError, match=why):
        joined('<link rel="stylesheet" href="{{web}}/one.css">', files)


def test_a_style_may_name_addresses_that_stay() -> None:
    style = 'a { mask: url(#b); c: url("data:image/png,d"); e: url(/f) } /* url(g) */'
    files = {"main.js": b"", "one.css": style.encode()}
    files |= {"two.css": b"a  {  b: url(c)  }"}
    template, served, _ = joined('<link rel="stylesheet" href="{{web}}/one.css">', files)
    assert served["two.css"] == b"a{b:url(c)}"  # the document does not name it
    left = 'a{mask:url(#b);c:url("data:image/png,d");e:url(/f)}'
    assert served[STYLE].decode() == left
    assert template == '<link rel="stylesheet" href="{{web}}/packs/style.css">\n'


def test_the_document_names_no_style_that_is_missing() -> None:
    with pytest.raises(PackError, match="which is not there"):
        joined('<link rel="stylesheet" href="{{web}}/one.css">', {"main.js": b""})


# -- the page that the product has -------------------------------------------------------------


def sources() -> dict[str, str]:
    return {path.relative_to(WEB).as_posix(): path.read_text("utf-8") for path in WEB.rglob("*.js")}


def test_the_plans_name_entries_of_the_page() -> None:
    modules = read_modules(sources(), LIBRARIES, MAIN)
    entries = {MAIN, *(path for module in modules.values() for path in module.dynamic)}
    for name, plan in PLANS.items():
        assert entries >= {*plan.entries}, name


def test_the_lobby_and_a_room_load_only_what_they_need() -> None:
    packs = packed(sources(), LIBRARIES, MAIN)
    assert loaded(packs, [MAIN, "pages/lobby.js"]) == ["main.js", "lobby.js"]
    assert loaded(packs, [MAIN, "pages/room.js"]) == ["main.js", "board.js", "room.js"]


@pytest.mark.processes
def test_packed_modules_do_what_the_files_do(tmp_path: Path) -> None:
    """Compare all exports, and run the tests of the page's modules on packed ones."""
    node = shutil.which("node")
    if node is None:
        give_up("There is no Node.js: apt-get install nodejs npm", NEED)
    texts = sources()
    modules = read_modules(texts, LIBRARIES, MAIN)
    # The real first module needs a document. This one hands out all modules but that.
    names = [path for path in modules if path != MAIN]
    loads = ",".join(f'"{path}":()=>import("./{path}")' for path in names)
    packs = packed({**texts, MAIN: f"globalThis.packedModules = {{{loads}}};"}, LIBRARIES, MAIN)
    (tmp_path / "packs").mkdir()
    (tmp_path / "package.json").write_text('{"type": "module"}')
    for name, pack in packs.items():
        (tmp_path / "packs" / name).write_text(pack.text)
    (tmp_path / "names.json").write_text(
        json.dumps({path: sorted(modules[path].names) for path in names})
    )
    tests = (ROOT / "tests" / "client" / "web").rglob("*.test.mjs")
    command = [node, "--import", str(NODE / "page.mjs"), str(NODE / "packed.mjs")]
    done = subprocess.run(
        [*command, *sorted(map(str, tests))],
        env={**os.environ, "DOUBLECROSS_PACKED": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=50,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "every packed module exports what its file does" in done.stdout
