"""Describe the server: its HTTP interface (OpenAPI), and the messages of its websocket."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from typing import Any, Final, Literal

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from doublecross.protocol.documentation.schema import json_schema
from doublecross.server.shell.web import answers
from doublecross.server.shell.web.endpoints import Endpoint, QueryParameter

PATH: Final = "/api/openapi.json"
_REF: Final = "#/components/schemas/{model}"
_COMMON: Final = {
    400: "A parameter is unknown or has a bad value.",
    429: "Too many requests come from your address; wait as `Retry-After` says.",
    503: "The server's storage does not answer, or too many requests wait.",
}


def described(endpoints: Sequence[Endpoint]) -> tuple[Endpoint, ...]:
    """Return these endpoints, and those that show the two documents about the server."""
    documents = (
        protocol_endpoint(),
        _document(
            PATH, "This document.", answers.OpenApi, lambda: document((*endpoints, *documents))
        ),
    )
    return *endpoints, *documents


def protocol_endpoint() -> Endpoint:
    """Return the endpoint that describes the messages."""
    about = "The messages of the websocket as JSON Schema (draft 2020-12)."
    return _document("/api/protocol.json", about, answers.WireSchema, json_schema)


def _document(
    path: str, about: str, answer: type[answers.HttpAnswer], make: Callable[[], dict[str, Any]]
) -> Endpoint:
    """Return the endpoint of a document that is always the same."""
    making: asyncio.Future[dict[str, Any]] | None = None

    async def show(_: Request) -> Response:
        nonlocal making
        # Few clients ask for the document, so make it when the first one does, in a thread.
        if making is None:
            making = asyncio.ensure_future(asyncio.to_thread(make))
        # A reader who goes must not end the work for the others.
        return JSONResponse(await asyncio.shield(making))

    return Endpoint(path, show, about, answer)


def document(endpoints: Sequence[Endpoint]) -> dict[str, Any]:
    """Return the OpenAPI 3.1 document of these endpoints."""
    found: list[type[BaseModel]] = [
        answers.ErrorAnswer,
        *(endpoint.answer for endpoint in endpoints),
        *(endpoint.question for endpoint in endpoints if endpoint.question is not None),
    ]
    models = dict.fromkeys(found)
    inputs: list[tuple[type[BaseModel], Literal["serialization"]]] = []
    inputs += [(model, "serialization") for model in models]
    _, schemas = models_json_schema(inputs, ref_template=_REF)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Doublecross",
            "version": "1",
            "description": "What a Doublecross server shows over HTTP. Answers to requests without "
            "a token are public, and pages of all sites may read them (CORS).",
        },
        "paths": {
            endpoint.path: {endpoint.method.lower(): _operation(endpoint)} for endpoint in endpoints
        },
        "components": {
            "schemas": schemas["$defs"],
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _operation(endpoint: Endpoint) -> dict[str, Any]:
    name = endpoint.answer.__name__
    text = {"text/plain": {"schema": {"type": "string"}}}
    content: dict[str, Any] = {"application/json": {"schema": {"$ref": _REF.format(model=name)}}}
    if endpoint.is_text:
        content = text
    elif endpoint.media:
        content = {kind: {"schema": {"type": "string"}} for kind in endpoint.media}
    elif endpoint.or_text:
        content |= text
    responses: dict[str, Any] = {"200": {"description": endpoint.about, "content": content}}
    for status, about in sorted({**_COMMON, **endpoint.errors}.items()):
        problem = {"schema": {"$ref": _REF.format(model=answers.ErrorAnswer.__name__)}}
        responses[str(status)] = {
            "description": about,
            "content": {"application/json": problem},
        }
        if status == 429:
            responses["429"]["headers"] = {
                "Retry-After": {"description": "seconds", "schema": {"type": "integer"}}
            }
    if endpoint.answer in (answers.HealthReport, answers.Readiness):
        responses["503"]["content"] = content
    operation: dict[str, Any] = {
        "operationId": f"{endpoint.method.lower()}{name}",
        "summary": endpoint.about,
        "parameters": [
            *(
                {"name": part, "in": "path", "required": True, "schema": {"type": "string"}}
                for part in re.findall(r"{(\w+)}", endpoint.path)
            ),
            *map(_parameter, endpoint.parameters),
        ],
        "responses": responses,
    }
    if endpoint.question is not None:
        question = {"schema": {"$ref": _REF.format(model=endpoint.question.__name__)}}
        operation["requestBody"] = {"required": True, "content": {"application/json": question}}
    if any(parameter.name == "code" for parameter in endpoint.parameters):
        operation["security"] = [{}, {"token": []}]
    return operation


def _parameter(parameter: QueryParameter) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string"}
    if parameter.most is not None:
        schema = {"type": "integer", "minimum": parameter.least, "maximum": parameter.most}
    elif parameter.choices:
        schema = {"type": "string", "enum": list(parameter.choices)}
    elif parameter.is_key:
        schema = {"type": "string", "pattern": r"^[0-9]{1,16}-[A-Za-z0-9_-]{1,60}$"}
    if parameter.default is not None:
        schema["default"] = parameter.default
    return {
        "name": parameter.name,
        "in": "query",
        "required": parameter.is_required,
        "description": parameter.about,
        "schema": schema,
    }
