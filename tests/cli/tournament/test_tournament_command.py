"""Tests for `doublecross tournament` as organisers and bot authors use it, with a real server."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from doublecross.cli.main import main
from doublecross.cli.shared.console import Problem
from doublecross.cli.shared.remote.reading import fetch, http_of
from doublecross.cli.tournament.options import FORMATS
from doublecross.client.tokens import TokenFile
from doublecross.games.record import parse_records
from doublecross.protocol.common import FormatKey
from tests.cli.commands import running

pytestmark = [pytest.mark.timeout(120), pytest.mark.usefixtures("fork_server")]

SMALL = "--size 2x2 --pairs 2 --seed 3"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the address of a server that the tests of this file share."""
    folder = tmp_path_factory.mktemp("server")
    line = "serve --json --host 127.0.0.1 --port 0 --http-port 0 --database games.db"
    with running(*line.split(), cwd=folder) as command:
        yield json.loads(command.line())["ws"]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


class Organiser:
    """Runs the commands of one user."""

    def __init__(self, server: str, capsys: pytest.CaptureFixture[str]) -> None:
        self._server = server
        self._capsys = capsys

    def __call__(self, *words: str) -> list[str]:
        """Run a command that must succeed; return its output."""
        code, out, err = self.run(*words)
        assert (code, err) == (0, "")
        return out.splitlines()

    def run(self, *words: str) -> tuple[int, str, str]:
        code = main(["tournament", *words, "--server", self._server])
        captured = self._capsys.readouterr()
        return code, captured.out, captured.err

    def json(self, *words: str) -> Any:
        return json.loads("\n".join(self(*words, "--json")))

    def refused(self, *words: str) -> str:
        """Run a command that must be refused; return the sentence."""
        code, out, err = self.run(*words)
        assert (code, out) == (2, "")
        assert err.startswith("Error: ")
        assert err.count("\n") == 1, err
        return err.removeprefix("Error: ").rstrip()

    def create(self, name: str, line: str = SMALL) -> str:
        """Create a tournament and return its id."""
        found: str = self.json("create", name, *line.split())["tournament"]
        return found


@pytest.fixture
def organiser(server: str, capsys: pytest.CaptureFixture[str], here: Path) -> Organiser:
    return Organiser(server, capsys)


def test_a_tournament_from_its_opening_to_its_report(
    organiser: Organiser, server: str, here: Path
) -> None:
    first, join, start = organiser("create", "Spring", *SMALL.split())
    tournament = first.split()[1]
    assert first == (
        f"Tournament {tournament} is open: round robin of Dots and Boxes 2x2, 10+0.1,"
        " 2 game pairs when two meet."
    )
    joins = f"doublecross tournament join {tournament} BOT --server {server}"
    assert join == f"Let a bot join: {joins}"
    assert start == (f"Start it: doublecross tournament start {tournament} --server {server}")
    assert organiser("status", tournament) == [
        "Spring",
        "round robin of Dots and Boxes 2x2, 10+0.1, 2 game pairs when two meet",
        "open",
        "Nobody has joined yet.",
    ]
    (line,) = [line for line in organiser("list") if line.startswith(tournament)]
    assert line.split()[1:4] == ["Spring", "round", "robin"]
    assert line.split()[-2:] == ["0", "open"]
    (listed,) = [each for each in organiser.json("list") if each["tournament"] == tournament]
    assert (listed["name"], listed["status"], listed["entrants"]) == ("Spring", "open", 0)
    assert "needs at least 2 players" in organiser.refused("start", tournament)

    mine = *joins.split()[1:3], tournament, "rules", "--server", server, "--name", "Ann's rules"
    other = "bot", "greedy", "--tournament", tournament, "--server", server
    with running(*mine, cwd=here) as one, running(*other, cwd=here) as two:
        until_its_end = (
            "has joined Spring, which has not started yet. It plays until the tournament ends."
        )
        assert one.line() == f"Ann's rules {until_its_end}"
        assert two.line() == f"greedy {until_its_end}"
        wait_for(organiser, tournament, 2)
        assert organiser("start", tournament) == ["Spring has started: 2 players, 4 games."]
        played = organiser("status", tournament, "--watch")
        assert (one.wait(), two.wait()) == (0, 0), one.errors + two.errors
    for bot, name in ((one, "Ann's rules"), (two, "greedy")):
        assert len(bot.seen) == 6
        assert bot.seen[-1].startswith(f"{name}: +")

    assert "finished, 4 of 4 games" in played
    found = organiser.json("status", tournament)
    assert (found["status"], found["games_played"]) == ("finished", 4)
    assert {entrant["player"] for entrant in found["entrants"]} == {"Ann's rules", "greedy"}
    (line,) = [line for line in organiser("list") if line.startswith(tournament)]
    assert line.split()[1:] == [
        "Spring",
        "round",
        "robin",
        "Dots",
        "and",
        "Boxes",
        "2x2",
        "10+0.1",
        "finished",
    ]
    (listed,) = [each for each in organiser.json("list") if each["tournament"] == tournament]
    assert (listed["name"], listed["status"], listed["entrants"]) == ("Spring", "finished", None)
    assert not any(line.startswith(tournament) for line in organiser("list", "--ended", "0"))
    organiser.refused("start", tournament)
    organiser.refused("aside", tournament, "greedy")

    files = "--report a.html --csv a.csv --json a.json --records a.txt --trf a.trf"
    code, out, err = organiser.run("report", tournament, *files.split())
    assert code == 0
    assert err.count("Wrote ") == 5
    assert out.splitlines()[:2] == [
        "Spring",
        "Dots and Boxes 2x2, round robin, 2 pairs when two meet, 10+0.1, seed 3,"
        " 2 pairs from 2 openings",
    ]
    assert len(parse_records((here / "a.txt").read_text())) == 4
    with (here / "a.csv").open() as file:
        games = list(csv.DictReader(file))
    assert sorted((game["pair"], game["game"]) for game in games) == [
        (pair, game) for pair in "12" for game in "12"
    ]
    assert json.loads((here / "a.json").read_text())["games"] == 4
    assert "Ann&#39;s rules" in (here / "a.html").read_text()
    assert "  Ann's rules  " in (here / "a.trf").read_text()


