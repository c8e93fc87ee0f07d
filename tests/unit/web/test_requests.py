"""The limit on bodies, the request ids, and errors as problems."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx
import pytest
from fastapi import FastAPI
from pydantic import BaseModel

from cortex.errors import Conflict, CortexError, Invalid, NotAllowed, NotFound, Upstream
from cortex.web import problems
from cortex.web.requests import BodyLimit, Mistakes, RequestId


class _Body(BaseModel):
    text: str


def _client(error: Exception | None = None) -> httpx.AsyncClient:
    app = FastAPI()
    problems.install(app)

    @app.post("/echo")
    async def echo(body: _Body) -> int:
        if error:
            raise error
        return len(body.text)

    app.add_middleware(Mistakes)
    app.add_middleware(BodyLimit, limit=1000)
    app.add_middleware(RequestId)
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1")


async def test_a_body_above_the_limit_is_refused() -> None:
    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(30):
            yield b"x" * 100

    async with _client() as client:
        announced = await client.post("/echo", json={"text": "x" * 1000})
        unannounced = await client.post("/echo", content=pieces(), headers={"Content-Type": "application/json"})
        fits = await client.post("/echo", json={"text": "x" * 900})
    assert announced.status_code == unannounced.status_code == 413
    assert announced.json()["type"] == "too_large"
    assert fits.json() == 900


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (NotFound("m"), 404),
        (Conflict("m"), 409),
        (NotAllowed("m"), 403),
        (Invalid("m", field="f"), 422),
        (Upstream("m"), 502),
    ],
)
async def test_every_kind_of_error_has_its_status(error: CortexError, status: int) -> None:
    async with _client(error) as client:
        response = await client.post("/echo", json={"text": ""})
    assert response.status_code == status
    assert response.headers["content-type"] == "application/problem+json"
    told = response.json()
    assert told["status"] == status
    assert told["detail"] == "m"
    assert told.get("field") == error.field


async def test_an_unexpected_error_tells_no_secrets_and_names_the_request() -> None:
    async with _client(RuntimeError("secret note text")) as client:
        response = await client.post("/echo", json={"text": ""})
    assert response.status_code == 500
    assert "secret" not in response.text
    assert response.json()["request_id"] == response.headers["x-request-id"]


async def test_a_wrong_body_names_the_field() -> None:
    async with _client() as client:
        wrong = await client.post("/echo", json={"text": 5})
        broken = await client.post("/echo", content=b"{", headers={"Content-Type": "application/json"})
        nowhere = await client.get("/nowhere")
    assert wrong.status_code == 422
    assert wrong.json()["field"] == "text"
    assert broken.status_code == 422
    assert nowhere.status_code == 404
    assert nowhere.headers["content-type"] == "application/problem+json"
