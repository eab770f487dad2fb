"""Show admins what players have reported."""

from __future__ import annotations

from typing import Final

from doublecross.server.core.errors import bad_parameter
from doublecross.server.core.people.social import Report
from doublecross.server.shell.authority import Authority
from doublecross.server.shell.web.managing import admin_answers as answers

MOST_LINES: Final = 200
"""How much of the talk of a match is shown."""


def report_line(report: Report) -> answers.ReportLine:
    """Return a report as it is listed."""
    return answers.ReportLine.model_validate(_fields(report))


def _fields(report: Report) -> dict[str, object]:
    game_id = None if report.room is None else f"{report.room}-{report.match}"
    names = answers.ReportLine.model_fields.keys() - {"game_id"}
    return {"game_id": game_id, **{name: getattr(report, name) for name in names}}


async def report_answer(authority: Authority, report_id: str) -> answers.ReportAnswer:
    """Return a report with what its reporter could hear in the game.

    Raises:
        Refused: there is no such report.
        StoreError: the database failed.
    """
    social = authority.store.social
    report = await social.report(report_id)
    if report is None:
        raise bad_parameter("There is no report with that id.")
    fields, room, code, lines = _fields(report), None, None, []
    if report.room is not None:
        lines = [
            answers.TalkLine.model_validate(line, from_attributes=True)
            for line in await social.talk(report.room, report.seated, MOST_LINES, report.match)
        ]
        row = await authority.store.game(str(fields["game_id"]))
        live = authority.lobby.rooms.get(report.room)
        if row is not None:
            code = row.code
        elif live is not None:
            room, code = live.id, live.terms.code
    return answers.ReportAnswer.model_validate(
        {**fields, "room": room, "code": code, "talk": lines}
    )
