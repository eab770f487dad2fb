"""Pictures of games over HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from io import BytesIO
from pathlib import Path

import httpx
import pytest
import pytest_asyncio
from PIL import Image

from doublecross.server.pictures import service
from doublecross.server.pictures.make import MEDIA
from doublecross.server.pictures.service import PictureOrder
from doublecross.server.shell.web.pictures import MOST_EACH
from tests.protocol.wire import Message, serving
from tests.server.shell.test_http import SMALL, Reader
from tests.server.shell.test_play_over_wire import play_out, table

pytestmark = [pytest.mark.processes, pytest.mark.asyncio(loop_scope="module")]


class Played:
    """An HTTP client of a server with a public and a private game, both of seven moves."""

    def __init__(self, http: httpx.AsyncClient, public: str, private: str, code: str) -> None:
        self.http = http
        self.public = public
        self.private = private
        self.code = code

    async def get(self, game: str, status: int = 200, **query: object) -> httpx.Response:
        answer = await self.http.get(f"/api/games/{game}/picture", params=query)  # type: ignore[arg-type]
        assert answer.status_code == status, answer.text
        return answer


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def played(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Played]:
    async with serving(tmp_path_factory.mktemp("pictures")) as server, Reader(server) as reader:
        ann, bob, room = await table(server, {**SMALL, "time": {"base_ms": 60_000}})
        over = await play_out(ann, bob, room)
        create: Message = {"type": "create_room", "settings": SMALL, "seat": 0, "key": "private"}
        made = await ann.ask({**create, "private": True})
        await bob.ask({"type": "join_room", "room": made["room"], "code": made["code"]})
        resigned = await ann.ask({"type": "resign", "room": made["room"]})
        await ann.close()
        await bob.close()
        yield Played(reader.client, over["game_id"], resigned["game_id"], made["code"])


@pytest.mark.parametrize(("kind", "media"), MEDIA.items())
async def test_a_game_has_pictures_of_all_formats(played: Played, kind: str, media: str) -> None:
    answer = await played.get(played.public, format=kind)
    assert answer.headers["content-type"].startswith(media)
    assert "content-encoding" not in answer.headers
    assert answer.headers["x-content-type-options"] == "nosniff"
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "sandbox" in policy
    assert f'filename="doublecross-{played.public}.{kind}"' in answer.headers["content-disposition"]
    if kind == "svg":
        assert "<svg" in answer.text
    else:
        image = Image.open(BytesIO(answer.content))
        assert getattr(image, "n_frames", 1) == (1 if kind == "png" else 8)


@pytest.mark.parametrize("kind", ["webp", "gif"])
async def test_a_replay_is_a_moving_picture_at_the_address_of_a_file(
    played: Played, kind: str
) -> None:
    path = f"/api/games/{played.public}/replay.{kind}"
    answer = await played.http.get(path)
    assert answer.content == (await played.get(played.public, format=kind)).content
    assert getattr(Image.open(BytesIO(answer.content)), "n_frames", 1) == 8
    assert (await played.http.get(path, params={"size": 721})).status_code == 400
    private = f"/api/games/{played.private}/replay.{kind}"
    assert (await played.http.get(private)).status_code == 404
    shown = await played.http.get(private, params={"code": played.code})
    assert "no-store" in shown.headers["cache-control"]


async def test_the_parameters_choose_position_size_and_theme(played: Played) -> None:
    default = await played.get(played.public)
    assert Image.open(BytesIO(default.content)).size[0] == 720
    small = await played.get(played.public, size=200, ply=3, theme="dark")
    assert Image.open(BytesIO(small.content)).size[0] == 200
    assert "-3.png" in small.headers["content-disposition"]
    assert (await played.get(played.public, format="svg", ply=3)).text.count("Move") >= 1


@pytest.mark.parametrize(
    "query",
    [
        {"format": "bmp"},
        {"size": 0},
        {"size": 159},
        {"size": 5000},
        {"format": "gif", "size": 721},
        {"ply": 8},
        {"ply": -1},
        {"theme": "pink"},
        {"nothing": 1},
    ],
)
async def test_a_bad_parameter_is_refused_with_a_sentence(played: Played, query: Message) -> None:
    answer = await played.get(played.public, 400, **query)
    assert answer.json()["error"].endswith(".")


async def test_a_private_game_is_shown_to_those_who_have_the_code(played: Played) -> None:
    missing = await played.get("none", 404)
    refused = await played.get(played.private, 404)
    assert refused.json()["error"].replace(played.private, "none") == missing.json()["error"]
    await played.get(played.private, 404, code="WRONG1")
    shown = await played.get(played.private, code=played.code)
    assert "no-store" in shown.headers["cache-control"]
    assert "public" in (await played.get(played.public)).headers["cache-control"]


async def test_a_busy_server_says_when_to_come_back(
    played: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service.FairQueue, "join", lambda *_: None)
    answer = await played.get(played.public, 503, size=333)
    assert int(answer.headers["retry-after"]) >= 1
    assert answer.json()["error"].endswith(".")


async def test_a_head_request_gets_no_picture(played: Played) -> None:
    answer = await played.http.head(f"/api/games/{played.public}/picture")
    assert answer.status_code == 200
    assert answer.content == b""


async def test_one_address_waits_for_few_pictures_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    release = asyncio.Event()

    async def slow(_: object, order: PictureOrder, source: str) -> bytes:
        await release.wait()
        return b"picture"

    monkeypatch.setattr(service.PictureService, "make", slow)
    async with serving(tmp_path, exempt_addresses="10.0.0.0/8") as server, Reader(server) as reader:
        ann, _bob, room = await table(server, SMALL)
        over = await ann.ask({"type": "resign", "room": room})
        path = f"/api/games/{over['game_id']}/picture"
        asked = [asyncio.create_task(reader.client.get(path)) for _ in range(MOST_EACH + 1)]
        done, waiting = await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
        (refused,) = done
        assert refused.result().status_code == 503
        assert "not made yet" in refused.result().text
        release.set()
        assert {(await each).status_code for each in waiting} == {200}
        assert (await reader.client.get(path)).status_code == 200
