"""Tests for the page of a tournament: content, accessibility, safety, and plots."""

from __future__ import annotations

import base64
import importlib.util
import re
from dataclasses import replace
from html.parser import HTMLParser
from random import Random
from typing import Any
from xml.etree import ElementTree

import matplotlib
import pytest

from doublecross.cli.shared.console import Problem
from doublecross.cli.shared.report import plots
from doublecross.cli.shared.report.page import page
from doublecross.processes.installation import how_to_add
from doublecross.stats.results import Encounter, Place, Player, Results
from doublecross.stats.summary import Summary, summarise
from tests.stats.tournaments import game, pair, results, tournament

EVIL = "<script>alert('1')</script>"


def summary(found: Results, **options: Any) -> Summary:
    return summarise(found, Random(5), resamples=20, **options)


@pytest.fixture(scope="module")
def cup() -> Summary:
    """Return a summary: four players, one hostile; a crash, a void and an unfinished pair."""
    found = tournament({"rules": 150, EVIL: 50, "$x_1$ & co": 0, "random": -300}, 6)
    games = list(found.games)
    games[0] = replace(games[0], termination="crash")
    games[10:12] = [replace(g, void=True, termination="void") for g in games[10:12]]
    del games[21]
    return summary(
        replace(
            found,
            title=f"Cup {EVIL}",
            settings=EVIL,
            notes=(EVIL,),
            unit="boxes",
            games=tuple(games),
            players=tuple(Player(p.name, f"{p.name} 1") for p in found.players),
        )
    )


@pytest.fixture(scope="module")
def linked(cup: Summary) -> str:
    """Return its page, with links to the records."""
    return page(cup, link="games/{name}")


@pytest.fixture(scope="module")
def whole(cup: Summary) -> str:
    """Return its page, with hostile records in it."""
    return page(cup, records={g.name: f"1. a1\n\x1b{EVIL}\n" for g in cup.results.games[:3]})


class Page(HTMLParser):
    """Parses a page strictly: every element must be closed in the right order."""

    EMPTY = ("meta", "img", "br")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.tables: list[list[list[str]]] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")
        if tag not in self.EMPTY:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" in self._open:
            return
        self.text += data
        if {"td", "th"} & set(self._open):
            self.tables[-1][-1][-1] += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]

    def table(self, corner: str) -> list[list[str]]:
        """Return the table with this first cell."""
        (found,) = [table for table in self.tables if table[0][0] == corner]
        return found


def images(text: str) -> list[str]:
    """Return the SVG of all images."""
    found = re.findall(r'src="data:image/svg\+xml;base64,([^"]+)"', text)
    return [base64.b64decode(data).decode() for data in found]


def test_names_cannot_become_markup(whole: str) -> None:
    assert "<script" not in whole.lower()
    found = Page(whole)
    assert found.text.count(EVIL) > 10
    assert found.all("script") == []
    for svg in images(whole):
        tree = ElementTree.fromstring(svg)
        assert not [e for e in tree.iter() if e.tag.rpartition("}")[2] == "script"]
    (policy,) = [m["content"] for m in found.all("meta") if "http-equiv" in m]
    assert policy is not None
    assert policy.startswith("default-src 'none';")


def test_nothing_is_loaded_from_elsewhere(whole: str) -> None:
    found = Page(whole)
    addresses = [a[k] or "" for _, a in found.elements for k in ("src", "href") if k in a]
    kinds = {address.partition("-")[0].partition(",")[0] for address in addresses}
    assert kinds == {"data:image/svg+xml;base64", "#record"}
    assert not found.all("link")
    for svg in images(whole):
        assert not re.findall(r"""(?:url\(|href=)["']?(?!#)[^"']""", svg)


def test_everything_has_a_name_for_screen_readers(linked: str) -> None:
    found = Page(linked)
    assert [a["lang"] for a in found.all("html")] == ["en"]
    assert len(found.all("img")) == 3
    assert all(len(image["alt"] or "") > 40 for image in found.all("img"))
    assert all(cell.get("scope") in ("col", "row") for cell in found.all("th"))
    assert len(found.all("caption")) == len(found.tables) == 7
    assert all(link["aria-label"] for link in found.all("a"))


