"""Finished games of a tournament in play are read once, whatever their order in the storage."""

from __future__ import annotations

from typing import Any

import pytest

from doublecross.protocol.common import PairTag
from doublecross.server.core.storage import GameRow, StoreError
from doublecross.server.core.tournament_rows import Pairing
from doublecross.server.shell.web.running import MOST_KEPT, FinishedGames, KeptGames, answer_since
from tests.fakes.store import FakeStore
from tests.server.store import samples

TAG = PairTag(tournament="t", pairing=0, game=0, attempt=1)


def game(name: str, finished_ms: int, tournament: str = "t") -> GameRow:
    tag = TAG.model_copy(update={"tournament": tournament})
    return samples.game(name, finished_ms=finished_ms, tag=tag)


class Games:
    """A storage, and what was shown of its games."""

    def __init__(self) -> None:
        self.store = FakeStore()
        self.shown: list[str] = []
        self.finished = FinishedGames(self.store, "epoch", self._show)

    def _show(self, row: GameRow) -> dict[str, Any]:
        self.shown.append(row.game_id)
        return {"id": row.game_id}

    def add(self, *rows: GameRow) -> None:
        self.store.games_by_id |= {row.game_id: row for row in rows}

    async def names(self) -> tuple[str, list[str]]:
        kept = await self.finished.read("t")
        return kept.name, [text.split('"')[3] for text in kept.texts]


async def test_each_game_is_read_once() -> None:
    games = Games()
    games.add(game("b", 10), game("a", 20), game("other", 15, "u"))
    first = await games.names()
    games.add(game("c", 20), game("d", 30))
    second = await games.names()
    assert (first[1], second[1]) == (["b", "a"], ["b", "a", "c", "d"])
    assert first[0] == second[0]
    assert games.shown == ["b", "a", "c", "d"]


async def test_a_game_before_the_known_ones_begins_another_list() -> None:
    games = Games()
    games.add(game("b", 10), game("c", 20))
    first, _ = await games.names()
    games.add(game("a", 10))
    second, names = await games.names()
    assert names == ["a", "b", "c"]
    assert second != first


async def test_a_failure_of_the_storage_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    games = Games()
    games.add(game("a", 10))
    first, _ = await games.names()

    async def fails(*_: object, **__: object) -> Any:
        raise StoreError("no answer")

    with monkeypatch.context() as failing:
        failing.setattr(games.store, "tournament_games", fails)
        with pytest.raises(StoreError):
            await games.names()
    games.add(game("b", 20))
    assert await games.names() == (first, ["a", "b"])
    assert games.shown == ["a", "b"]


async def test_few_tournaments_are_kept() -> None:
    games = Games()
    first, _ = await games.names()
    for number in range(MOST_KEPT):
        await games.finished.read(f"u{number}")
    second, _ = await games.names()
    assert second != first
    games.finished.forget("t")
    assert (await games.names())[0] not in (first, second)


def test_a_pairing_that_is_done_is_left_out_after_others_that_are_done() -> None:
    states = ("done", "done", "open", "done")
    pairings = [Pairing(n, 0, 0, 1, (), state) for n, state in enumerate(states)]  # type: ignore[arg-type]
    kept = KeptGames("epoch-1", ['"x"', '"y"', '"z"'])

    def answer(since: str) -> str:
        return answer_since(since, kept, {"id": "t"}, pairings, lambda row: {"n": row.number})

    assert answer("epoch-1-2-1") == (
        '{"id": "t", "pairings": [{"n": 1}, {"n": 2}, {"n": 3}], "pairings_before": 1,'
        ' "games_before": 2, "cursor": "epoch-1-3-2", "games": ["z"]}'
    )
    assert '"games": []}' in answer("epoch-1-3-2")
    assert '"games": ["x", "y", "z"]}' in answer("epoch-2-3-2")
