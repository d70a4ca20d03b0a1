"""Asks GitHub: raw JSON through PyGithub's requester, retried, paged, and never half-believed.

PyGithub's own objects turn an odd answer into fields that are None; so only its requester is used,
for credentials, headers and addresses, and the JSON is taken as it came.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar
from urllib.parse import SplitResult, quote, urljoin, urlsplit

import requests
from github import Auth, Github
from github.Requester import Requester

from signoff_bot import __version__
from signoff_bot.errors import InvalidInput
from signoff_bot.evidence.strict_json import parse_json
from signoff_bot.github.failures import (
    LATER,
    BadCredentials,
    Forbidden,
    NoAnswer,
    OddAnswer,
    failure_of,
    rate_limit_of,
)
from signoff_bot.github.gate import Gate, Open
from signoff_bot.github.retry import Note, Patience, Retry
from signoff_bot.github.transport import Connection, fetch, new_session, no_answer

WIDTH = 16
"""Requests under way at once; GitHub allows 100, but counts bursts against its limits."""
API_VERSION = "2022-11-28"
JSON = "application/vnd.github+json"

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Answer:
    """A successful answer to a request."""

    request: str
    """Method and path, for messages."""
    data: Any
    """Its JSON; None where it has no body."""
    headers: Mapping[str, str]
    """With names in lower case."""


def segment(text: str) -> str:
    """A name made safe as one segment of a request's path (`feature/x` -> `feature%2Fx`)."""
    return quote(text, safe="")


def graphql_request(about: str) -> str:
    """How messages name a GraphQL query: they all go to the same path."""
    return f"POST /graphql ({about})"


def connect(
    api_url: str,
    token: str,
    *,
    graphql_url: str | None = None,
    patience: Patience = Patience(),  # noqa: B008 - immutable
    note: Note = lambda _: None,
    gate: Gate = Open(),  # noqa: B008 - without state
    kind: type[GitHubClient] | None = None,
) -> GitHubClient:
    """A client for the API at `api_url`, of the given kind; nothing is asked yet.

    Every request passes the `gate`.

    Raises:
        InvalidInput: an address is no web address, or GraphQL lives on another server.
        BadCredentials: the token cannot be one.
    """
    api = _address("GITHUB_API_URL", api_url)
    graphql = _address("GITHUB_GRAPHQL_URL", graphql_url or api_url)
    if (api.scheme, api.netloc) != (graphql.scheme, graphql.netloc):
        raise InvalidInput(
            f"GITHUB_GRAPHQL_URL: {graphql_url!r} is on another server than GITHUB_API_URL, "
            f"{api_url!r}; set both to the same GitHub"
        )
    token = token.strip()
    if not token or not token.isascii() or not token.isprintable() or " " in token:
        raise BadCredentials(
            "GITHUB_TOKEN",
            "it is empty or holds characters that no token has",
            "set it to the token alone",
        )
    path = graphql.path if graphql_url else Requester.get_graphql_prefix(api.path)
    return (kind or GitHubClient)(api_url, path, token, Retry(patience, note), gate)


