"""Check the stored settings of the window, whatever has happened to the file meanwhile."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest

from doublecross.client.tk.home import ENTRIES, RECENT, Home, WindowSettings


def raw(folder: Path) -> dict[str, object]:
    found: dict[str, object] = json.loads((folder / "window.json").read_text())
    return found


def test_nothing_is_remembered_at_first(tmp_path: Path) -> None:
    home = Home(tmp_path / "new" / "folder")
    assert home.settings == WindowSettings()
    assert not (tmp_path / "new").exists()


def test_the_folder_is_the_users_own_unless_another_is_given() -> None:
    assert Home().folder == Path(os.environ["XDG_CONFIG_HOME"]) / "doublecross"


def test_what_is_saved_is_there_again(tmp_path: Path) -> None:
    home = Home(tmp_path / "a" / "b")
    kept = home.settings
    kept.name, kept.guest, kept.dark, kept.sound = "Łucja", "Bob", True, False
    kept.palette, kept.geometry, kept.overlay = "colour-blind", "800x600", True
    kept.create = {"game": "dots-and-boxes", "rows": "5"}
    home.save()
    assert Home(tmp_path / "a" / "b").settings == kept
    assert stat.S_IMODE((tmp_path / "a" / "b" / "window.json").stat().st_mode) == 0o600


def test_the_last_used_server_comes_first(tmp_path: Path) -> None:
    home = Home(tmp_path)
    for number in range(RECENT + 3):
        home.remember_server(f"ws://host:{number}")
    home.remember_server("ws://host:7")
    assert home.settings.recent[:2] == ["ws://host:7", f"ws://host:{RECENT + 2}"]
    assert len(home.settings.recent) == len(set(home.settings.recent)) == RECENT
    assert Home(tmp_path).settings.recent == home.settings.recent


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", '"text"', "\x00\xff", "[" * 100_000, '{"name": "Ann"']
)
def test_a_file_that_says_nothing_is_as_good_as_none(
    tmp_path: Path, text: str, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "window.json"
    path.write_bytes(text.encode("latin-1"))
    home = Home(tmp_path)
    assert home.settings == WindowSettings()
    assert "cannot be read" in caplog.text
    home.settings.name = "Ann"
    home.save()
    assert Home(tmp_path).settings.name == "Ann"


def test_of_a_file_with_nonsense_in_it_the_rest_is_taken(tmp_path: Path) -> None:
    found = {
        "name": 7,
        "guest": "Bob\n",
        "address": "half a character \ud800",
        "dark": 1,
        "sound": False,
        "recent": ["ws://a:1", 5, None, "ws://b:1\x07", *(f"ws://c:{n}" for n in range(99))],
        "create": {"rows": 5, "cols": "4"},
        "quick": ["no"],
        "of a newer version": {},
    }
    (tmp_path / "window.json").write_text(json.dumps(found))
    kept = Home(tmp_path).settings
    assert (kept.name, kept.guest, kept.address) == ("", "", "")
    assert (kept.dark, kept.sound) == (False, False)
    assert kept.recent[:2] == ["ws://a:1", "ws://c:0"]
    assert len(kept.recent) == RECENT
    assert (kept.create, kept.quick) == ({"cols": "4"}, {})


def test_a_folder_that_cannot_be_written_stops_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("")
    home = Home(tmp_path / "file" / "folder")  # not even root can make a folder in a file
    home.settings.name = "Ann"
    home.remember_server("ws://host:1")
    assert home.settings.recent == ["ws://host:1"]
    assert "cannot be written" in caplog.text


def test_what_could_not_be_written_is_written_later(tmp_path: Path) -> None:
    blocked = tmp_path / "folder"
    blocked.write_text("")
    home = Home(blocked)
    home.settings.name = "Ann"
    home.save()
    blocked.unlink()
    home.save()
    assert Home(blocked).settings.name == "Ann"


def test_two_windows_do_not_undo_each_others_choices(tmp_path: Path) -> None:
    first, second = Home(tmp_path), Home(tmp_path)
    first.settings.name = "Ann"
    first.remember_server("ws://first:1")
    second.settings.dark = True
    second.remember_server("ws://second:1")
    assert raw(tmp_path)["name"] == "Ann"
    assert raw(tmp_path)["dark"] is True
    assert raw(tmp_path)["recent"] == ["ws://second:1", "ws://first:1"]
    first.settings.sound = False
    first.save()
    kept = Home(tmp_path).settings
    assert (kept.name, kept.dark, kept.sound) == ("Ann", True, False)
    assert kept.recent == ["ws://second:1", "ws://first:1"]
    second.settings.name = "Bob"
    second.save()
    assert Home(tmp_path).settings.name == "Bob"


def test_a_save_that_is_cut_off_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = Home(tmp_path)
    home.settings.name = "Ann"
    home.save()

    def no_space(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", no_space)
    home.settings.name = "Bob"
    home.save()
    assert raw(tmp_path)["name"] == "Ann"
    assert [path.name for path in tmp_path.iterdir()] == ["window.json"]


def test_tokens_are_kept_by_server_and_name(tmp_path: Path) -> None:
    home = Home(tmp_path)
    paths = {
        home.token_file(server, name).path
        for server in ("ws://a:1", "ws://b:1", "here")
        for name in ("Ann", "Bob")
    }
    assert len(paths) == 6
    assert home.token_file("here", "ANN").path in paths
    assert {path.parent for path in paths} == {tmp_path / "players"}


def test_each_open_window_has_a_name_of_its_own(tmp_path: Path) -> None:
    first, second = Home(tmp_path), Home(tmp_path)
    for home, name in ((first, "Ann"), (second, "Zoe")):
        home.open_window()
        home.settings.name = name
        home.save()
    first.close_window()
    third = Home(tmp_path)
    third.open_window()
    assert third.settings.name == "Ann"  # the first number is free again
    for home in (second, third):
        home.close_window()
    first, second = Home(tmp_path), Home(tmp_path)
    for home in (first, second):
        home.open_window()
    assert (first.settings.name, second.settings.name) == ("Ann", "Zoe")
    for home in (first, second):
        home.close_window()


def test_a_window_without_a_number_works_all_the_same(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("no folder")
    home = Home(tmp_path / "file")
    home.open_window()
    assert home.settings.name == ""
    assert "cannot get a number" in caplog.text
    home.close_window()


def test_windows_add_and_drop_entries_without_touching_those_of_others(tmp_path: Path) -> None:
    one, other = Home(tmp_path), Home(tmp_path)
    one.settings.unfinished = {"a": "a-1", "b": "b-1"}
    one.save()
    other.settings.unfinished = {"c": "c-1"}
    other.save()
    assert Home(tmp_path).settings.unfinished == {"a": "a-1", "b": "b-1", "c": "c-1"}
    del one.settings.unfinished["a"]
    one.settings.unfinished["b"] = "b-2"
    one.save()
    assert Home(tmp_path).settings.unfinished == {"b": "b-2", "c": "c-1"}
    one.settings.hot_seats = {f"r{number}": "Zoe" for number in range(ENTRIES + 5)}
    one.save()
    assert next(iter(Home(tmp_path).settings.hot_seats)) == "r5"
