"""What messengers and guests read about a link: who invites to what, and nothing private."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from html import unescape
from pathlib import Path

import pytest

from doublecross.server.shell.app import DoublecrossServer
from tests.protocol.wire import WireClient, serving
from tests.server.shell.page.wiring import FILES, Wire, get, request, write_page
from tests.server.shell.test_http import SMALL, Reader

NASTY = '"><script>a</script>{{web}}'


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[DoublecrossServer]:
    about = FILES["index.html"].replace("{{head}}", "{{about}}{{head}}")
    page = write_page(tmp_path / "page", **{"index.html": about})
    async with serving(tmp_path, page=page) as made:
        yield made


async def tags(server: DoublecrossServer, path: str) -> dict[str, str]:
    """Return the title and the tags of a document, as a messenger reads them."""
    answer = await get(server, path)
    assert answer.status == 200
    assert "<script>" not in answer.text
    found = re.findall(r'<meta \w+="([\w:]+)" content="([^"]*)">', answer.text)
    titles = re.findall("<title>(.*?)</title>", answer.text)
    return {"title": unescape(titles[0]), **{name: unescape(value) for name, value in found}}


async def test_a_link_says_what_it_leads_to_and_shows_no_secret(server: DoublecrossServer) -> None:
    async with Reader(server) as http:
        ann = await WireClient.player(server, "O'Neil")
        create = {"type": "create_room", "settings": SMALL, "seat": 1}
        public = await ann.ask({**create, "key": "k1"})
        closed = await ann.ask({**create, "key": "k2", "private": True})
        seek = await ann.ask({"type": "seek", "key": "k3", "settings": SMALL, "seat": 0})
        room = f"/room/{public['room']}"
        said = await tags(server, room)
        assert said["title"] == "O'Neil waits for an opponent – Doublecross"
        text = "Dots and Boxes 1x2 · no clock · casual · you move first"
        assert said["description"] == said["og:description"] == text
        assert said["og:url"] == f"http://x{room}"
        picture = f"/api/previews{room}/picture"
        assert said["og:image"] == f"http://x{picture}"
        # The board is asked for at once, before the page knows what it has to draw.
        early = re.findall(r'rel="preload" [^>]*href="([^"]*)"', (await get(server, room)).text)
        assert early == ["../api/geometry?game=dots-and-boxes&amp;size=1x2"]
        sought = await tags(server, f"/seek/{seek['seek']}")
        assert sought["og:title"] == "O'Neil looks for an opponent"
        assert sought["description"].endswith("they move first")
        terms = {"name": NASTY, "format": "swiss", "rounds": 3, "settings": SMALL}
        made = await ann.ask({"type": "create_tournament", "key": "t", "terms": terms})
        cup = await tags(server, f"/tournament/{made['tournament']}")
        assert cup["og:title"] == NASTY
        assert cup["description"] == "Swiss tournament, open. Dots and Boxes 1x2 · 0 players"
        assert (await tags(server, "/player/o'neil"))["og:title"] == "O'Neil"
        assert (await tags(server, "/puzzle/today"))["og:title"].startswith("Puzzle: ")
        position = await tags(server, "/analysis/dots-and-boxes:2x2:0:1,7:1.0.1")
        assert position["og:title"] == "A position of Dots and Boxes 2x2"
        assert "/api/previews/analysis/" in position["og:image"]
        for wrong in ("chess:8x8::", "dots-and-boxes:2x2::1,1", "dots-and-boxes:0x2::", "nim"):
            assert (await tags(server, f"/analysis/{wrong}"))["title"] == "Doublecross"
        # A private room looks like one that does not exist.
        hidden = [await tags(server, f"/room/{room}") for room in (closed["room"], "nothing")]
        assert hidden[0].pop("og:url") != hidden[1].pop("og:url")
        assert hidden[0] == hidden[1]
        assert hidden[0]["og:image"].endswith("/icons/icon-512.png")
        # Once it is over, so does its game.
        await ann.ask({"type": "leave", "room": public["room"]})
        assert (await tags(server, f"/room/{public['room']}"))["title"] == "Doublecross"
        gone = await http.get(f"/api/invitations/{public['room']}")
        assert (gone["state"], gone["settings"]["params"]) == ("closed", SMALL["params"])
        # Without a preview there is still a page.
        assert (await tags(server, "/player/a%2Fb"))["title"] == "Doublecross"
        head = await get(server, "/player/o'neil", method="HEAD")
        known = {"if-none-match": head.headers["etag"]}
        again = await get(server, "/player/o'neil", **known)
        assert (head.status, head.body, again.status, again.body) == (200, b"", 304, b"")
        # A nasty name of a host must not come into addresses.
        wire = await Wire.open(server)
        wire.send(request("/puzzle/today").replace(b"Host: x", b'Host: a"><b>'))
        assert "og:image" not in (await wire.answer()).text
        wire.close()


async def test_an_invitation_names_who_and_what_and_how_it_ended(server: DoublecrossServer) -> None:
    async with Reader(server) as http:
        ann, bob = [await WireClient.player(server, name) for name in ("Ann", "Bob")]
        seek = {"type": "seek", "settings": SMALL, "seat": 0}
        first = (await ann.ask({**seek, "key": "k1"}))["seek"]
        found = await http.get(f"/api/invitations/{first}")
        assert (found["kind"], found["state"], found["seat"]) == ("seek", "open", 1)
        assert found["players"][0]["name"] == "Ann"
        await ann.ask({"type": "cancel_seek", "seek": first})
        assert (await http.get(f"/api/invitations/{first}"))["state"] == "cancelled"
        second = (await ann.ask({**seek, "key": "k2"}))["seek"]
        taken = await bob.ask({"type": "accept_seek", "key": "k", "seek": second})
        found = await http.get(f"/api/invitations/{second}")
        assert (found["state"], found["room"]) == ("taken", taken["room"])
        create = {"type": "create_room", "key": "k3", "settings": SMALL, "private": True}
        room = await ann.ask(create)
        address = f"/api/invitations/{room['room']}"
        assert (await http.get(address, 404))["error"]
        assert (await http.get(f"{address}?code={room['code']}"))["state"] == "open"


@pytest.mark.processes
async def test_a_picture_is_made_once_for_those_who_have_it(server: DoublecrossServer) -> None:
    picture = "/api/previews/puzzle/today/picture"
    made = await get(server, picture)
    assert (made.status, made.headers["content-type"]) == (200, "image/png")
    again = await get(server, picture, **{"if-none-match": made.headers["etag"]})
    assert (again.status, again.body) == (304, b"")
    assert (await get(server, "/api/previews/room/nothing/picture")).status == 404
