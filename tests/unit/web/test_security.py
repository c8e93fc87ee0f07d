"""Other web pages stay out, whatever they make a browser send."""

from __future__ import annotations

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from cortex.web.security import CONTENT_SECURITY_POLICY, Security


async def _echo(request: Request) -> Response:
    return JSONResponse({"path": request.url.path})


def _client(base: str = "http://127.0.0.1:8765", public_url: str | None = None) -> httpx.AsyncClient:
    app = Starlette(routes=[Route("/{path:path}", _echo, methods=["GET", "POST", "PUT", "PATCH", "DELETE"])])
    return httpx.AsyncClient(transport=httpx.ASGITransport(Security(app, public_url)), base_url=base)


@pytest.mark.parametrize("host", ["127.0.0.1:8765", "localhost:8765", "[::1]:8765", "127.0.0.1", "LOCALHOST:8765"])
async def test_our_own_names_are_answered(host: str) -> None:
    async with _client() as client:
        response = await client.get("/api/status", headers={"Host": host})
    assert response.status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8765",
        "127.0.0.1.evil.example",
        "localhost.evil.example:8765",
        "evil.example@127.0.0.1:8765",
        "127.0.0.1:8765@evil.example",
        "127.0.0.1:8765/evil.example",
        "127.0.0.1:eight",
        "[::1",
        "0.0.0.0:8765",
        "",
    ],
)
async def test_pitfall_49_a_name_that_was_made_to_resolve_to_this_machine_is_refused(host: str) -> None:
    async with _client() as client:
        response = await client.get("/api/status", headers={"Host": host})
    assert response.status_code == 421
    assert response.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "GET"])
@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "null",
        "http://127.0.0.1:3000",
        "https://127.0.0.1:8765",
        "http://127.0.0.1.evil.example:8765",
        "x",
    ],
)
async def test_pitfall_49_a_page_on_another_host_is_refused(method: str, origin: str) -> None:
    async with _client() as client:
        response = await client.request(method, "/api/notes", headers={"Origin": origin})
    assert response.status_code == 403
    assert response.json()["type"] == "foreign_origin"
    assert "access-control-allow-origin" not in response.headers


@pytest.mark.parametrize("origin", [None, "http://127.0.0.1:8765", "http://localhost:8765", "http://[::1]:8765"])
async def test_no_origin_and_our_own_pass(origin: str | None) -> None:
    async with _client() as client:
        response = await client.post("/api/notes", headers={"Origin": origin} if origin else {})
    assert response.status_code == 200


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
async def test_an_image_tag_on_another_page_fetches_nothing_and_a_link_may_be_followed(site: str) -> None:
    image = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"}
    frame = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"}
    link = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    async with _client() as client:
        assert (await client.get("/api/search?q=x", headers=image)).status_code == 403
        assert (await client.get("/", headers=frame)).status_code == 403
        assert (await client.get("/d/1", headers=link)).status_code == 200
        assert (await client.post("/d/1", headers=link)).status_code == 403


@pytest.mark.parametrize("host", ["localhost", "[::1]"])
async def test_h9_pages_live_under_one_origin(host: str) -> None:
    async with _client(f"http://{host}:8765") as client:
        page = await client.get("/d/7?at=1-2")
        post = await client.post("/api/ask")
        api = await client.get("/api/status")
        outside = await client.get(f"http://{host}:8765//evil.example/x")
    assert page.status_code == 307
    assert page.headers["location"] == "http://127.0.0.1:8765/d/7?at=1-2"
    assert post.status_code == api.status_code == 200
    assert outside.headers["location"] == "http://127.0.0.1:8765/evil.example/x"


async def test_the_public_url_is_one_of_our_names() -> None:
    async with _client("https://notes.example.org", "https://notes.example.org") as client:
        assert (await client.post("/api/ask", headers={"Origin": "https://notes.example.org"})).status_code == 200
        assert (await client.post("/api/ask", headers={"Origin": "http://notes.example.org"})).status_code == 403
        assert (await client.post("/api/ask", headers={"Origin": "http://127.0.0.1:8765"})).status_code == 403
        assert (await client.get("/", headers={"Host": "other.example.org"})).status_code == 421


async def test_every_answer_forbids_what_we_do_not_need() -> None:
    async with _client() as client:
        responses = [
            await client.get("/"),
            await client.get("/api/status"),
            await client.get("/", headers={"Host": "evil.example"}),
        ]
    for response in responses:
        assert response.headers["content-security-policy"] == CONTENT_SECURITY_POLICY
        assert response.headers["x-content-type-options"] == "nosniff"
        assert response.headers["referrer-policy"] == "no-referrer"
    assert responses[0].headers["cache-control"] == "no-cache"
    assert responses[1].headers["cache-control"] == "no-store"
    assert "unsafe" not in CONTENT_SECURITY_POLICY
    assert "http" not in CONTENT_SECURITY_POLICY.replace("https:", "")


async def test_a_websocket_is_closed() -> None:
    sent: list[object] = []

    async def send(message: object) -> None:
        sent.append(message)

    await Security(Starlette())({"type": "websocket", "path": "/", "headers": []}, None, send)  # type: ignore[arg-type]
    assert sent == []
