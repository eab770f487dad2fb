"""The fixtures of the page: what goes wrong in a page must not stay unnoticed."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.async_api import expect

from tests.client.web.harness.axe import violations
from tests.client.web.harness.browser import PageProblems
from tests.client.web.harness.fixtures import Visit
from tests.client.web.harness.profiles import Profiles
from tests.client.web.harness.visitors import Visitors

POLICY = "default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self' data:"
HEAD = (
    '<!doctype html><html lang="en"><title>A page</title><link rel="icon" href="data:,">'
    '<meta name="viewport" content="width=device-width">'
)
PAGES = {
    "/fine": "<p>Hello",
    "/inline": '<script>document.title = "run"</script>',
    "/missing": '<img src="/nothing" alt="">',
    "/throws": '<script src="/throw.js"></script>',
    "/foreign": '<img src="http://127.0.0.1:1/x" alt="">',
}


class Pages(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        body = "throw Error('broken')" if self.path == "/throw.js" else PAGES.get(self.path)
        self.send_response(404 if body is None else 200)
        kind = "text/javascript" if self.path.endswith(".js") else "text/html"
        self.send_header("Content-Type", kind)
        self.send_header("Content-Security-Policy", POLICY)
        self.end_headers()
        page = f"{HEAD}<main>{body or ''}</main>"
        self.wfile.write((body if kind == "text/javascript" and body else page).encode())

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Pages) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("/fine", []),
        ("/inline", ["Content Security Policy"]),
        ("/missing", ["404"]),
        ("/throws", ["broken"]),
        ("/foreign", ["Content Security Policy", "request failed"]),
    ],
)
async def test_what_goes_wrong_in_a_page_is_collected(
    profiles: Profiles, site: str, path: str, told: list[str]
) -> None:
    problems = PageProblems()
    visitors = Visitors(profiles, problems)
    page = await visitors.open(
        site + path, width=300, height=300, touch=False, dark=False, storage={}
    )
    assert await page.title() == "A page"
    await visitors.close()
    assert len(problems.unexpected) == len(told), problems.seen
    for each, part in zip(problems.unexpected, told, strict=True):
        assert part in each
        problems.allow(part)
    assert problems.unexpected == []


async def test_each_visit_has_a_profile_of_its_own(visit: Visit, site: str) -> None:
    first = await visit(f"{site}/fine", storage={"doublecross.theme": '"dark"'})
    second = await visit(f"{site}/fine", width=360, height=740, touch=True, dark=True, name="Ann")
    assert await first.evaluate("localStorage['doublecross.theme']") == '"dark"'
    assert await second.evaluate("Object.keys(localStorage)") == ["doublecross.identity"]
    assert await second.evaluate("[innerWidth, navigator.maxTouchPoints > 0]") == [360, True]
    for page, dark in ((first, False), (second, True)):
        await expect(page.get_by_text("Hello")).to_be_visible()
        assert await page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches") is dark


async def test_a_visit_finds_nothing_of_earlier_tests(profiles: Profiles, site: str) -> None:
    """The profile is the same, so it must be empty and as at its beginning."""
    kept = """async () => {
        const cached = await caches.keys(), found = await indexedDB.databases();
        return [localStorage.length, sessionStorage.length, document.cookie, cached.length,
            found.length, navigator.onLine];
    }"""
    contexts = []
    for _ in range(2):
        problems = PageProblems()
        visitors = Visitors(profiles, problems)
        page = await visitors.open(
            f"{site}/fine", width=300, height=300, touch=False, dark=False, storage={}
        )
        contexts.append(page.context)
        assert await page.evaluate(kept) == [0, 0, "", 0, 0, True]
        assert await page.evaluate("[innerWidth, history.length]") == [300, 2]
        await page.evaluate(
            """async () => {
                localStorage.a = sessionStorage.b = document.cookie = "c=d";
                await caches.open("e");
                await new Promise((done) => (indexedDB.open("f").onsuccess = done));
            }"""
        )
        assert await page.evaluate(kept) == [1, 1, "c=d", 1, 1, True]
        with pytest.raises(AssertionError, match="Call the method of the page"):
            await page.context.route("**/*", lambda route: route.abort())
        await page.context.set_offline(True)
        await visitors.close()
        assert problems.seen == []
    assert contexts[0] is contexts[1]


async def test_axe_finds_what_breaks_a_rule_in_spite_of_the_policy(visit: Visit, site: str) -> None:
    page = await visit(f"{site}/fine")
    assert await violations(page) == []
    await page.evaluate("document.querySelector('p').innerHTML = '<button></button><img>'")
    found = await violations(page)
    assert [each.partition(":")[0] for each in found] == ["button-name", "image-alt"]
    assert await page.evaluate("typeof axe") == "undefined"
