"""List the lessons of the course, and check files with lessons: `doublecross lessons`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from doublecross.cli.shared.console import FAILED, Problem, out, say
from doublecross.cli.shared.family import family
from doublecross.cli.shared.tables import rows_table

if TYPE_CHECKING:
    from doublecross.analysis.course.lesson import Lesson

app = family("lessons")


@app.callback(invoke_without_command=True)
def lessons(context: typer.Context) -> None:
    """List the lessons of the course, or check lessons that you have written.

    The window shows them: doublecross play, then Learn.

    Example: doublecross lessons
    """
    if context.invoked_subcommand is not None:
        return
    from doublecross.analysis.shipped.course import lessons as shipped

    rows = ((each.name, each.title, len(each.exercises), each.goal) for each in shipped())
    names = ("Name", "Title", "Exercises", "Goal")
    out().print(rows_table(names, rows, right=("Exercises",), whole=("Name",)))


def check(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Files with one lesson each.")
    ],
) -> int:
    """Play every exercise of lessons with the exact solver, and say what is not true.

    It checks values, best moves, numbers and sentences about wrong moves, and that no two exercises
    have the same position. docs/lessons.md describes the format.

    Example: doublecross lessons check my-lesson.json
    """
    from doublecross.cli.shared.parsing import need_engines

    read = [_read(path) for path in files]
    need_engines()
    found = list(_faults(read))
    for sentence in found:
        say(sentence)
    if found:
        say(f"{len(found)} {'thing is' if len(found) == 1 else 'things are'} not true.")
        return FAILED
    count = sum(len(lesson.exercises) for lesson in read)
    say(f"All {count} exercises are true." if count != 1 else "The exercise is true.")
    return 0


def _read(path: Path) -> Lesson:
    from doublecross.analysis.course.reader import BadLesson, read_lesson
    from doublecross.analysis.shipped.course import lesson_name, terms

    try:
        text = path.read_text("utf-8")
    except OSError as error:
        raise Problem(f"{path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise Problem(f"{path} is not a text file in UTF-8.") from None
    try:
        return read_lesson(lesson_name(path.name), text, terms())
    except BadLesson as bad:
        raise Problem(f"{path}: {bad}") from None


def _faults(lessons: list[Lesson]) -> Iterable[str]:
    from doublecross.analysis.course.checks import alike, faults
    from doublecross.bots.teaching.lesson_values import TooEarly, exact_values

    for lesson in lessons:
        try:
            yield from faults(lesson, exact_values)
        except TooEarly as early:
            raise Problem(f"{lesson.name}: {early}") from None
    yield from alike(lessons)


app.command("check", help=" ".join((check.__doc__ or "").split("\n\n")[0].split()))(check)
