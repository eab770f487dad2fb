"""Names of others are text on every page, and the browser runs no script but those of the page."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.async_api import Page, Route, WebSocketRoute, expect

from tests.bots.running import until
from tests.client.web.harness.browser import PageProblems
from tests.client.web.harness.fixtures import Serve, Visit
from tests.client.web.harness.visitors import go_to
from tests.client.web.pages.company import company, play_game, tournament_of

NAMES = "Mallory One", "Mallory Two"
HOSTILE = "<img src=x onerror=alert(1)>", '"><b onclick="alert(2)">x</b>'
CUP = "<script>alert(3)</script>"


@pytest.mark.slow
@pytest.mark.timeout(120)
async def test_hostile_names_are_text_on_every_page(
    visit: Visit, serve: Serve, problems: PageProblems
) -> None:
    """The server refuses such names of players, so a server in between puts them in."""
    server = serve()
    problems.allow("404 .*/profile")
    async with company(server.url, NAMES) as (one, other):
        game, _ = await play_game(one, other)
        one.hold()
        other.hold()
        cup = await tournament_of(one.client, [one, other], name=CUP)
        await until(lambda: len(one.client.session.rooms) == 1)
        (live,) = one.client.session.rooms
        page = await visit("/", name="Ann")
        await page.route("**/api/**", answer_with_hostile_names)
        await page.route_web_socket("**/socket", pass_on_with_hostile_names)
        dialogs: list[str] = []
        page.on("dialog", lambda dialog: dialogs.append(dialog.message))
        for path, texts in {
            "/": HOSTILE,
            f"/room/{live}": HOSTILE,
            f"/game/{game}": HOSTILE,
            "/games": HOSTILE,
            f"/player/{NAMES[0]}": HOSTILE[:1],
            "/ratings": HOSTILE,
            f"/tournament/{cup}": (*HOSTILE, CUP),
            "/tournaments": (CUP,),
            "/watch": HOSTILE,
        }.items():
            await go_to(page, path)
            for text in texts:
                await expect(page.get_by_text(text).first).to_be_attached()
            # Whatever became an element would be one of these.
            await expect(
                page.locator("img:not(.logo), main script, main b[onclick]")
            ).to_have_count(0)
            assert dialogs == [], path


def made_hostile(text: str) -> str:
    """Return JSON with other names of players."""
    for name, hostile in zip(NAMES, HOSTILE, strict=True):
        text = text.replace(name, json.dumps(hostile)[1:-1])
    return text


async def answer_with_hostile_names(route: Route) -> None:
    answer = await route.fetch()
    await route.fulfill(response=answer, body=made_hostile(await answer.text()))


def pass_on_with_hostile_names(socket: WebSocketRoute) -> None:
    server = socket.connect_to_server()
    server.on_message(lambda message: socket.send(made_hostile(str(message))))


async def test_an_injected_script_does_not_run(
    visit: Visit, serve: Serve, problems: PageProblems
) -> None:
    page = await visit("/", server=serve())
    problems.allow("Content Security Policy|violates the following|csp")
    with ForeignSite() as foreign:
        refused = await page.evaluate(
            """async (foreign) => {
          const refused = [];
          document.addEventListener("securitypolicyviolation", (event) =>
            refused.push(event.effectiveDirective));
          const inline = document.createElement("script");
          inline.textContent = "window.harm = 'inline'";
          const remote = document.createElement("script");
          remote.src = `${foreign}/harm.js`;
          const style = document.createElement("style");
          style.textContent = "body { display: none }";
          document.body.append(inline, remote, style);
          document.body.insertAdjacentHTML(
            "beforeend",
            `<a id="handler" href="#" onclick="window.harm = 'handler'">x</a>
             <iframe src="${foreign}/"></iframe><img src="${foreign}/x.png">`,
          );
          document.querySelector("#handler").click();
          const told = await fetch(`${foreign}/tell?token=1`).catch(() => "blocked");
          for (let wait = 0; wait < 100 && refused.length < 7; wait += 1) {
            await new Promise((done) => setTimeout(done, 20));
          }
          return [...new Set(refused)].sort().join(" ") + (told === "blocked" ? "" : " told");
        }""",
            foreign.address,
        )
        assert refused == (
            "connect-src frame-src img-src script-src-attr script-src-elem style-src-elem"
        )
        assert foreign.requests == []
    assert await page.evaluate("window.harm") is None
    assert await is_visible(page)
    assert any("Content Security Policy" in each for each in problems.seen)


async def test_no_other_site_may_show_the_page_in_a_frame(
    visit: Visit, serve: Serve, problems: PageProblems
) -> None:
    server = serve()
    problems.allow("frame-ancestors|Framing|ERR_BLOCKED_BY_RESPONSE|csp")
    with ForeignSite(f'<iframe src="{server.url.replace("ws", "http")}/"></iframe>') as foreign:
        page = await visit(f"{foreign.address}/page")
        frame = page.frames[-1]
        assert await frame.locator("#app").count() == 0


async def is_visible(page: Page) -> bool:
    """Return whether the page still shows itself."""
    shown: bool = await page.evaluate("getComputedStyle(document.body).display !== 'none'")
    return shown


class ForeignSite:
    """Another server, which notes what is asked for."""

    def __init__(self, body: str = "") -> None:
        self.requests: list[str] = []
        requests = self.requests

        class Answers(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                if self.path != "/favicon.ico":
                    requests.append(self.path)
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(f"<!doctype html><title>x</title>{body}".encode())

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
        self._thread = threading.Thread(target=self._server.serve_forever)
        self.address = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> ForeignSite:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
