"""A GitHub on the loopback interface: one `World`, served over HTTP.

with Loopback(world) as github:
    environment = {"GITHUB_API_URL": github.url, "GITHUB_TOKEN": "..."}
"""

from __future__ import annotations

import json
import socket
import threading
import time
import traceback
from collections.abc import Callable
from datetime import datetime
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from secrets import token_hex
from typing import Any, Self
from urllib.parse import parse_qs, unquote, urlsplit

from support.world import World
from wire.loopback.dispatch import Dispatcher
from wire.loopback.faults import AFTER_ANSWERING, Fault, Kind, break_
from wire.loopback.meter import Seen, rounds
from wire.loopback.request import Answer

STORAGE = "/storage/"


class Loopback:
    """The server: what it serves, what it saw, and what it is told to break.

    `delay` holds every answer back by so many seconds; `hourly` is the limit that headers tell of,
    counted down until `forget`. `violations` collects what GitHub's own
    description forbids, on either side.
    """

    def __init__(self, world: World, *, prefix: str = "") -> None:
        self.world = world
        self.delay = 0.0
        self.hourly = 5000
        self.faults: list[Fault] = []
        self.watchers: list[Callable[[Seen], object]] = []
        self.seen: list[Seen] = []
        self.violations: list[str] = []
        self.stored: dict[str, bytes] = {}
        self.lock = threading.Lock()
        self._http = _Server(("127.0.0.1", 0), _Handler)
        self._http.loopback = self
        self.origin = f"http://127.0.0.1:{self._http.server_address[1]}"
        self.url = self.origin + prefix
        self.dispatcher = Dispatcher(world, self.url, self.violations, self._sign)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    @property
    def rounds(self) -> int:
        return rounds(self.seen)

    def forget(self) -> None:
        """Starts counting anew."""
        self.seen.clear()

    def fail(self, kind: Kind, key: str | None = None, times: int | None = None) -> None:
        """Breaks every request, or those whose `key` begins with the given one."""
        self.faults.append(Fault(kind, lambda seen: key is None or seen.key.startswith(key), times))

    def watch(self, look: Callable[[Seen], object]) -> None:
        """Calls `look` on every request before it is answered; it may change the world."""
        self.watchers.append(look)

    def _sign(self, content: bytes) -> str:
        signature = token_hex(8)
        self.stored[signature] = content
        return f"{self.origin}{STORAGE}{signature}?sig={signature}"


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128
    loopback: Loopback

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is no news."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = 1 << 16
    server: _Server

    def log_message(self, format: str, *args: Any) -> None:
        """The server is silent; `Loopback.seen` is its log."""

    def do_GET(self) -> None:
        self._serve()

    do_POST = do_PATCH = do_DELETE = do_PUT = do_GET  # noqa: N815

    def _serve(self) -> None:
        github = self.server.loopback
        started = time.monotonic()
        length = int(self.headers.get("Content-Length") or 0)
        sent = self.rfile.read(length)
        url = urlsplit(self.path)
        seen = Seen(
            self.command,
            unquote(url.path),
            url.query,
            json.loads(sent) if sent else None,
            "Authorization" in self.headers,
            started,
        )
        if github.delay:
            time.sleep(github.delay)
        with github.lock:
            github.seen.append(seen)
            for look in github.watchers:
                look(seen)
            kind = next((f.kind for f in github.faults if f.strikes(seen)), None)
            if kind is None or kind in AFTER_ANSWERING:
                answer = self._answer(github, seen)
            else:
                answer = Answer(200, {})
            if kind is not None:
                answer = break_(answer, kind, f"{github.origin}{seen.path}?per_page=100&page=9")
        seen.ended = time.monotonic()
        self._send(github, answer, kind)

    def _answer(self, github: Loopback, seen: Seen) -> Answer:
        if seen.path.startswith(STORAGE):
            return self._archive(github, seen)
        try:
            return github.dispatcher.answer(
                seen,
                {name: values[-1] for name, values in parse_qs(seen.query).items()},
                self.headers.get("Authorization", ""),
                self.headers.get("Accept", ""),
            )
        except Exception:  # noqa: BLE001 - a defect of this server must not pass for GitHub's
            github.violations.append(traceback.format_exc())
            return Answer(500, {"message": "the loopback server is broken"})

    def _archive(self, github: Loopback, seen: Seen) -> Answer:
        """The storage behind artifacts: it takes a signature, and refuses a token beside it."""
        if seen.authorized:
            github.violations.append("a token was sent to the artifact storage")
            return Answer(400, raw=b"<Error>InvalidAuthenticationInfo</Error>")
        content = github.stored.get(seen.path.removeprefix(STORAGE))
        if content is None:
            return Answer(403, raw=b"<Error>AuthenticationFailed</Error>")
        return Answer(raw=content, content_type="application/zip")

    def _send(self, github: Loopback, answer: Answer, fault: Kind | None) -> None:
        body = answer.raw
        if body is None:
            body = b"" if answer.body is None else json.dumps(answer.body).encode()
        if fault in ("dropped", "answer lost") or (fault == "cut off" and not body):
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        self.send_response_only(answer.status)
        now = datetime.fromisoformat(github.world.now)
        headers = {
            "Date": format_datetime(now, usegmt=True),
            "Content-Type": answer.content_type,
            "Content-Length": str(len(body)),
            "X-GitHub-Media-Type": "github.v3",
            "X-RateLimit-Limit": str(github.hourly),
            "X-RateLimit-Remaining": str(max(github.hourly - len(github.seen), 1)),
            "X-RateLimit-Reset": str(int(now.timestamp()) + 3600),
            "X-RateLimit-Used": str(len(github.seen)),
            "X-RateLimit-Resource": "core",
        } | answer.headers
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        if fault == "cut off":
            self.close_connection = True
            body = body[: len(body) // 2]
        self.wfile.write(body)
        self.wfile.flush()
