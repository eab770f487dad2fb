"""Describe the addresses of the HTTP interface: their parameters and their answers.

One description serves three purposes. It checks requests: an unknown parameter or a bad value is
refused with a sentence. It documents the address (`openapi.py`). And tests compare real answers
with its model.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from types import MappingProxyType
from typing import Any, Final, TypeAlias, TypeVar
from urllib.parse import urlencode

from pydantic import BaseModel, ValidationError
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from doublecross.protocol.common import MAX_INT
from doublecross.protocol.errors import ErrorCode
from doublecross.protocol.text import refused_because
from doublecross.server.core.errors import Refused
from doublecross.server.core.storage import StoreError
from doublecross.server.shell.answers import READ_S
from doublecross.server.shell.web.below_path import prefix_of

_Model = TypeVar("_Model", bound=BaseModel)
Handler: TypeAlias = Callable[[Request], Awaitable[Response]]

BODY_S: Final = 10.0
"""Seconds in which the body of a request must have arrived."""
RETRY_S: Final = 5
"""Seconds after which to ask again when an answer could not be made."""
_WHOLE: Final = re.compile(r"[0-9]{1,16}")
_KEY: Final = re.compile(r"([0-9]{1,16})-([A-Za-z0-9_-]{1,60})")


class BadRequestError(Exception):
    """A request that the caller must change. The message is one sentence."""


@dataclass(frozen=True, slots=True)
class QueryParameter:
    """A parameter of the query.

    With `least` and `most` its value is a whole number, with `choices` one of these texts.
    """

    name: str
    about: str
    least: int | None = None
    most: int | None = None
    choices: tuple[str, ...] = ()
    default: int | str | None = None
    is_key: bool = False
    """True when it continues a list: the value is the `next` of the page before."""
    is_required: bool = False

    def read(self, text: str) -> Any:
        """Return the value that `text` stands for.

        Raises:
            BadRequestError: it is no value of this parameter.
        """
        if self.most is not None:
            value = int(text) if _WHOLE.fullmatch(text) else -1
            if self.least is None or not self.least <= value <= self.most:
                raise BadRequestError(
                    f"{self.name} must be a whole number from {self.least} to {self.most}."
                )
            return value
        if self.choices and text not in self.choices:
            raise BadRequestError(f"{self.name} must be {' or '.join(self.choices)}.")
        if self.is_key:
            found = _KEY.fullmatch(text)
            if found is None or int(found[1]) > MAX_INT:
                raise BadRequestError(f"{self.name} must come from the `next` of another answer.")
            return int(found[1]), found[2]
        return text


def limit(most: int, default: int) -> QueryParameter:
    """Return the parameter for the length of a list."""
    return QueryParameter("limit", "the most entries of the answer", 1, most, default=default)


AFTER: Final = QueryParameter("after", "continue a list; `next` of an answer has it", is_key=True)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One address: a description of its answers, and the function that makes them.

    The function reads the values of the parameters with `values`. `errors` explains the status
    codes that only this address answers with.
    """

    path: str
    handle: Handler
    about: str
    answer: type[BaseModel]
    parameters: tuple[QueryParameter, ...] = ()
    errors: Mapping[int, str] = field(default_factory=dict)
    is_text: bool = False
    """True when it answers with plain text, and not with JSON."""
    or_text: bool = False
    """True when it can answer with plain text too."""
    media: tuple[str, ...] = ()
    """The media types of an answer that is neither JSON nor plain text."""
    deadline_s: float | None = None
    """How long an answer may take, in seconds; None: `READ_S`."""
    question: type[BaseModel] | None = None
    """The body of the request, which is a POST then."""

    @property
    def method(self) -> str:
        """The method of requests."""
        return "GET" if self.question is None else "POST"

    def route(self) -> Route:
        """Return the route that checks the parameters and calls the function."""
        known = {parameter.name: parameter for parameter in self.parameters}

        async def handle(request: Request) -> Response:
            try:
                request.state.values = _read(request, known)
                async with asyncio.timeout(self.deadline_s or READ_S):
                    return tagged(await self.handle(request))
            except BadRequestError as bad:
                return error(400, str(bad))
            except Refused as refused:
                return refusal(refused)
            except StoreError as failed:
                return busy(str(failed))
            except TimeoutError:
                return busy("The server's storage does not answer; try again later.")

        return Route(self.path, handle, methods=[self.method])


def _read(request: Request, known: Mapping[str, QueryParameter]) -> dict[str, Any]:
    found = {name: parameter.default for name, parameter in known.items()}
    given = request.query_params.multi_items()
    # Otherwise all but one of them would be ignored silently.
    if len({name for name, _ in given}) < len(given):
        raise BadRequestError("Give each parameter only once.")
    for name, text in given:
        parameter = known.get(name)
        if parameter is None:
            names = ", ".join(known)
            raise BadRequestError(
                f"There is no parameter {name[:40]!r} here; "
                + (f"use {names}." if known else "this address has no parameters.")
            )
        found[name] = parameter.read(text)
    for name, parameter in known.items():
        if parameter.is_required and found[name] is None:
            what = " or ".join(parameter.choices) or parameter.about
            raise BadRequestError(f"Add the parameter {name}: {what}.")
    return found


