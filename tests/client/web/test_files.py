"""The files of the page: its libraries and icons are current, and all of it is small."""

from __future__ import annotations

import graphlib
import json
import posixpath
import re
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from doublecross.server.shell.page.document import LIBRARIES, MAIN, ROUTES, DocumentMaker
from doublecross.server.shell.page.files import PREFIX, BrowserPage, read_folder
from tests.client.web.harness.bundle import can_bundle
from tests.client.web.harness.node import NEED, give_up
from tests.node import icons, vendor

WEB = Path(__file__).resolve().parents[3] / "client" / "web"
NODE = vendor.PACKAGES.parent
MOST_KB = 110
"""What the files that a document names may have at most, compressed, without headers."""
MOST_FILES = 30
"""How many files the document of an address may name at most."""
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


def test_every_library_that_modules_name_is_there() -> None:
    for path in json.loads((WEB / LIBRARIES).read_text("utf-8")).values():
        assert (WEB / path).exists()


@pytest.fixture(scope="module")
def bundle(page_folder: Path) -> BrowserPage:
    if not can_bundle():
        give_up("There is no esbuild: run make node", NEED)
    return BrowserPage.read(page_folder)


def document_of(page: BrowserPage, route: str) -> str:
    """Return the document of a route."""
    return page.document(route, route).file.plain.body.decode()


def named(page: BrowserPage, route: str) -> set[str]:
    """Return the addresses of the files that the document of a route names."""
    return {
        posixpath.normpath(posixpath.join(posixpath.dirname(route), name))
        for name in re.findall(r'(?:href|src)="([^":]+)"', document_of(page, route))
        if "/api/" not in name
    }


@pytest.mark.parametrize("route", ROUTES)
def test_a_bundled_page_is_small(bundle: BrowserPage, route: str) -> None:
    files = named(bundle, route)
    assert files <= bundle.files.keys()
    assert not [name for name in files if "uplot" in name]
    assert len(files) <= MOST_FILES
    assert sum(len(bundle.files[name].packed.body) for name in files) < MOST_KB * 1000


def test_a_bundled_page_has_the_modules_and_styles_in_fewer_files(bundle: BrowserPage) -> None:
    names = {path.removeprefix(f"{PREFIX}{bundle.hash}/") for path in bundle.files}
    assert {
        MAIN,
        *ROUTES.values(),
        "app/early.js",
        "net/ticks.js",
        "style/main.css",
        "style/study.css",
        "style/values.css",
    } <= names
    assert not [name for name in names if name.startswith(("models/", "vendor/preact"))]
    assert LIBRARIES not in names
    assert (
        "@import" not in bundle.files[f"{PREFIX}{bundle.hash}/style/main.css"].plain.body.decode()
    )
    document = document_of(bundle, "/")
    assert "importmap" not in document
    # Whom the browser knows gets the lobby at once.
    early = re.findall('name="players" content="([^"]*)"', document)[0].split()
    assert f".{PREFIX}{bundle.hash}/pages/lobby/view.js" in early
    files = {name[1:] for name in early if "/api/" not in name}
    assert files <= bundle.files.keys()
    # A module that loads before the import map of a checkout would make browsers ignore it.
    assert 'name="players" content=""' in document_of(BrowserPage.read(WEB), "/")
    assert b"script-src 'self';" in bundle.document("/", "/").file.plain.head


@pytest.mark.parametrize("route", ROUTES)
def test_a_document_names_the_modules_of_its_address_and_no_others(route: str) -> None:
    page = BrowserPage.read(WEB)
    loaded = {path for path in named(page, route) if path.endswith(".js")}
    assert f"{PREFIX}{page.hash}/{ROUTES[route]}" in loaded
    assert loaded <= page.files.keys()
    if route != "/game/:id":
        assert f"{PREFIX}{page.hash}/pages/game.js" not in loaded


def test_modules_do_not_import_each_other_in_a_circle() -> None:
    files = read_folder(WEB)
    maker = DocumentMaker("", files, "")
    modules = {path: maker.imports(path) for path in files if path.endswith(".js")}
    graphlib.TopologicalSorter(modules).prepare()


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
    # From /web/HASH, where the file lies.
    assert manifest["start_url"] == manifest["scope"] == "../../"
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