def test_the_tables_have_the_numbers(cup: Summary, linked: str) -> None:
    found = Page(linked)
    standings = found.tables[0]
    assert standings[0][:6] == ["Player", "Points", "Games", "Score", "Elo", "95 %"]
    for row, player in zip(standings[1:], cup.order, strict=True):
        standing = cup.standings[player]
        assert standing.rating is not None
        assert cup.results.players[player].name in row[0]
        assert row[4] == f"{standing.rating.elo:+.0f}"
        assert row[2] == str(standing.games)
        assert row[6:9] == [str(standing.won), str(standing.drawn), str(standing.lost)]
    cross = found.table("Points of … against")
    for row, player in zip(cross[1:], cup.order, strict=True):
        for text, other in zip(row[1:], cup.order, strict=True):
            if player == other:
                assert text == "·"
            else:
                met = cup.cells[player, other]
                assert text.endswith(f"{100 * met.pairs.score:.0f} %")
    stronger = found.table("Row above column")
    assert stronger[1][4] == ">99.9 %"
    ended = next(t for t in found.tables if t[0][1:2] == ["won: completed"])
    assert sum(int(row[-1].replace("–", "0")) for row in ended[1:]) == 1
    assert ended[0][-1] == "lost: crash"
    games = found.table("Pair")
    assert len(games) == 1 + len(cup.pairs) + len(cup.void) + len(cup.unfinished)
    remarks = [row[-1] for row in games]
    assert remarks.count("not counted: void, void") == 2
    assert remarks.count("not counted: unfinished pair") == 1
    assert remarks.count("crash") == 1
    assert "Not counted: 1 game of an unfinished pair (21)." in found.text


def test_a_pair_is_shown_from_its_first_players_view() -> None:
    games = [
        game(0, 0, (0, 1), 0, scores=(7, 2), name="a/b"),
        game(0, 1, (0, 1), 1, scores=(5, 4), name="c?"),
    ]
    text = page(summary(results(["A", "B"], games)), link="https://h/g/{name}?x=1")
    found = Page(text)
    assert found.table("Pair")[1] == ["1", "A", "B", "1 (7:2)", "0 (4:5)", "1–1", ""]
    assert [a["href"] for a in found.all("a")] == ["https://h/g/a%2Fb?x=1", "https://h/g/c%3F?x=1"]


def test_the_page_holds_records_that_it_does_not_link_to(cup: Summary, whole: str) -> None:
    found = Page(whole)
    targets = [a["href"] for a in found.all("a")]
    assert targets == [f"#record-{game.name}" for game in cup.results.games[:3]]
    assert [f"#{a['id']}" for _, a in found.elements if "id" in a] == targets
    assert found.text.count(f"1. a1\n\ufffd{EVIL}\n") == 3


def test_the_same_input_gives_the_same_page(cup: Summary, linked: str) -> None:
    with matplotlib.rc_context({"font.size": 20, "xtick.major.pad": 20, "svg.hashsalt": "x"}):
        assert page(cup, link="games/{name}") == linked


def test_plots_are_for_light_and_dark_and_their_names_are_text(linked: str) -> None:
    ratings, points, course = images(linked)
    for svg in (ratings, points, course):
        tree = ElementTree.fromstring(svg)
        texts = ["".join(e.itertext()) for e in tree.iter() if e.tag.endswith("}text")]
        assert any("rules" in text for text in texts)
        assert "$x_1$ & co" in [text.strip("\u200b") for text in texts]
        assert "prefers-color-scheme:dark" in svg
        assert "#0101" not in svg
        assert "var(--ink)" in svg
        assert "dc:date" not in svg
    assert ratings.count("var(--accent)") >= 4 * 3


def test_a_bar_without_an_end_is_an_arrow_inside_the_picture() -> None:
    games = [g for at in range(6) for g in pair(at, (0, 1), 0, 0)]
    text = page(summary(results(["A", "B"], games), anchor=1))
    games[:6] = [g for at in range(3) for g in pair(at, (0, 1), 1, 1)]
    closed = plots.ratings_svg(summary(results(["A", "B"], games), anchor=1))
    triangle = re.compile(r'd="M \S+ \S+ \sL \S+ \S+ \sL \S+ \S+ \sz')
    assert len(triangle.findall(images(text)[0])) == 1
    assert triangle.findall(closed) == []
    for svg in (images(text)[0], closed):
        assert not re.findall(r"\b(?:nan|inf)\b", svg)
    standings = Page(text).tables[0]
    assert standings[1][4] == "–"
    assert standings[1][5].startswith("above +")
    assert standings[2][5] == "fixed"
    assert "the results only show that it is at least" in text


