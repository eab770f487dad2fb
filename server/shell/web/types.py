"""Write the page's types of HTTP answers: ``python -m doublecross.server.shell.web.types``.

The file is `client/web/types/api.d.ts`.
With ``--check`` it only compares the file and fails when it is stale.
"""

from __future__ import annotations

import inspect
import sys
from pathlib import Path
from typing import Final, Literal, TypeGuard

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from doublecross.protocol.common import WireModel
from doublecross.protocol.documentation.files import TYPES, write_or_check
from doublecross.protocol.documentation.typescript import NOTICE, interface
from doublecross.server.shell.web import answers
from doublecross.server.shell.web.boards import answers as board_answers
from doublecross.server.shell.web.learning import lesson_answers as course_answers
from doublecross.server.shell.web.learning import puzzle_answers
from doublecross.server.shell.web.managing import account_answers, admin_answers

COMMAND: Final = "python -m doublecross.server.shell.web.types"
TYPES_FILE: Final = "api.d.ts"
_MODULES: Final = (
    answers,
    board_answers,
    course_answers,
    puzzle_answers,
    account_answers,
    admin_answers,
)


def api_types() -> str:
    """Return the declarations of all answers. Parts of messages come from `wire.d.ts`."""
    models = [
        model
        for module in _MODULES
        for _, model in inspect.getmembers(module, inspect.isclass)
        if _is_answer(model)
    ]
    inputs: list[tuple[type[BaseModel], Literal["validation"]]] = []
    inputs += [(model, "validation") for model in models]
    _, found = models_json_schema(inputs, ref_template="#/$defs/{model}")
    shared = [
        name
        for name, model in inspect.getmembers(answers, inspect.isclass)
        if issubclass(model, WireModel)
    ]
    parts = [
        NOTICE.format(COMMAND),
        f'import type {{ {", ".join(shared)} }} from "./wire.d.ts";',
    ]
    names = {model.__name__ for model in models}
    parts += [
        interface(name, schema, complete=True)
        for name, schema in found["$defs"].items()
        if name in names
    ]
    return "\n\n".join(parts) + "\n"


def _is_answer(model: type[object]) -> TypeGuard[type[BaseModel]]:
    """Return whether a class is an answer with fields, or a part of one."""
    if issubclass(model, account_answers.Question | WireModel) or not issubclass(model, BaseModel):
        return False
    return bool(model.model_fields)


def generated() -> dict[Path, str]:
    """Return the current content of the file, by path."""
    return {TYPES / TYPES_FILE: api_types()}


def main(arguments: list[str] | None = None) -> int:
    """Write or check the file and return the exit code."""
    about = "Write client/web/types/api.d.ts from the answers of the HTTP interface."
    return write_or_check(generated(), COMMAND, about, arguments)


if __name__ == "__main__":
    sys.exit(main())
