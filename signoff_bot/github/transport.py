"""HTTP below the API: PyGithub's connections, and files fetched from signed addresses."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urljoin, urlsplit

import requests
from github.Requester import RequestsResponse
from requests.adapters import HTTPAdapter

from signoff_bot.github.failures import LATER, Incomplete, NoAnswer

TIMEOUT = 15
"""Seconds to wait for a connection, and for the next bytes of an answer."""
FETCH_TIME = 120.0
"""Seconds that the fetch of one file may take in all."""
_CHUNK = 1 << 16
_MOVES = (301, 307, 308)
_MOST_MOVES = 3
_GARBLED = (requests.exceptions.ChunkedEncodingError, requests.exceptions.ContentDecodingError)


class _Preparing(requests.RequestException):
    """GitHub asks to come back for what it has not computed yet."""


def new_session(width: int) -> requests.Session:
    """A pool of connections for `width` threads, without retries and passwords of its own."""
    session = requests.Session()
    session.auth = _anonymous
    for scheme in ("https://", "http://"):
        session.mount(scheme, HTTPAdapter(max_retries=0, pool_maxsize=width))
    return session


def _anonymous(request: requests.PreparedRequest) -> requests.PreparedRequest:
    """Keeps the HTTP library from looking for a password in ~/.netrc."""
    return request


class Connection:
    """The connection of one request, as PyGithub uses them.

    PyGithub's own keeps the request under way in itself, so that two threads may get each other's
    answers; it drops the query when a renamed repository redirects, waits on "202 Accepted" without
    end, and guesses an answer's encoding.
    """

    def __init__(
        self, session: requests.Session, server: str, enter: Callable[[], None] = lambda: None
    ) -> None:
        """`enter` is called before each HTTP request, also where a redirect is followed."""
        self._session, self._server, self._enter = session, server, enter

    def request(
        self, verb: str, url: str, body: str | None, headers: dict[str, str], _stream: bool = False
    ) -> None:
        """Takes the request; `url` is a path with its query."""
        self._verb, self._url, self._body, self._headers = verb, url, body, headers

    def getresponse(self) -> RequestsResponse:
        """Sends the request, and follows a GET's redirects within the server.

        Raises:
            requests.TooManyRedirects: it is redirected, and may not or need not be followed.
            requests.RequestException: there is no answer.
            Stopped: `enter` allows no further request.
        """
        url = urljoin(self._server, self._url)
        for _ in range(_MOST_MOVES):
            self._enter()
            answer = self._session.request(
                self._verb,
                url,
                data=self._body,
                headers=self._headers,
                timeout=TIMEOUT,
                allow_redirects=False,
            )
            if answer.status_code not in _MOVES:
                return _readable(answer)
            url = self._target(url, answer)
        raise requests.TooManyRedirects

    def _target(self, url: str, answer: requests.Response) -> str:
        """Where a redirect leads, with the query of the request."""
        target = urlsplit(urljoin(url, answer.headers.get("location", "")))
        if self._verb != "GET" or f"{target.scheme}://{target.netloc}" != self._server:
            raise requests.TooManyRedirects
        return target._replace(query=target.query or urlsplit(url).query).geturl()


def _readable(answer: requests.Response) -> RequestsResponse:
    if answer.status_code == 202:
        raise _Preparing
    try:
        answer.content.decode()
    except UnicodeDecodeError:
        raise requests.exceptions.ContentDecodingError from None
    answer.encoding = "utf-8"
    return RequestsResponse(answer)


def no_answer(request: str, error: requests.RequestException) -> NoAnswer:
    """What an exception of the HTTP library means, without the addresses it likes to show."""
    if isinstance(error, requests.exceptions.SSLError):
        return NoAnswer(
            request,
            "the server's certificate cannot be verified",
            "check GITHUB_API_URL, and name your own authority's certificates in "
            "REQUESTS_CA_BUNDLE",
        )
    if isinstance(error, _Preparing):
        why = "GitHub is still preparing the answer"
    elif isinstance(error, requests.Timeout):
        why = f"no answer within {TIMEOUT} s"
    elif isinstance(error, _GARBLED):
        why = "the answer broke off or is garbled"
    else:
        why = "the connection failed or broke off"
        cause = error.args[0] if error.args else None
        reason = str(getattr(cause, "reason", "")).rpartition(": ")[2]
        why += f" ({reason})" if reason else ""
    return NoAnswer(request, why, LATER)


def fetch(request: str, location: str, most: int) -> bytes:
    """The file at a signed address, asked for without the token. `request` is for messages.

    Raises:
        NoAnswer: it cannot be had for now; such an address lives a minute, so ask for a new one.
        Incomplete: it has more than `most` bytes, or takes too long.
    """
    try:
        with requests.get(
            location, stream=True, timeout=TIMEOUT, allow_redirects=False, auth=_anonymous
        ) as answer:
            if answer.status_code != 200:
                raise NoAnswer(request, f"the storage answered HTTP {answer.status_code}", LATER)
            return _read(request, answer, most)
    except requests.RequestException as error:
        raise no_answer(request, error) from None


def _read(request: str, answer: requests.Response, most: int) -> bytes:
    deadline = time.monotonic() + FETCH_TIME
    content = bytearray()
    chunk: Any
    for chunk in answer.iter_content(_CHUNK):
        content += chunk
        if len(content) > most:
            raise Incomplete(request, f"the file is over {most:,} bytes, more than is read")
        if time.monotonic() > deadline:
            raise Incomplete(request, f"the file took over {FETCH_TIME:.0f} s", LATER)
    return bytes(content)
