"""Who may talk to this server: our own page and programs without an Origin, under our own names, and nobody else.

A page on another host can make a browser send requests to 127.0.0.1, or resolve a name of its own to it. So the Host must
be one of ours, and an Origin, where there is one, too. Plain ASGI, so that streams pass through untouched.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cortex.web.problems import of_status, problem

CANONICAL = "127.0.0.1"
"""The one loopback name that pages live under; a second name would be a second origin with a store of its own."""

LOOPBACK = frozenset({CANONICAL, "localhost", "::1"})

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "media-src 'self'",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)

_HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}

_PROGRAM_PATHS = ("/api/", "/health/", "/v1/")
"""What programs call: never redirected, and not cached unless the route says otherwise."""


@dataclass(frozen=True)
class Address:
    """A host name, lower case and without brackets, and a port as it was written ("" where it was not)."""

    host: str
    port: str

    @property
    def loopback(self) -> bool:
        return self.host in LOOPBACK


class Security:
    """ASGI middleware: Host and Origin checks, the redirect to the canonical origin, security headers."""

    def __init__(self, app: ASGIApp, public_url: str | None = None) -> None:
        self.app = app
        self._public = _origin(public_url) if public_url else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        refused = self._refuse(scope)
        await (refused or self.app)(scope, receive, _with_headers(send, scope["path"]))

    def _refuse(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        host = _address(headers.getlist("host"))
        if host is None or not self._ours(host):
            return of_status(421, "Cortex answers under 127.0.0.1, localhost and server.public_url only.")
        origin = headers.get("origin")
        if origin is not None and not self._our_origin(origin, host):
            return _foreign(f"the Origin {origin[:200]!r} is not Cortex's own page")
        if _fetched_by_another_site(scope["method"], headers):
            return _foreign("another site's page asked for it")
        if host.loopback and host.host != CANONICAL and _is_page(scope):
            return RedirectResponse(_canonical_url(scope, host), 307)
        return None

    def _ours(self, host: Address) -> bool:
        return host.loopback or (self._public is not None and host.host == self._public[1].host)

    def _our_origin(self, origin: str, host: Address) -> bool:
        named = _origin(origin)
        if named is None:
            return False
        if self._public and named == self._public:
            return True
        # Another port of this machine is another program: the port must be the one that was called.
        return named[0] == "http" and named[1].loopback and host.loopback and named[1].port == host.port


def _foreign(reason: str) -> Response:
    return problem(403, "foreign_origin", "Not allowed from another site", f"Refused: {reason}.")


def _fetched_by_another_site(method: str, headers: Headers) -> bool:
    """Requests without an Origin that another page makes, such as for an image; following a link is no such request."""
    site = headers.get("sec-fetch-site", "none")
    link = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
    return site in ("cross-site", "same-site") and not (link and method in ("GET", "HEAD"))


def _is_page(scope: Scope) -> bool:
    return scope["method"] in ("GET", "HEAD") and not scope["path"].startswith(_PROGRAM_PATHS)


def _canonical_url(scope: Scope, host: Address) -> str:
    raw: bytes = scope.get("raw_path") or scope["path"].encode()
    query: str = scope["query_string"].decode("latin-1")
    # Two slashes in front would name another host to the browser.
    path = "/" + raw.decode("latin-1").split("?")[0].lstrip("/")
    return f"http://{CANONICAL}" + (f":{host.port}" if host.port else "") + path + (f"?{query}" if query else "")


def _address(hosts: Iterable[str]) -> Address | None:
    """The Host header's address; None where there is none, several, or no clean one."""
    found = list(hosts)
    if len(found) != 1 or any(character in found[0] for character in "@/?#\\ \t"):
        return None
    return _split("//" + found[0])


def _origin(origin: str) -> tuple[str, Address] | None:
    scheme = origin.partition("://")[0].lower()
    address = _split(origin) if scheme in ("http", "https") else None
    return (scheme, address) if address else None


def _split(url: str) -> Address | None:
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    if not host:
        return None
    default = {"http": 80, "https": 443}.get(parts.scheme or "http")
    return Address(host.rstrip("."), "" if port is None or port == default else str(port))


def _with_headers(send: Send, path: str) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
            if path.startswith(_PROGRAM_PATHS):
                headers.setdefault("Cache-Control", "no-store")
            else:  # asked again each time, so that an upgrade never meets yesterday's modules
                headers.setdefault("Cache-Control", "no-cache")
        await send(message)

    return send_with_headers