def _address(variable: str, url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("https", "http") and parts.hostname and parts.port != 0
    except ValueError:
        usable = None
    if not usable:
        raise InvalidInput(
            f"{variable}: {url!r} is no address of a web server; begin it with https:// and a host"
        )
    return parts


class GitHubClient:
    """One GitHub, one token. Safe to use from many threads; a context manager that closes it."""

    def __init__(
        self, api_url: str, graphql_path: str, token: str, retry: Retry, gate: Gate
    ) -> None:
        self._api_url = api_url.rstrip("/")
        self._server = "{0.scheme}://{0.netloc}".format(urlsplit(api_url))
        # PyGithub takes a path as one below the API's own, and an address by its path alone.
        self._graphql_url = urljoin(api_url, graphql_path)
        self._token = token
        self._retry = retry
        self._gate = gate
        self._pool = ThreadPoolExecutor(WIDTH, thread_name_prefix="github")
        self._session = new_session(WIDTH)

    def __enter__(self) -> GitHubClient:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends all waiting and closes every connection."""
        self._retry.close()
        self._pool.shutdown(cancel_futures=True)
        self._session.close()

    def get(self, path: str, *, accept: str = JSON, **params: str | int) -> Answer:
        """The JSON that GitHub keeps at a path such as `/repos/o/r/pulls/1`.

        `accept` is the media type, where GitHub has several of JSON; `params` are the query.

        Raises:
            GitHubFailure: any kind of it.
        """
        return self.get_later(path, accept=accept, **params).result()

    def get_later(self, path: str, *, accept: str = JSON, **params: str | int) -> Future[Answer]:
        """Like `get`, without waiting for it."""
        request = f"GET {path}" + (f"?page={params['page']}" if "page" in params else "")
        return self._reading(lambda: self._exchange(request, "GET", path, params, accept=accept))

    def graphql(
        self, query: str, variables: Mapping[str, Any], about: str = "query"
    ) -> dict[str, Any]:
        """The `data` of a GraphQL query. Read-only: it may be asked more than once.

        `about` says in messages what is asked. Things that GitHub does not find are None.

        Raises:
            GitHubFailure: any kind of it.
        """
        body = {"query": query, "variables": dict(variables)}
        return self._reading(lambda: self._query(graphql_request(about), body)).result()

    def archive(self, path: str, most: int) -> bytes:
        """The file that GitHub redirects to from a path, fetched without the token.

        Raises:
            GitHubFailure: any kind of it; `Incomplete` when it is over `most` bytes.
        """
        request = f"GET {path}"
        return self._reading(lambda: self._fetch(request, path, most)).result()

    def post(self, path: str, body: Mapping[str, Any]) -> Answer:
        """Creates something. Asked once: a second time could create it twice."""
        return self._write("POST", path, body)

    def patch(self, path: str, body: Mapping[str, Any]) -> Answer:
        """Changes something. Asked once."""
        return self._write("PATCH", path, body)

    def delete(self, path: str) -> Answer:
        """Deletes something. Asked once."""
        return self._write("DELETE", path, None)

    def _fetch(self, request: str, path: str, most: int) -> bytes:
        location = self._location(request, path)
        self._gate.enter(request, "GET", "none")
        return fetch(request, location, most)

    def _reading(self, attempt: Callable[[], T]) -> Future[T]:
        return self._pool.submit(self._retry, attempt)

    def _write(self, verb: str, path: str, body: Mapping[str, Any] | None) -> Answer:
        request = f"{verb} {path}"
        return self._pool.submit(
            self._exchange, request, verb, path, {}, body, ok=(200, 201, 204)
        ).result()

    def _query(self, request: str, body: Mapping[str, Any]) -> dict[str, Any]:
        answer = self._exchange(request, "POST", self._graphql_url, {}, body)
        data = answer.data
        errors = data.get("errors", []) if isinstance(data, dict) else None
        if not isinstance(errors, list):
            raise OddAnswer(request, "odd answer from GitHub: it is no GraphQL answer")
        for error in errors:
            self._check_graphql(answer, error)
        if not isinstance(data.get("data"), dict):
            raise OddAnswer(request, "odd answer from GitHub: it has no data")
        found: dict[str, Any] = data["data"]
        return found

    def _check_graphql(self, answer: Answer, error: Any) -> None:
        """Raises what a GraphQL error stands for, except that something was not found.

        GraphQL tells of failures inside a successful answer; what was not found is null there.
        """
        kind = error.get("type") if isinstance(error, dict) else None
        said = f" ({kind})" if isinstance(kind, str) else ""
        words = str(error)[:500]
        if kind == "RATE_LIMITED" or "rate limit" in words.lower():
            limited = rate_limit_of(answer.request, answer.headers, words, too_many=True)
            if limited:
                self._gate.failed(limited)
                raise limited
        if kind in ("FORBIDDEN", "INSUFFICIENT_SCOPES"):
            raise Forbidden(answer.request, f"the token may not read this{said}")
        if kind != "NOT_FOUND":
            raise NoAnswer(answer.request, f"GitHub failed{said}", LATER)

    def _location(self, request: str, path: str) -> str:
        answer = self._exchange(request, "GET", path, {}, ok=(302,))
        location = answer.headers.get("location", "")
        if urlsplit(location).scheme not in ("https", urlsplit(self._server).scheme):
            raise OddAnswer(request, "GitHub redirects to what is no address of a web server")
        return location

    def _exchange(
        self,
        request: str,
        verb: str,
        url: str,
        params: Mapping[str, str | int],
        body: Mapping[str, Any] | None = None,
        ok: tuple[int, ...] = (200,),
        accept: str = JSON,
    ) -> Answer:
        """One request, one answer; no second try."""
        headers = {"Accept": accept, "X-GitHub-Api-Version": API_VERSION}
        resource = "graphql" if url == self._graphql_url else "core"
        enter = partial(self._gate.enter, request, verb, resource)
        connection: Any = Connection(self._session, self._server, enter)
        try:
            status, headers, text = self._requester().requestJson(
                verb, url, dict(params), headers, None if body is None else dict(body), connection
            )
        except requests.TooManyRedirects:
            raise OddAnswer(request, "GitHub redirects elsewhere", "check GITHUB_API_URL") from None
        except requests.RequestException as error:
            raise no_answer(request, error) from None
        self._gate.heard(headers)
        data, problem = _parse(text)
        if status not in ok:
            failure = failure_of(request, status, headers, data)
            self._gate.failed(failure)
            raise failure
        if problem:
            raise NoAnswer(request, f"GitHub's answer is no complete JSON ({problem})", LATER)
        return Answer(request, data, headers)

    def _requester(self) -> Requester:
        """A requester for one request: they keep state that threads must not share."""
        return Github(
            auth=Auth.Token(self._token),
            base_url=self._api_url,
            user_agent=f"signoff-bot/{__version__}",
            retry=None,
            seconds_between_requests=None,
            seconds_between_writes=None,
        ).requester


def _parse(text: str) -> tuple[Any, str | None]:
    """The JSON of a body and what is wrong with it; an empty body is None."""
    if not text:
        return None, None
    try:
        return parse_json(text), None
    except ValueError as error:
        return None, str(error)
