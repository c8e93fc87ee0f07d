"""Errors as RFC 9457 problem details: which kind is which status, and how an unexpected one is told."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse

from cortex.errors import Conflict, CortexError, Invalid, NotAllowed, NotFound, TooLarge, Upstream
from cortex.logs import get

_log = get(__name__)

KINDS: dict[type[CortexError], tuple[int, str, str]] = {
    NotFound: (404, "not_found", "Not found"),
    Conflict: (409, "conflict", "Conflict"),
    NotAllowed: (403, "not_allowed", "Not allowed"),
    TooLarge: (413, "too_large", "Too large"),
    Invalid: (422, "invalid", "Invalid input"),
    Upstream: (502, "upstream", "Something Cortex depends on failed"),
}
"""The status, `type` and title of each kind of error; of two that fit, the first one is meant."""

_STATUS_TITLES = {
    400: ("bad_request", "Bad request"),
    404: ("not_found", "Not found"),
    405: ("method_not_allowed", "Method not allowed"),
    413: ("too_large", "The request is too large"),
    415: ("unsupported", "Not understood"),
    416: ("range", "No such range"),
    428: ("precondition_required", "If-Match is missing"),
    421: ("misdirected", "This address is not Cortex's"),
    503: ("unavailable", "Not ready"),
}


def problem(status: int, kind: str, title: str, detail: str, **more: Any) -> JSONResponse:
    """A problem details response; `more` are extension members, left out where None."""
    body = {"type": kind, "title": title, "status": status, "detail": detail}
    body.update({name: value for name, value in more.items() if value is not None})
    return JSONResponse(body, status, media_type="application/problem+json")


def problem_fields(error: CortexError) -> dict[str, Any]:
    """The problem that a domain's error is, as a part of an answer that is none."""
    status, kind, title = next(told for base, told in KINDS.items() if isinstance(error, base))
    fields = {"type": kind, "title": title, "status": status, "detail": error.message}
    return fields if error.field is None else {**fields, "field": error.field}


def of_error(error: CortexError) -> JSONResponse:
    """The problem that a domain's error is."""
    fields = problem_fields(error)
    return JSONResponse(fields, fields["status"], media_type="application/problem+json")


def of_status(status: int, detail: str) -> JSONResponse:
    """The problem that a bare status is."""
    kind, title = _STATUS_TITLES.get(status, ("error", "Error"))
    return problem(status, kind, title, detail)


def unexpected(request_id: str | None) -> JSONResponse:
    """The problem that a mistake of ours is; what went wrong is for the log only."""
    detail = "Cortex made a mistake. The log says more; name the request id when you report it."
    return problem(500, "internal", "Internal error", detail, request_id=request_id)


def install(app: FastAPI) -> None:
    """Have every error of the app told as a problem."""
    app.add_exception_handler(CortexError, _cortex_error)
    app.add_exception_handler(RequestValidationError, _validation)
    app.add_exception_handler(HTTPException, _http)


async def _cortex_error(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, CortexError)
    if isinstance(error, Upstream):
        _log.warning("upstream failed", error=error.message)
    return of_error(error)


async def _validation(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    errors = [
        {"field": ".".join(str(part) for part in each["loc"][1:]) or str(each["loc"][0]), "detail": each["msg"]}
        for each in error.errors()
    ]
    first = errors[0]
    return problem(
        422, "invalid", "Invalid input", f"{first['field']}: {first['detail']}", field=first["field"], errors=errors
    )


async def _http(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    response = of_status(error.status_code, str(error.detail))
    response.headers.update(error.headers or {})
    return response