def wait_for(organiser: Organiser, tournament: str, players: int) -> None:
    """Wait until so many players have joined."""
    for _ in range(400):
        if len(organiser.json("status", tournament)["entrants"]) == players:
            return
    raise AssertionError("they do not come")


def test_players_set_aside_and_ended_tournaments_get_no_games(
    organiser: Organiser, server: str, here: Path
) -> None:
    tournament = organiser.create("Autumn", "--size 1x1 --late")
    bot = "bot", "random", "--name", "Bob", "--tournament", tournament, "--server", server
    with running(*bot, cwd=here) as command:
        wait_for(organiser, tournament, 1)
        assert organiser("aside", tournament, "Bob", "--reason", "too late") == [
            "Bob gets no more games."
        ]
        assert command.wait() == 1
        assert command.errors == "The tournament has excluded Bob: too late.\n"
    assert any("aside: too late" in line for line in organiser("status", tournament))
    assert organiser("back", tournament, "Bob") == [
        "Bob is taken back, but is offline, and gets games when it is here again.",
        f"Start the bot: doublecross tournament join {tournament} BOT --name Bob --server {server}",
    ]
    assert not any("aside" in line for line in organiser("status", tournament))
    assert "Bob is not excluded" in organiser.refused("back", tournament, "Bob")
    organiser("aside", tournament, "Bob", "--reason", "too late")
    assert "Nobody is not in this tournament" in organiser.refused("aside", tournament, "Nobody")
    assert organiser("end", tournament) == ["Autumn has ended after 0 games."]
    shown = organiser("status", tournament)
    assert shown[2].startswith("ended early")
    code, out, _ = organiser.run("report", tournament)
    assert code == 0
    assert "Bob was excluded: too late." in out


def test_a_tournament_by_days_has_one_pair_unless_it_is_asked(organiser: Organiser) -> None:
    out = organiser("create", "Slow", *["--time", "3d", "--people"])
    assert out[0].endswith(" 5x5, 3d a move, 1 game pair when two meet.")


