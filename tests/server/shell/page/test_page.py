"""The browser page: its addresses, headers, caching and forms."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from starlette.requests import Request

from doublecross.server.shell.listening import StartError
from doublecross.server.shell.page.document import ROUTES, route_of
from doublecross.server.shell.page.files import MOST_BYTES, BrowserPage, PageError, read_folder
from doublecross.server.shell.page.reply import SAFE
from doublecross.server.shell.settings import ServerSettings
from doublecross.server.shell.web.below_path import BelowPath
from doublecross.server.shell.web.endpoints import next_page
from tests.protocol.wire import WireClient, serving
from tests.server.shell.page.wiring import BROWSER, FILES, Wire, get, request, write_page

WEB = Path(__file__).parents[4] / "client/web"
ADDRESSES = (
    "/",
    "/room/abc",
    "/room/abc/",
    "/game/abc-1",
    "/games",
    "/player/Ann%20%C3%A9",
    "/ratings",
    "/tournament/t1",
    "/tournaments?page=2",
    "/rules",
    "/watch",
)


async def test_every_address_of_the_page_answers_with_the_document(tmp_path: Path) -> None:
    async with serving(tmp_path, page=write_page(tmp_path / "page")) as server:
        for path in ADDRESSES:
            answer = await get(server, path)
            assert answer.status == 200, path
            assert answer.headers["content-type"] == "text/html; charset=utf-8"
            assert f'content="{server.front.place()[1]}"' in answer.text
            assert "{{" not in answer.text
        for path in ("/room", "/room/a/b", "/nothing", "/rules/x", "/games/x/y"):
            answer = await get(server, path, **BROWSER)
            assert answer.status == 404, path
            assert "main.js" in answer.text
            assert "etag" not in answer.headers
            # A cache must not give the document to those who get JSON here.
            assert "accept" in answer.headers["vary"].split(", ")
            told = await get(server, path)
            assert (told.status, told.headers["content-type"]) == (404, "application/json")


async def test_everything_has_the_headers_that_protect(tmp_path: Path) -> None:
    async with serving(tmp_path, page=write_page(tmp_path / "page")) as server:
        for path in ("/", "/rules", "/web/x/y.js", "/nothing", "/api/rooms", "/api/x", "/health"):
            for more in ({}, BROWSER):
                answer = await get(server, path, **more)
                assert SAFE.items() <= answer.headers.items(), path
                policy = answer.headers["content-security-policy"]
                assert "default-src 'none'" in policy
                assert "frame-ancestors 'none'" in policy
                assert "unsafe" not in policy
                assert "date" in answer.headers


async def test_files_have_no_more_headers_than_they_need(tmp_path: Path) -> None:
    needed_by_all = {"content-type", "content-length", "cache-control", "date"}
    async with serving(tmp_path, page=write_page(tmp_path / "page")) as server:
        base = f"/web/{server.front.place()[1]}"
        for name, more in {
            "icons/icon.svg": set(),
            "pages/room.js": set(),
            "core/x.js": {"vary", "content-encoding"},
            "style/base.css": {"vary", "content-encoding"},
            "net/ticks.js": {"vary", "content-encoding"},
        }.items():
            answer = await get(server, f"{base}/{name}", **BROWSER)
            assert answer.headers.keys() == needed_by_all | {"x-content-type-options"} | more
            assert answer.headers["x-content-type-options"] == "nosniff"


async def test_the_policy_allows_the_import_map_and_no_other_script(tmp_path: Path) -> None:
    page = write_page(tmp_path / "page")
    async with serving(tmp_path, page=page) as server:
        answer = await get(server, "/")
        (script,) = re.findall(r"<script type=\"importmap\">(.*?)</script>", answer.text)
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        policy = answer.headers["content-security-policy"]
        assert f"script-src 'self' 'sha256-{digest}';" in policy
        assert re.findall(r"'sha256-[^']+'", policy) == [f"'sha256-{digest}'"]
        assert json.loads(script) == {
            "imports": {"preact": f"./web/{server.front.place()[1]}/vendor/preact.js"}
        }


@pytest.mark.parametrize("path", ["/", "/room/x", "/room/x/", "/no/such/page"])
@pytest.mark.parametrize("base", ["", "/games"])
async def test_documents_find_their_files_below_any_path(
    tmp_path: Path, base: str, path: str
) -> None:
    async with serving(tmp_path, page=write_page(tmp_path / "page"), base_path=base) as server:
        answer = await get(server, base + path, Accept="text/html")
        (main,) = re.findall(r'<script type="module" src="([^"]+)"', answer.text)
        script = await get(server, urljoin(base + path, main))
        assert (script.status, script.headers["content-type"]) == (200, "text/javascript")
        if base:
            to = (await get(server, base)).headers["location"]
            assert urljoin(base, to) == f"{base}/"
        # A proxy may remove the path itself.
        assert (await get(server, path, Accept="text/html")).status == answer.status


@pytest.mark.parametrize("base", ["", "/games"])
async def test_a_page_about_a_problem_leads_to_the_start_below_any_path(
    tmp_path: Path, base: str
) -> None:
    async with serving(tmp_path, page=write_page(tmp_path / "page"), base_path=base) as server:
        for path in ("/socket", "/web/old/pages/room.js"):
            answer = await get(server, base + path, Accept="text/html")
            (start,) = re.findall(r'<a href="([^"]+)"', answer.text)
            assert urljoin(base + path, start) == f"{base}/"


@pytest.mark.parametrize(
    ("asked", "base", "forwarded", "shown"),
    [
        ("/games/api/games", "/games", "", "/games/api/games"),
        ("/api/games", "", "/games/", "/games/api/games"),
        ("/api/games", "", "https://evil.example", "/api/games"),
        ("/api/games", "", "", "/api/games"),
    ],
)
async def test_addresses_in_answers_begin_with_the_path_of_the_proxy(
    asked: str, base: str, forwarded: str, shown: str
) -> None:
    seen: list[tuple[str, str]] = []

    async def application(scope: Any, receive: Any, send: Any) -> None:
        seen.append((scope["path"], next_page(Request(scope), 5, "x")))

    sources = ServerSettings(trusted_proxy="127.0.0.1").sources
    headers = [(b"x-forwarded-prefix", forwarded.encode())]
    scope = {"type": "http", "path": asked, "query_string": b"limit=1", "headers": headers}
    scope |= {"client": ("127.0.0.1", 1), "server": ("a", 80), "scheme": "http"}
    await BelowPath(application, base, sources)(scope, None, None)  # type: ignore[arg-type]
    assert seen == [("/api/games", f"{shown}?limit=1&after=5-x")]


async def test_a_page_without_libraries_needs_no_import_map(tmp_path: Path) -> None:
    page = write_page(tmp_path / "page")
    (page / "libraries.json").unlink()
    async with serving(tmp_path, page=page) as server:
        answer = await get(server, "/")
        assert "importmap" not in answer.text
        assert "script-src 'self';" in answer.headers["content-security-policy"]


async def test_the_document_loads_the_modules_of_its_address_at_once(tmp_path: Path) -> None:
    async with serving(tmp_path, page=write_page(tmp_path / "page")) as server:
        for path, wanted in (("/", "lobby"), ("/room/x", "room"), ("/games", None)):
            text = (await get(server, path)).text
            found = re.findall(r'rel="modulepreload" href="[./]+web/\w+/([\w/]+)\.js"', text)
            page = {f"pages/{wanted}"} if wanted else set()
            assert {*found} == {"main", "vendor/preact", "app/app", "core/x"} | page
            assert len(found) == len({*found})
            assert re.findall(r'<script type="module" src="[./]+web/\w+/([^"]+)"', text) == [
                "main.js"
            ]


async def test_a_minified_module_is_read_too(tmp_path: Path) -> None:
    main = 'import{a as b}from"./core/x.js";import"./net/ticks.js";import("./pages/room.js");'
    page = write_page(tmp_path / "page", **{"main.js": main})
    async with serving(tmp_path, page=page) as server:
        text = (await get(server)).text
        found = re.findall(r'rel="modulepreload" href="[./]+web/\w+/([\w/]+)\.js"', text)
        assert found == ["main", "pages/lobby", "core/x", "net/ticks"]


async def test_a_page_with_broken_libraries_stops_the_start(tmp_path: Path) -> None:
    page = write_page(tmp_path / "page", **{"libraries.json": "{"})
    with pytest.raises(StartError, match="cannot be read: Expecting property name"):
        async with serving(tmp_path, page=page):
            pass


async def test_files_are_kept_for_ever_and_compressed(tmp_path: Path) -> None:
    async with serving(tmp_path, page=write_page(tmp_path / "page")) as server:
        base = f"/web/{server.front.place()[1]}"
        for name, kind in {
            "main.js": "text/javascript",
            "style/base.css": "text/css",
            "icons/icon.svg": "image/svg+xml",
        }.items():
            plain = await get(server, f"{base}/{name}")
            assert (plain.status, plain.headers["content-type"]) == (200, kind)
            assert plain.text == FILES[name]
            assert plain.headers["cache-control"] == "max-age=31536000, immutable"
            packed = await get(server, f"{base}/{name}?x=1", accept_encoding="br, gzip")
            assert packed.text == plain.text
            assert len(packed.body) <= len(plain.body)
        css = await get(server, f"{base}/style/base.css", accept_encoding="gzip")
        assert (css.headers["content-encoding"], css.headers["vary"]) == ("gzip", "accept-encoding")
        assert "content-encoding" not in (await get(server, f"{base}/style/base.css")).headers


async def test_who_accepts_brotli_gets_what_the_package_has_of_it(tmp_path: Path) -> None:
    page = write_page(tmp_path / "page", **{"core/x.js.br": "small"})
    async with serving(tmp_path, page=page) as server:
        base = f"/web/{server.front.place()[1]}/core/x.js"
        answers = [
            await get(server, base, **{"Accept-Encoding": accepted})
            for accepted in ("gzip, br", "gzip, br;q=0", "identity")
        ]
        codings = [answer.headers.get("content-encoding") for answer in answers]
        assert codings == ["br", "gzip", None]
        assert answers[0].body == b"small"
        assert all(answer.headers["vary"] == "accept-encoding" for answer in answers)
        # It is no file of its own.
        assert (await get(server, f"{base}.br")).status == 404


async def test_who_refuses_gzip_gets_none(tmp_path: Path) -> None:
    async with serving(tmp_path, page=write_page(tmp_path / "page")) as server:
        css = f"/web/{server.front.place()[1]}/style/base.css"
        for path in ("/", css, "/api/geometry?game=dots-and-boxes"):
            packed = await get(server, path, accept_encoding="gzip")
            plain = await get(server, path, accept_encoding="gzip;q=0, identity")
            assert packed.headers["content-encoding"] == "gzip", path
            assert "content-encoding" not in plain.headers, path
            assert packed.text == plain.text
            assert "accept-encoding" in plain.headers["vary"].lower()


async def test_the_document_is_asked_for_again_and_unchanged(tmp_path: Path) -> None:
    async with serving(tmp_path, page=write_page(tmp_path / "page")) as server:
        first = await get(server, "/", **BROWSER)
        assert first.headers["cache-control"] == "no-cache"
        tag = first.headers["etag"]
        for known in (tag, f'"other", {tag}', tag.removeprefix("W/"), "*"):
            again = await get(server, "/", **BROWSER, if_none_match=known)
            assert (again.status, again.body) == (304, b"")
            assert again.headers["etag"] == tag
            assert "content-length" not in again.headers
        assert (await get(server, "/", if_none_match='"other"')).status == 200
        assert (await get(server, "/nothing", **BROWSER, if_none_match="*")).status == 404


async def test_a_changed_file_gives_new_addresses(tmp_path: Path) -> None:
    page = BrowserPage.read(write_page(tmp_path / "page"))
    same = BrowserPage.read(write_page(tmp_path / "same"))
    other = BrowserPage.read(
        write_page(tmp_path / "other", **{"pages/room.js": "export const x = 2;"})
    )
    assert page.hash == same.hash != other.hash
    assert not page.files.keys() & other.files.keys()
    async with serving(tmp_path, page=tmp_path / "page") as server:
        gone = await get(server, f"/web/{other.hash}/main.js")
        assert gone.status == 404
        assert "load the page again" in gone.text
        assert gone.headers["cache-control"] == "no-store"


def test_texts_in_a_language_are_served_as_a_script(tmp_path: Path) -> None:
    texts = '{\n  "Quit": "Ende; \\"aus\\" // jetzt"\n}\n'
    folder = write_page(tmp_path / "page", **{"language/de.json": texts})
    page = BrowserPage.read(folder)
    script = page.files[f"/web/{page.hash}/language/de.js"].plain
    assert f"/web/{page.hash}/language/de.json" not in page.files
    start, _, rest = script.body.decode().partition("=")
    assert start.strip() == "globalThis.doublecrossTexts"
    assert json.loads(rest.strip().removesuffix(";")) == {
        "language": "de",
        "texts": json.loads(texts),
    }


async def test_only_files_of_the_page_are_served(tmp_path: Path) -> None:
    folder = write_page(tmp_path / "page")
    (tmp_path / "secret.js").write_text("secret")
    (folder / "link.js").symlink_to(tmp_path / "secret.js")
    async with serving(tmp_path, page=folder) as server:
        for path in (
            "/../../etc/passwd",
            "/%2e%2e/%2e%2e/pyproject.toml",
            "/..%2f..%2fpyproject.toml",
            "//main.js",
            "/./main.js",
            "/core/types.d.ts",
            "/notes.md",
            "/.hidden.js",
            "/index.html",
            "/",
            "",
            "/main.js%00",
            "/link.js",
        ):
            answer = await get(server, f"/web/{server.front.place()[1]}{path}")
            assert answer.status == 404, path
            assert "secret" not in answer.text


async def test_a_head_request_gets_the_headers_alone(tmp_path: Path) -> None:
    async with serving(tmp_path, page=write_page(tmp_path / "page")) as server:
        whole = await get(server, "/ratings", **BROWSER)
        head = await get(server, "/ratings", method="HEAD", **BROWSER)
        assert {**head.headers, "date": ""} == {**whole.headers, "date": ""}
        wire = await Wire.open(server)
        wire.send(request("/", method="HEAD") + request("/ratings"))
        await wire.answer(headless=True)
        assert (await wire.answer()).status == 200
        wire.close()


async def test_other_methods_are_refused_with_what_is_allowed(tmp_path: Path) -> None:
    async with serving(tmp_path, page=write_page(tmp_path / "page")) as server:
        for method in ("POST", "PUT", "DELETE", "OPTIONS", "PATCH"):
            told = await get(server, "/ratings", method=method)
            assert (told.status, told.headers["allow"]) == (405, "GET, HEAD")
            assert told.headers["content-type"] == "application/json"
            shown = await get(server, "/ratings", method=method, **BROWSER)
            assert "That does not work here" in shown.text


async def test_the_welcome_names_the_version_of_the_page(tmp_path: Path) -> None:
    async with serving(tmp_path, page=write_page(tmp_path / "page")) as server:
        ann = await WireClient.player(server, "Ann")
        text = (await get(server)).text
        assert f'<meta name="page" content="{ann.received[0]["page"]}">' in text


async def test_a_server_without_a_page_says_so(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        assert "without a browser page" in (await get(server)).text
        assert (await get(server, "/web/x/main.js")).status == 404
        ann = await WireClient.player(server, "Ann")
        assert ann.received[0]["page"] is None


async def test_a_page_that_is_being_changed_is_read_again(tmp_path: Path) -> None:
    folder = write_page(tmp_path / "page")
    async with serving(tmp_path, page=folder, page_reload=True) as server:
        first = (await get(server)).text
        write_page(folder, **{"main.js": "changed();"})
        second = (await get(server)).text
        assert second != first
        (main,) = re.findall(r'<script type="module" src="\.([^"]+)"', second)
        assert (await get(server, main)).text == "changed();"
        (folder / "index.html").unlink()
        assert (await get(server)).text == second


async def test_a_folder_that_is_no_page_stops_the_start(tmp_path: Path) -> None:
    for folder, why in ((tmp_path / "none", "cannot be read"), (tmp_path, "no index.html")):
        with pytest.raises(StartError, match=why):
            async with serving(tmp_path, page=folder):
                pass


def test_a_folder_that_is_too_large_is_no_page(tmp_path: Path) -> None:
    folder = write_page(tmp_path)
    for number in range(2):
        with (folder / f"large{number}.png").open("wb") as file:
            file.truncate(MOST_BYTES // 2 + 1)
    with pytest.raises(PageError, match="too large"):
        read_folder(folder)


# -- the page that the product has -------------------------------------------------------------


def test_the_addresses_are_those_of_the_page_itself() -> None:
    text = (WEB / "app/routes.js").read_text()
    assert set(re.findall(r'path: "(/[^"]*)"', text)) == set(ROUTES)


@pytest.mark.parametrize(
    ("path", "route"),
    [
        ("/", "/"),
        ("//", "/"),
        ("/room/x", "/room/:id"),
        ("/room/", None),
        ("/room//", None),
        ("/ratings/", "/ratings"),
        ("/ratings/x", None),
        ("/web", None),
    ],
)
def test_the_route_of_a_path(path: str, route: str | None) -> None:
    assert route_of(path) == route
