"""The files of pictures: SVG for an XML parser, the others for Pillow."""

from __future__ import annotations

from io import BytesIO
from xml.etree import ElementTree as ET

import pytest
from PIL import Image, ImageSequence

from doublecross.games.registry import GAMES
from doublecross.server.pictures.make import Format, make_picture, times_ms
from tests.server.pictures.games import played

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = ("<script>alert(1)</script>", '"/><image href="x" onerror=\'&amp;]]>\x00\x1b\ud800')


def opened(data: bytes) -> Image.Image:
    image = Image.open(BytesIO(data))
    image.load()
    return image


@pytest.mark.parametrize("key", list(GAMES))
@pytest.mark.parametrize("kind", ["png", "gif", "webp"])
def test_pillow_reads_the_pictures(key: str, kind: Format) -> None:
    record = played(key)
    image = opened(make_picture(record, kind, ply=None, width=240, theme="light"))
    assert image.format == kind.upper()
    assert image.width == 240
    assert getattr(image, "n_frames", 1) == (1 if kind == "png" else len(record.moves) + 1)


@pytest.mark.parametrize("kind", ["gif", "webp"])
def test_the_last_frame_is_the_final_position(kind: Format) -> None:
    record = played()
    options = {"ply": None, "width": 240, "theme": "light"}
    animation = opened(make_picture(record, kind, **options))  # type: ignore[arg-type]
    *_, last = (frame.convert("RGB") for frame in ImageSequence.Iterator(animation))
    still = opened(make_picture(record, "png", **options)).convert("RGB")  # type: ignore[arg-type]
    ours, theirs = last.tobytes(), still.tobytes()
    assert len(ours) == len(theirs)
    # An animation has fewer colours, which differ at the rims of letters and dots.
    assert sum(abs(a - b) for a, b in zip(ours, theirs, strict=True)) / len(ours) < 2


def test_an_animation_ends_at_the_wanted_move() -> None:
    animation = opened(make_picture(played(), "gif", ply=7, width=240, theme="light"))
    assert getattr(animation, "n_frames", 1) == 8


def test_a_game_without_moves_has_a_picture() -> None:
    for kind in ("svg", "png", "gif", "webp"):
        assert make_picture(played(plies=0), kind, ply=None, width=240, theme="light")  # type: ignore[arg-type]


def test_a_long_game_is_a_small_file() -> None:
    record = played(size={"rows": 6, "cols": 6})
    animation = make_picture(record, "gif", ply=None, width=480, theme="light")
    assert opened(animation).n_frames == 85  # type: ignore[attr-defined]
    assert len(animation) < 200_000


def test_an_animation_shows_two_or_three_moves_a_second_and_stays_at_the_end() -> None:
    _, *moves, last = times_ms(60)
    assert all(1000 / 3 <= ms <= 1000 / 2 for ms in moves)
    assert last > 3 * max(moves)
    assert sum(times_ms(500)) < 70_000


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_names_are_text_in_svg(theme: str) -> None:
    data = make_picture(played(players=HOSTILE), "svg", ply=5, width=480, theme=theme)  # type: ignore[arg-type]
    root = ET.fromstring(data)
    assert {each.tag.removeprefix(SVG) for each in root.iter()} == {
        *("svg", "title", "rect", "circle", "path", "text"),
    }
    attributes = {name for each in root.iter() for name in each.attrib}
    assert not {name for name in attributes if name.startswith("on") or "href" in name}
    assert "<script>alert(1)</script>" in (root.findtext(f"{SVG}title") or "")


def test_hostile_names_do_not_break_the_other_formats() -> None:
    for kind in ("png", "gif", "webp"):
        opened(
            make_picture(played(players=HOSTILE, plies=3), kind, ply=None, width=480, theme="light")
        )  # type: ignore[arg-type]