def test_the_newest_tournaments_that_have_ended_come_first(organiser: Organiser) -> None:
    names = ["First", "Second", "Third"]
    ids = [organiser.create(name, "--format swiss --rounds 3") for name in names]
    assert organiser("status", ids[0])[1] == (
        "Swiss of Dots and Boxes 5x5, 3 rounds, 10+0.1, 10 game pairs when two meet"
    )
    for each in (ids[0], ids[2], ids[1]):
        organiser("end", each)
    listed = organiser.json("list", "--ended", "2")
    assert [each["name"] for each in listed if each["entrants"] is None] == ["Second", "Third"]
    lines = organiser("list", "--ended", "1")
    assert " ".join(lines[-1].split()[1:]) == "Second Swiss Dots and Boxes 5x5 10+0.1 ended early"


def test_a_watched_table_goes_on_after_a_restart(
    organiser: Organiser, server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament, answers = organiser.create("Restarted"), 0

    def cut_off(http: str, path: str) -> str:
        nonlocal answers
        answers += 1
        if answers == 2:
            assert main(["tournament", "end", tournament, "--server", server]) == 0
            raise Problem("The connection is lost.")
        return fetch(http, path)

    monkeypatch.setattr("doublecross.cli.tournament.results.fetch", cut_off)
    monkeypatch.setattr("doublecross.cli.tournament.reading.WATCH_S", 0.0)
    assert organiser("status", tournament, "--watch")[-2].startswith("ended early")


def test_tournaments_are_shown_over_http(organiser: Organiser, server: str) -> None:
    made = organiser.json("create", "People", *SMALL.split(), "--people", "--no-phrases")
    assert (made["terms"]["people"], made["terms"]["phrases"]) == (True, False)
    over_http = Organiser(http_of(server), organiser._capsys)
    assert over_http("status", made["tournament"]) == organiser("status", made["tournament"])
    here, there = (
        {each["tournament"]: each for each in by.json("list")} for by in (organiser, over_http)
    )
    # The list over HTTP has no number of players.
    assert there == {key: {**each, "entrants": None} for key, each in here.items()}


def test_a_tournament_with_set_moments_and_tie_breaks(organiser: Organiser) -> None:
    line = "--format swiss --rounds 3 --round-time 90 --tie-breaks buchholz,net"
    out = organiser("create", "Club", *line.split(), "--starts-at", "00:00")
    assert out[0].endswith(", 10 game pairs when two meet, a round every 1 h 30 min.")
    starts = out[2].removeprefix("It starts by itself at ").rstrip(".")
    assert starts.endswith(" 00:00")
    assert out[3].startswith("Start it earlier: doublecross tournament start ")
    assert organiser("status", out[0].split()[1])[2] == f"open, starts at {starts}"


def test_repeated_openings_are_reported(organiser: Organiser) -> None:
    code, out, err = organiser.run("create", "Tiny", "--size", "1x1", "--pairs", "9")
    assert code == 0
    assert out.startswith("Tournament t")
    assert err.endswith("They are repeated.\n")


def test_only_the_organiser_manages_a_tournament(
    organiser: Organiser, monkeypatch: pytest.MonkeyPatch, here: Path
) -> None:
    tournament = organiser.create("Winter")
    monkeypatch.setenv("XDG_STATE_HOME", str(here / "other"))
    for words in (("start", tournament), ("end", tournament), ("aside", tournament, "Bob")):
        assert " organises this tournament." in organiser.refused(*words)
    assert organiser("status", tournament)[0] == "Winter"


def test_an_organiser_has_the_name_that_they_chose(
    organiser: Organiser, monkeypatch: pytest.MonkeyPatch, here: Path
) -> None:
    out = organiser("create", "Autumn", *SMALL.split(), "--as", "Chess Club")
    tournament = out[0].split()[1]
    assert out[-1].endswith(" --as 'Chess Club'")
    assert organiser.refused("end", tournament) == (
        "Only Chess Club organises this tournament. With a name of your own, add --as NAME."
    )
    assert organiser.refused("end", tournament, "--as", "Robert").startswith("Only Chess Club")
    monkeypatch.setenv("DOUBLECROSS_ORGANISER", "Chess Club")
    assert organiser("end", tournament) == ["Autumn has ended after 0 games."]
    # Another user cannot take the name.
    monkeypatch.setenv("XDG_STATE_HOME", str(here / "other"))
    assert "The name Chess Club is taken" in organiser.refused("create", "Next")
    assert "cannot be the name" in organiser.refused("create", "Next", "--as", "a  b")


def test_guests_do_not_block_the_organiser(
    organiser: Organiser, server: str, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = organiser.create("Summer")
    with running("tournament", "status", tournament, "-w", "-s", server, cwd=here) as watching:
        assert watching.line() == "Summer: open, 0 players"
        assert organiser("end", tournament) == ["Summer has ended after 0 games."]
        assert watching.wait() == 0
    monkeypatch.setattr("doublecross.cli.shared.remote.connection._TURN_S", 0.0)
    file = TokenFile(here / "state" / "doublecross" / "guests", server, "organiser 1")
    assert file.hold()
    assert "Another command of yours is organising" in organiser.refused("create", "Next")
    file.release()
    organiser.create("Next")


def test_a_ladder_has_seasons_and_a_final(organiser: Organiser) -> None:
    ladder = organiser.create("Open", "--format ladder --size 2x2 --anchor rules=1500")
    organiser("start", ladder)
    line = f"The next season of Open is {ladder}-2, with 0 players."
    assert organiser("season", ladder, "--reset") == [line]
    assert f"The present season is {ladder}-2." in organiser("status", ladder)
    refused = organiser.refused("create", "Final", "--from", ladder, "--top", "2")
    assert refused.startswith("Invite at least two players")
    assert organiser("end", ladder) == ["Open has ended after 0 games."]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["status", "tnothing"], "There is no tournament tnothing."),
        (["report", "tnothing"], "There is no tournament tnothing."),
        (["status", "a b"], "'a b' is not the id of a tournament"),
        (["start", "tnothing"], "Tournament tnothing has ended, or there is none."),
        (["join", "tnothing", "random", "--name", "a  b"], "cannot be the name of a player"),
        (["create", "x" * 65], "1 to 64 characters"),
        (["create", "a\nb"], "1 to 64 characters"),
        (["create", "X", "--format", "swiss"], "needs a number of rounds"),
        (["create", "X", "--anchor", "rules"], "--anchor takes PLAYER=RATING"),
        (["create", "X", "--anchor", "rules=1500"], "Only a ladder has anchors"),
        (["create", "X", "--rounds", "3"], "follows from its players"),
        (["create", "X", "--invite", "a  b"], "A player's name has up to 32"),
        (["create", "X", "--invite", "Ann"], "Invite at least two"),
        (["create", "X", "--hero", "Ann"], "Only a gauntlet has a hero"),
        (["create", "X", "--late", "--format", "knockout"], "cannot be joined late"),
        (["create", "X", "--pairs", "10001"], "--pairs"),
        (["create", "X", "--patience", "1001"], "--patience"),
        (["create", "X", "--seed", "9" * 20], "--seed"),
        (["create", "X", "--starts-at", "noon"], "A moment looks like 19:30"),
        (["create", "X", "--starts-at", "2020-01-01 12:00"], "any moment of the coming year"),
        (["create", "X", "--round-time", "5"], "of a Swiss tournament and of a knockout"),
        (["create", "X", "--tie-breaks", "boxes"], "--tie-breaks takes some of net, buchholz"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else None,
)
def test_wrong_input_is_reported_in_one_sentence(
    organiser: Organiser, words: list[str], says: str
) -> None:
    assert says in organiser.refused(*words)


@pytest.mark.parametrize("line", ["bot random --tournament nope", "tournament join nope random"])
def test_a_bot_leaves_if_the_tournament_does_not_exist(
    line: str, server: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*line.split(), "--server", server]) == 2
    assert capsys.readouterr().err == "Error: There is no tournament nope.\n"


def test_the_formats_are_those_of_the_protocol() -> None:
    """The command repeats the formats, because its help must not import the protocol."""
    assert get_args(FormatKey) == FORMATS


def test_the_list_does_without_the_http_address(
    organiser: Organiser, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreachable(*_: object) -> str:
        raise Problem("The server at http://192.0.2.1 cannot be reached: no route to host.")

    tournament = organiser.create("Without pages")
    monkeypatch.setattr("doublecross.cli.tournament.results.fetch", unreachable)
    code, out, err = organiser.run("list")
    assert code == 0
    assert tournament in out
    text = " ".join(err.split())
    assert "cannot be reached: no route to host." in text
    assert "Tournaments that have ended are left out." in text
