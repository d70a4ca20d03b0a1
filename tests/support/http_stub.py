"""A tiny HTTP server that answers as scripted, for what a well-behaved GitHub never does."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit


class Reply:
    """One scripted answer. `cut` leaves out the last bytes; `drop` closes without an answer."""

    def __init__(
        self,
        data: Any = None,
        status: int = 200,
        *,
        raw: bytes | None = None,
        cut: int = 0,
        drop: bool = False,
        **headers: str,
    ) -> None:
        self.body = raw if raw is not None else b"" if data is None else json.dumps(data).encode()
        self.status, self.cut, self.drop = status, cut, drop
        self.headers = {
            "Content-Type": "application/json; charset=utf-8",
            "Date": "Thu, 25 Jun 2026 12:00:00 GMT",
        }
        self.headers |= {name.replace("_", "-"): value for name, value in headers.items()}

    def __str__(self) -> str:
        trouble = "dropped" if self.drop else f"cut {self.cut}" if self.cut else ""
        return f"{self.status} {self.body[:30]!r} {trouble}".strip()


Script = Callable[["Request"], Reply]


class Request:
    def __init__(self, handler: BaseHTTPRequestHandler) -> None:
        parts = urlsplit(handler.path)
        self.verb, self.path = handler.command, parts.path
        self.query = dict(parse_qsl(parts.query))
        self.headers = dict(handler.headers)
        self.body = handler.rfile.read(int(handler.headers.get("Content-Length", 0)))


class Stub:
    """The server: scripts by path, and every request it saw."""

    def __init__(self) -> None:
        self.scripts: dict[str, Script] = {}
        self.seen: list[Request] = []
        stub = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self) -> None:
                request = Request(self)
                stub.seen.append(request)
                script = stub.scripts.get(request.path)
                reply = script(request) if script else Reply({"message": "Not Found"}, 404)
                if reply.drop:
                    self.close_connection = True
                    return
                self.send_response_only(reply.status)
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(reply.body)))
                self.end_headers()
                self.wfile.write(reply.body[: len(reply.body) - reply.cut])
                self.close_connection = bool(reply.cut)

            do_GET = do_POST = do_PATCH = do_DELETE = answer  # noqa: N815

            def log_message(self, *args: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.01,))
        self.thread.start()

    def says(self, path: str, *replies: Reply) -> None:
        """Answers in turn, the last one from then on."""
        left = list(replies)
        self.scripts[path] = lambda _: left.pop(0) if len(left) > 1 else left[0]

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()
