"""The files of the page: its libraries and icons are current, and all of it is small."""

from __future__ import annotations

import json
import re
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from doublecross.client.language import LANGUAGES
from doublecross.server.shell.page.document import LIBRARIES, ROUTES
from doublecross.server.shell.page.files import PREFIX, BrowserPage
from doublecross.server.shell.page.packs import MANAGE, STUDY
from tests.client.web.harness.node import NEED, give_up
from tests.node import icons, vendor

WEB = Path(__file__).resolve().parents[3] / "client" / "web"
NODE = vendor.PACKAGES.parent
MOST_BYTES = 152_500
"""What the page may have at most, compressed, without `STUDY`, `MANAGE`, the library of the plots
and the texts of other languages."""
MOST_STUDY_BYTES = 60_000
"""What the packs and styles of `STUDY` may have at most, compressed."""
MOST_MANAGE_BYTES = 25_000
"""What the packs and styles of `MANAGE` may have at most, compressed."""
MOST_FILES = 12
"""How many files a first visit may load at most, with the document."""
AGAIN = "run python -m tests.node.vendor"


def files() -> dict[str, Path]:
    """Return the files that browsers may load, by their path in `client/web`."""
    found = (path for path in WEB.rglob("*") if path.is_file())
    named = {path.relative_to(WEB).as_posix(): path for path in found}
    return {
        name: path
        for name, path in named.items()
        if not name.endswith((".d.ts", ".md")) and "/licences/" not in name
    }


def test_the_libraries_are_those_of_the_lock_file() -> None:
    if not vendor.PACKAGES.is_dir():
        give_up("There are no npm packages: run make node", NEED)
    lock = json.loads((NODE / "package-lock.json").read_text("utf-8"))["packages"]
    for name, source in vendor.COPIES.items():
        package = re.match(r"(?:@[^/]+/)?[^/]+", source)
        assert package
        installed = json.loads((vendor.PACKAGES / package[0] / "package.json").read_text("utf-8"))
        assert installed["version"] == lock[f"node_modules/{package[0]}"]["version"], package[0]
        copy = (vendor.VENDOR / name).read_bytes()
        assert copy == (vendor.PACKAGES / source).read_bytes(), f"{name} is changed: {AGAIN}"


def test_the_folder_of_libraries_holds_nothing_else() -> None:
    found = {
        path.relative_to(vendor.VENDOR).as_posix()
        for path in vendor.VENDOR.rglob("*")
        if path.is_file()
    }
    assert found == vendor.COPIES.keys(), AGAIN


def test_every_library_has_its_licence() -> None:
    libraries = {Path(name).stem.replace("preact-hooks", "preact") for name in vendor.COPIES}
    licensed = {path.stem for path in (vendor.VENDOR / "licences").iterdir()}
    assert licensed == libraries


def test_node_finds_the_libraries_where_the_page_does() -> None:
    text = (NODE / "resolve.mjs").read_text("utf-8")
    found = dict(re.findall(r'^  "?([\w@/-]+)"?: "([\w.-]+)",$', text, re.MULTILINE))
    assert {name: f"vendor/{file}" for name, file in found.items()} == LIBRARIES


@pytest.fixture(scope="module")
def page() -> BrowserPage:
    return BrowserPage.read(WEB)


def test_the_page_is_small(page: BrowserPage) -> None:
    """Count the document, and all code, styles and libraries of all addresses."""
    sizes = {
        path.removeprefix(f"{PREFIX}{page.hash}/"): len(file.packed.body)
        for path, file in page.files.items()
        if not path.endswith((".png", ".txt")) and "uplot" not in path
    }
    sizes["index.html"] = max(len(each.file.packed.body) for each in page.documents.values())
    apart = {}
    for names, most in ((STUDY, MOST_STUDY_BYTES), (MANAGE, MOST_MANAGE_BYTES)):
        packs = {f"packs/{name}.js" for name in names}
        assert packs <= sizes.keys()
        part = {
            path: sizes[path]
            for path in packs | {f"style/{name}.css" for name in names}
            if path in sizes
        }
        assert sum(part.values()) < most, part
        apart |= part
    others = {f"language/{name}.js" for name in LANGUAGES}
    play = {path: size for path, size in sizes.items() if path not in apart.keys() | others}
    assert sum(play.values()) < MOST_BYTES, sorted(play.items(), key=lambda each: -each[1])


def test_nobody_loads_what_is_for_study_to_play(page: BrowserPage) -> None:
    for route in ("/", "/room/:id", "/tournament/:id", "/tournaments", "/watch"):
        text = page.documents[route].file.plain.body.decode()
        assert not [name for name in STUDY | MANAGE if f"packs/{name}.js" in text], route


@pytest.mark.parametrize("route", ROUTES)
def test_a_first_visit_loads_few_files(page: BrowserPage, route: str) -> None:
    text = page.documents[route].file.plain.body.decode()
    named = {*re.findall(r'(?:href|src)="(/web/[^"]+)"', text)}
    assert named <= page.files.keys()
    assert not [name for name in named if "uplot" in name]
    assert 1 + len(named) <= MOST_FILES


def test_the_icons_are_current() -> None:
    made = icons.files()
    assert {path.name for path in icons.ICONS.iterdir()} == made.keys()
    for name, data in made.items():
        kept = (icons.ICONS / name).read_bytes()
        if name.endswith(".svg"):
            assert kept == data, "run python -m tests.node.icons"
        else:
            # Other versions of Pillow and zlib write other bytes.
            one, other = (Image.open(BytesIO(each)).convert("RGB") for each in (kept, data))
            assert ImageChops.difference(one, other).getbbox() is None, name


def test_the_manifest_describes_files_that_exist() -> None:
    manifest = json.loads((WEB / "app.webmanifest").read_text("utf-8"))
    assert manifest["start_url"] == manifest["scope"] == "/"
    purposes = set()
    for icon in manifest["icons"]:
        assert icon["src"] in files()
        purposes.add(icon.get("purpose", "any"))
        if icon["type"] == "image/png":
            with Image.open(WEB / icon["src"]) as image:
                assert icon["sizes"] == "{}x{}".format(*image.size)
    assert purposes == {"any", "maskable"}


@pytest.mark.parametrize("attribute", ["href", "src"])
def test_the_document_refers_to_files_that_exist(attribute: str) -> None:
    document = (WEB / "index.html").read_text("utf-8")
    named = re.findall(rf'{attribute}="{{{{web}}}}/([^"]+)"', document)
    assert named
    assert set(named) <= files().keys()
