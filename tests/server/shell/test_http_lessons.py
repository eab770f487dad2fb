"""Lessons over HTTP: what a client without rules needs, and nothing that contradicts the rules."""

from __future__ import annotations

from pathlib import Path

from doublecross.analysis.shipped.course import lessons
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes
from doublecross.server.shell.web.learning import lesson_answers as answers
from tests.protocol.wire import serving
from tests.server.shell.test_http import Reader


async def test_all_lessons_can_be_read_and_replayed(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, Reader(server) as http:
        course = answers.Lessons.model_validate(await http.get("/api/lessons"))
        assert [each.name for each in course.lessons] == [each.name for each in lessons()]
        assert "chain" in course.terms
        for entry, lesson in zip(course.lessons, lessons(), strict=True):
            found = answers.LessonAnswer.model_validate(
                await http.get(f"/api/lessons/{entry.name}")
            )
            assert [each.id for each in found.exercises] == entry.exercises
            for shown, exercise in zip(found.exercises, lesson.exercises, strict=True):
                game = DotsAndBoxes(DotsAndBoxes.parse_size(shown.size))
                state = game.replay((), shown.moves)
                assert state.current_player() == shown.seat
                named = [*shown.best, *shown.targets, *(a for w in shown.wrong for a in w.actions)]
                assert all(map(state.is_legal, named))
                game.replay((), [*shown.moves, *(step.action for step in shown.steps)])
                assert shown.best == list(exercise.best)
                assert bool(shown.targets) == bool(shown.why_not) == (shown.kind == "find")
        unknown = await http.get("/api/lessons/go", 404)
        assert unknown["error"].startswith("There is no such lesson")
        first = await http.client.get("/api/lessons/loops")
        again = await http.client.get(
            "/api/lessons/loops", headers={"If-None-Match": first.headers["etag"]}
        )
        assert again.status_code in (200, 304)
        assert first.content == (await http.client.get("/api/lessons/loops")).content