def test_many_players_get_a_heat_map_and_the_strongest_are_plotted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(plots, "MOST_RATINGS", 5)
    monkeypatch.setattr(plots, "MOST_COURSES", 3)
    found = summary(tournament({f"bot{at}": 10.0 * at for at in range(17)}, 1))
    text = page(found)
    parsed = Page(text)
    assert parsed.text.count("The first 5 of 17.") == 2
    assert "The first 3 of 17." in parsed.text
    assert len(images(text)) == 4
    assert "data:image/png;base64," in images(text)[3]
    assert all(table[0][0] != "Points of … against" for table in parsed.tables)


def test_a_tournament_without_games_has_a_page() -> None:
    found = Page(page(summary(results(["A", "B"], []))))
    assert found.tables[0][1][:6] == ["1 A", "0", "0", "–", "–", "–"]
    assert found.all("img") == []
    assert "No pair is complete yet" in found.text
    nobody = Page(page(summary(results([], []))))
    assert nobody.tables == []
    assert "Nobody has joined yet." in nobody.text


def test_the_tournaments_own_places_come_first() -> None:
    games = [*pair(0, (0, 1), 0, None, opening=(1,)), *pair(2, (1, 0), 1, None, opening=(1,))]
    found = results(
        ["A", "B"],
        games,
        format="swiss",
        places=(Place(2, 2.0), Place(1, 4.0, byes=1)),
        encounters=(
            Encounter(1, 0, 1, (0,)),
            Encounter(2, 1, None, (1,)),
            Encounter(3, 1, 0, (2,)),
        ),
    )
    shown = Page(page(summary(found)))
    standings = shown.tables[0]
    assert [row[0] for row in standings[1:]] == ["1 B", "2 A"]
    assert [row[1] for row in standings[1:]] == ["42 of them for a bye", "2"]
    assert "WinnerB" in shown.text
    assert shown.table("Round")[1:] == [
        ["1", "A", "B", "1½–½"],
        ["2", "B", "–", "bye"],
        ["3", "B", "A", "1½–½"],
    ]
    games_table = shown.table("Pair")
    assert [row[:4] for row in games_table[1:]] == [
        ["1", "1", "A", "B"],
        ["2", "2", "B", "–"],
        ["3", "3", "B", "A"],
    ]
    assert games_table[2][-1] == "bye"
    assert "Pair 2 (B) was a bye, without games." in shown.text
    assert "All pairs are from 1 opening" in shown.text
    assert "no interval" in shown.text


def test_the_page_of_a_knockout_shows_who_went_on() -> None:
    games = [*pair(0, (0, 1), 0, None), *pair(2, (1, 0), 1, None)]
    found = results(
        ["A", "B"],
        games,
        format="knockout",
        places=(Place(1, 2.0), Place(2, 2.0)),
        encounters=(Encounter(1, 0, 1, (0, 2), onward=0),),
    )
    rounds = Page(page(summary(found))).table("Round")
    assert rounds == [
        ["Round", "Player", "Against", "Points", "Went on"],
        ["1", "A", "B", "2–2", "A"],
    ]


def test_only_rated_players_have_a_line_over_time_and_its_zero_is_named() -> None:
    games = [g for at in range(20) for g in pair(at, (0, 1), 0, 1)]
    games += [g for at in range(20, 40) for g in pair(at, (0, 2), 0, 0)]
    text = page(summary(results(["Ann", "Bob", "Cyd"], games)))
    ratings, _, course = images(text)
    assert "Cyd" in ratings
    assert "Cyd" not in course
    assert "Elo: the mean of Ann and Bob is 0" in course
    assert "Throughout, the mean of Ann and Bob is 0. A line begins where results" in text
    assert "Without a line: Cyd." in text


def test_names_in_any_script_and_controls_do_no_harm() -> None:
    names = ["日本語の名前", "a\u202eb\x00\n\x1b[31m", "\ud800", "_hidden", "n" * 300]
    text = page(summary(tournament(dict.fromkeys(names, 0.0), 2)))
    text.encode("utf-8")
    assert "\u202e" not in text
    svgs = images(text)
    assert "日本語の名前" in svgs[0]
    assert "_hidden" in svgs[2]
    for svg in svgs:
        ElementTree.fromstring(svg)


def test_without_matplotlib_one_sentence_names_the_extra(
    cup: Summary, monkeypatch: pytest.MonkeyPatch
) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "matplotlib" else find(name)
    )
    with pytest.raises(Problem) as caught:
        page(cup)
    assert caught.value.sentence == (
        "A report with plots needs packages that are not installed (matplotlib):"
        f" {how_to_add('reports')}"
    )