def values(request: Request) -> dict[str, Any]:
    """Return the values of all parameters; those that are not given have their default or None."""
    found: dict[str, Any] = request.state.values
    return found


def next_page(request: Request, at_ms: int, name: str) -> str:
    """Return the address of the next page, after the entry with this time and id."""
    # `after` says where to go on, so it takes the place of `before_ms`.
    query = {k: v for k, v in request.query_params.items() if k not in ("after", "before_ms")}
    path = prefix_of(request.scope) + request.url.path
    return f"{path}?{urlencode({**query, 'after': f'{at_ms}-{name}'})}"


def tagged(answer: Response) -> Response:
    """Add a tag of the contents to a good answer, so that a reader need not load them again.

    Nobody may keep private answers, so they have no tag. The tag is weak, because compressed copies
    of the same contents differ in their bytes.
    """
    if "no-store" in answer.headers.get("cache-control", ""):
        return answer
    if answer.status_code == 200 and "etag" not in answer.headers:
        name = blake2b(answer.body, digest_size=12).hexdigest()
        answer.headers["ETag"] = f'W/"{name}"'
        answer.headers.setdefault("Cache-Control", "no-cache")
    return answer


_STATUS: Final[Mapping[ErrorCode, int]] = MappingProxyType(
    {
        ErrorCode.BAD_TOKEN: 401,
        ErrorCode.TOKEN_EXPIRED: 401,
        ErrorCode.BAD_LOGIN: 401,
        ErrorCode.CODE_NEEDED: 401,
        ErrorCode.MISSING_SCOPE: 403,
        ErrorCode.WRONG_KIND: 403,
        ErrorCode.BANNED: 403,
        ErrorCode.NOT_YOURS: 403,
        ErrorCode.UNKNOWN_TOKEN: 404,
        ErrorCode.UNKNOWN_BAN: 404,
        ErrorCode.UNKNOWN_PLAYER: 404,
        ErrorCode.UNKNOWN_ROOM: 404,
        ErrorCode.NAME_TAKEN: 409,
        ErrorCode.WRONG_STATE: 409,
        ErrorCode.TOO_MANY: 409,
        ErrorCode.RATE_LIMITED: 429,
        ErrorCode.CLOSING: 503,
        ErrorCode.DRAINING: 503,
        ErrorCode.STORAGE_FAILED: 503,
    }
)
"""The HTTP status of refusals; all others are 400."""


def refusal(refused: Refused) -> Response:
    """Return the answer to a request that was refused, with its stable code."""
    text = refused.sentence
    body = {"error": text, "code": refused.code.value, "phrase": text.phrase}
    status = _STATUS.get(refused.code, 400)
    answer = JSONResponse(body, status_code=status, headers={"cache-control": "no-store"})
    if status == 401:
        answer.headers["WWW-Authenticate"] = "Bearer"
    return answer


async def body_of(request: Request) -> bytes:
    """Return the body of a request.

    Raises:
        BadRequestError: it did not arrive in time, or the connection ended before.
    """
    try:
        async with asyncio.timeout(BODY_S):
            return await request.body()
    except TimeoutError:
        raise BadRequestError("The body of the request did not arrive in time.") from None
    except ClientDisconnect:
        raise BadRequestError("The connection ended before the body had arrived.") from None


async def read_body(request: Request, model: type[_Model]) -> _Model:
    """Return the JSON body of a request.

    Raises:
        BadRequestError: it is not what the model describes, or did not arrive in time. The sentence
            repeats nothing of it, because it may be secret.
    """
    body = await body_of(request)
    try:
        return model.model_validate_json(body)
    except ValidationError as wrong:
        raise BadRequestError(_problem(wrong)) from None


def _problem(wrong: ValidationError) -> str:
    first = wrong.errors(include_url=False, include_input=False, include_context=False)[0]
    where = ".".join(map(str, first["loc"]))
    if not where:
        return "Send a JSON object as the body of the request."
    if first["type"] == "missing":
        return f"The field {where} is missing."
    if first["type"] == "extra_forbidden":
        return f"There is no field {where[:40]!r} here."
    if first["type"] == "string_pattern_mismatch":
        return f"The field {where} has characters that are not allowed there."
    why = refused_because(first["type"], first["msg"])
    return f"The field {where} is wrong: {why[:1].lower()}{why[1:]}."


def error(status: int, message: str, code: str | None = None) -> Response:
    """Return an answer with an error, and its stable code if it has one."""
    body = {"error": message} if code is None else {"error": message, "code": code}
    return JSONResponse(body, status_code=status)


def busy(message: str) -> Response:
    """Return an answer with an error that will pass."""
    answer = error(503, message)
    answer.headers["Retry-After"] = str(RETRY_S)
    return answer
