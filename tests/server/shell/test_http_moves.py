"""What moves in Dots and Boxes do, over HTTP: kinds of edges, sentences, and what is refused."""

from __future__ import annotations

from pathlib import Path

from doublecross.analysis.course.moves import KINDS, edges_of
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes, DotsAndBoxesState
from doublecross.server.shell.web.learning import lesson_answers as answers
from tests.protocol.wire import serving
from tests.server.shell.test_http import Reader

OPENED = "b7 d7 f7 b5 d5 f5 g4 g2 b3 d3 b1 d1 f1 a6"


def position() -> DotsAndBoxesState:
    game = DotsAndBoxes(DotsAndBoxes.parse_size("3x3"))
    state = game.replay((), [game.parse_action(name) for name in OPENED.split()])
    assert isinstance(state, DotsAndBoxesState)
    return state


def listed(*actions: int) -> str:
    return ",".join(map(str, actions))


async def test_kinds_and_sentences_are_those_of_lessons_and_reviews(tmp_path: Path) -> None:
    state = position()
    at = f"size=3x3&moves={listed(*state.history())}"
    name = state.game.parse_action
    async with serving(tmp_path) as server, Reader(server) as http:
        found = answers.MoveKinds.model_validate(await http.get(f"/api/kinds?{at}"))
        assert [each.action for each in found.moves] == list(state.legal_actions())
        for kind in KINDS:
            meant = [each.action for each in found.moves if kind in each.kinds]
            assert meant == list(edges_of(kind, state))
        takes = {"before": 5, "after": 5, "best": name("c6"), "line": name("c6")}
        query = "&".join(f"{key}={value}" for key, value in takes.items())
        move = f"action={name('e6')}&before=5&after=-3&best={name('c6')}"
        said = answers.MoveSentences.model_validate(
            await http.get(f"/api/sentences?{at}&{move}&line={name('c6')}")
        )
        assert [each.text for each in said.sentences if each.rule == "cost"] == ["It cost 4 boxes."]
        fine = await http.get(f"/api/sentences?{at}&action={name('c6')}&{query}")
        assert not [each for each in fine["sentences"] if each["rule"] == "cost"]


async def test_what_cannot_be_played_is_refused_in_a_sentence(tmp_path: Path) -> None:
    state = position()
    at = f"size=3x3&moves={listed(*state.history())}"
    free, drawn = state.legal_actions()[0], state.history()[0]
    judged = f"{at}&action={free}&before=5&after=3"
    refused = {
        "/api/kinds": "Add the parameter size",
        "/api/kinds?size=9x9": "at most 64 boxes",
        "/api/kinds?size=no": "",
        "/api/kinds?size=3x3&moves=1,1": "drawn already",
        "/api/kinds?size=3x3&moves=1;2": "moves must be whole numbers",
        f"/api/sentences?{at}&action={drawn}&before=5&after=3&best={free}": "cannot be drawn",
        f"/api/sentences?{at}&action={free}&before=5.5&after=3&best=1": "before must be a whole",
        f"/api/sentences?{judged}": "Add the parameter best",
        f"/api/sentences?{judged}&best=": "best must name at least one move",
        f"/api/sentences?{judged}&best={drawn}": "best cannot be played here",
        f"/api/sentences?{judged}&best={free}&line={free},{free}": "line cannot be played here",
        f"/api/sentences?{judged}&best={free}&answer={free}": "answer cannot be played here",
    }
    async with serving(tmp_path) as server, Reader(server) as http:
        for address, sentence in refused.items():
            assert sentence in (await http.get(address, 400))["error"], address
