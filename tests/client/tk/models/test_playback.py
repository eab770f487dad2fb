"""What a spectator sees of a match, and when: paused, slowed down, behind, live."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from doublecross.client.language import tr
from doublecross.client.tk.models.latest import LatestSnapshots
from doublecross.client.tk.models.room.model import RoomModel
from doublecross.client.tk.models.room.playback import REPLAY_S, Playback
from doublecross.client.tk.models.room.text import RoomText
from tests.client.tk.models.rooms import ROBO, SeenRoom, settings
from tests.fakes.rooms import ANN


def watched(total: int = 10) -> Playback:
    """Return the playback of a spectator who has just come to match 1, which has `total` moves."""
    playback = Playback()
    playback.follow(1, total, over=False, now=0.0)
    return playback


def go(playback: Playback, total: int, now: float, *, over: bool = False, match: int = 1) -> None:
    playback.follow(match, total, over=over, now=now)


def run(playback: Playback, start: float, end: float) -> list[float]:
    """Tick every tenth of a second; return when a move appeared."""
    times = []
    for step in range(round((end - start) * 10) + 1):
        now = round(start + step / 10, 1)
        if playback.tick(now):
            times.append(now)
    return times


class TestLive:
    def test_a_match_that_has_begun_is_shown_at_its_latest_position(self) -> None:
        playback = watched(7)
        assert (playback.at, playback.behind, playback.still) == (None, 0, False)

    def test_moves_appear_as_they_come(self) -> None:
        playback = watched(7)
        go(playback, 9, 1.0)
        assert (playback.at, playback.behind) == (None, 0)
        assert run(playback, 1.0, 9.0) == []


class TestPause:
    def test_moves_wait_until_it_goes_on(self) -> None:
        playback = watched(10)
        playback.play_or_pause(1.0)
        assert (playback.at, playback.behind, playback.still) == (10, 0, True)
        go(playback, 13, 2.0)
        assert (playback.at, playback.behind) == (10, 3)
        assert run(playback, 2.0, 60.0) == []
        playback.play_or_pause(60.0)
        assert playback.pace == REPLAY_S
        assert run(playback, 60.0, 70.0) == [61.0, 62.0, 63.0]
        assert (playback.at, playback.behind) == (None, 0)

    def test_going_on_without_new_moves_is_live(self) -> None:
        playback = watched(10)
        playback.play_or_pause(1.0)
        playback.play_or_pause(2.0)
        assert (playback.at, playback.pace, playback.paused) == (None, None, False)

    def test_steps_pause_and_stay_within_the_match(self) -> None:
        playback = watched(10)
        playback.go_to(4)
        assert (playback.at, playback.behind, playback.paused) == (4, 6, True)
        playback.go_to(-3)
        assert playback.at == 0
        playback.go_to(99)
        assert (playback.at, playback.behind, playback.paused) == (10, 0, True)

    def test_live_jumps_and_shows_moves_as_they_come(self) -> None:
        playback = watched(10)
        playback.choose(2.0)
        playback.go_to(4)
        playback.live()
        assert (playback.at, playback.pace, playback.paused) == (None, None, False)
        go(playback, 12, 1.0)
        assert playback.behind == 0


class TestPace:
    @pytest.mark.parametrize("pace", [0.5, 1.0, 2.0])
    def test_no_two_moves_appear_faster(self, pace: float) -> None:
        playback = watched(0)
        playback.choose(pace)
        rng, now, total, times = Random(7), 0.0, 0, list[float]()
        before = 0
        for _ in range(4000):
            now += 0.05
            if total < 30 and rng.random() < 0.2:
                total += rng.choice((1, 1, 3))
                go(playback, total, now)
            playback.tick(now)
            shown = total - playback.behind
            if shown != before:
                assert shown == before + 1
                times.append(now)
            before = shown
        assert len(times) == total
        gaps = [after - at for at, after in pairwise(times)]
        assert min(gaps) >= pace - 1e-9
        assert playback.at is None

    def test_a_slow_move_appears_at_once(self) -> None:
        playback = watched(5)
        playback.choose(2.0)
        go(playback, 6, 100.0)
        assert playback.behind == 0
        go(playback, 7, 100.5)
        assert playback.behind == 1
        assert run(playback, 100.5, 110.0) == [102.0]

    def test_as_they_come_leads_to_the_latest_position_unless_paused(self) -> None:
        playback = watched(5)
        playback.choose(2.0)
        go(playback, 9, 1.0)
        assert playback.behind == 3
        playback.choose(None)
        assert playback.at is None
        playback.go_to(2)
        playback.choose(0.5)
        playback.choose(None)
        assert (playback.at, playback.paused) == (2, True)

    def test_from_the_start(self) -> None:
        playback = watched(3)
        playback.choose(0.5)
        playback.restart(10.0)
        assert (playback.at, playback.still) == (0, False)
        assert run(playback, 10.0, 20.0) == [10.5, 11.0, 11.5]
        empty = watched(0)
        empty.restart(1.0)
        assert empty.at is None


class TestChanges:
    def test_moves_that_are_taken_back_disappear(self) -> None:
        playback = watched(10)
        playback.go_to(8)
        go(playback, 6, 1.0)
        assert (playback.at, playback.behind, playback.paused) == (6, 0, True)
        live = watched(10)
        go(live, 8, 1.0)
        assert live.at is None

    def test_the_next_match(self) -> None:
        playback = watched(10)
        playback.go_to(4)
        go(playback, 1, 1.0, match=2)
        assert (playback.at, playback.paused) == (None, False)
        playback.choose(1.0)
        playback.restart(1.0)
        go(playback, 2, 1.5, match=3)
        assert playback.behind == 2
        assert run(playback, 1.5, 5.0) == [2.0, 3.0]


class TestEnd:
    def test_what_is_behind_plays_out_first(self) -> None:
        playback = watched(10)
        playback.choose(1.0)
        go(playback, 12, 1.0, over=True)
        assert (playback.behind, playback.hides_end) == (1, True)
        assert run(playback, 1.0, 5.0) == [2.0]
        assert (playback.hides_end, playback.still) == (False, True)

    def test_live_shows_the_end_at_once(self) -> None:
        playback = watched(10)
        playback.go_to(4)
        go(playback, 10, 1.0, over=True)
        assert playback.hides_end
        playback.live()
        assert not playback.hides_end

    def test_the_end_stays_known(self) -> None:
        playback = watched(10)
        go(playback, 10, 1.0, over=True)
        playback.go_to(3)
        assert (playback.at, playback.hides_end) == (3, False)
        playback.go_to(10)
        assert (playback.at, playback.paused) == (None, False)

    def test_play_begins_again_at_the_start(self) -> None:
        playback = watched(2)
        go(playback, 2, 1.0, over=True)
        assert playback.still
        playback.play_or_pause(5.0)
        assert (playback.at, playback.still) == (0, False)
        assert run(playback, 5.0, 9.0) == [6.0, 7.0]

    def test_a_pause_in_the_last_position_ends_with_the_match(self) -> None:
        playback = watched(10)
        playback.play_or_pause(0.0)
        go(playback, 10, 1.0, over=True)
        assert (playback.at, playback.hides_end) == (None, False)


class TestRoom:
    @pytest.fixture
    def room(self) -> SeenRoom:
        return SeenRoom(settings("1x1"), players=(ANN, ROBO), me="Zoe")

    def test_board_scores_turn_and_clocks_are_those_of_the_position_shown(
        self, room: SeenRoom
    ) -> None:
        room.moves("b1 a2 b3")
        model = RoomModel(room.seen())
        text = RoomText(model, LatestSnapshots())
        model.go_to(2)
        room.moves("c2")
        model.take(room.seen())
        assert [text.panel(seat).score for seat in (0, 1)] == [0, 0]
        assert (model.to_move, model.shown_to_move) == (None, 0)
        assert (text.panel(0).to_move, text.panel(1).thinking) == (True, False)
        assert model.clock(0, room.now) is None
        assert text.place[0] == "Move 2 of 4 · 2 moves behind"
        model.step(1)
        assert text.place[1] == tr("1 move behind")
        model.step(1)
        assert (text.panel(1).score, text.place[1]) == (1, "Paused")
        assert model.clock(0, room.now) is not None

    def test_the_result_waits_until_the_last_move_is_shown(self, room: SeenRoom) -> None:
        model = RoomModel(room.seen())
        text = RoomText(model, LatestSnapshots())
        model.choose_pace(1.0)
        room.moves("b1 a2 b3 c2")
        room.finish("completed", winner=1)
        model.take(room.seen())
        assert (model.over, model.shows_end, model.ending) == (True, False, None)
        assert text.to_latest == "Live"
        seen = []
        for tenth in range(1, 60):
            if (changes := model.tick(room.now + tenth / 10)) is not None:
                seen.append((tenth, len(changes.actions), model.ending is not None))
        assert seen == [(10, 1, False), (20, 1, False), (30, 1, True)]
        model.step(-1)
        assert model.ending is not None
        assert text.place[0] == "Move 3 of 4 · an earlier position"
        assert text.to_latest == "Back to the latest"

    def test_players_always_see_the_match(self, room: SeenRoom) -> None:
        room.moves("b1 a2 b3")
        model = RoomModel(room.seen(me="Ann"))
        model.go_to(1)
        assert not model.playback.paused
        room.moves("c2")
        room.finish("completed", winner=1)
        model.take(room.seen(me="Ann"))
        assert model.ending is not None
        assert model.position.viewing == 1
        assert model.tick(room.now + 99) is None
