"""A client for many pull requests: what they have in common is asked for once.

Shared are files and rules of branches, the members of teams and what people may do: the same for
all pull requests of a repository, and fixed for the time of one audit. Nothing of a pull request
itself is ever shared.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Hashable, Mapping
from concurrent.futures import Future
from typing import Any, Self

from signoff_bot.github.client import JSON, Answer, GitHubClient
from signoff_bot.github.failures import Forbidden, GitHubFailure, NotFound

_SHARED = re.compile(
    r"/repos/[^/]+/[^/]+/(rules/branches|branches|git/blobs|collaborators)/.*"
    r"|/orgs/[^/]+/teams/[^/]+/members"
)
_FILE = re.compile(r"/repos/[^/]+/[^/]+/contents/.*")


class _Shared(Future[Any]):
    """A result for many.

    Each who asks gets an exception of their own: the one that is kept would collect, in its
    traceback, all that they had in hand.
    """

    def result(self, timeout: float | None = None) -> Any:
        failure = self.exception(timeout)
        if failure is None:
            return super().result()
        raise _bare(failure)

    def follow(self, other: Future[Any]) -> Self:
        """Ends as another does."""
        other.add_done_callback(self._end)
        return self

    def _end(self, other: Future[Any]) -> None:
        if other.cancelled():
            self.cancel()
        elif (failure := other.exception()) is not None:
            self.set_exception(failure)
        else:
            self.set_result(other.result())


def _bare(failure: BaseException) -> BaseException:
    """The same failure without its traceback."""
    mine = type(failure).__new__(type(failure), *failure.args)
    vars(mine).update(vars(failure))
    return mine


class SharingClient(GitHubClient):
    """Like its parent; equal questions about what is shared get one answer."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._lock = threading.Lock()
        self._answers: dict[Hashable, _Shared] = {}

    def get_later(self, path: str, *, accept: str = JSON, **params: str | int) -> Future[Answer]:
        """Like its parent's."""
        ask = super().get_later
        on_branch = str(params.get("ref", "")).startswith("refs/heads/")
        if _SHARED.fullmatch(path) or (on_branch and _FILE.fullmatch(path)):
            key = (path, accept, *sorted(params.items()))
            return self._once(key, lambda: _Shared().follow(ask(path, accept=accept, **params)))
        return ask(path, accept=accept, **params)

    def graphql(
        self, query: str, variables: Mapping[str, Any], about: str = "query"
    ) -> dict[str, Any]:
        """Like its parent's."""
        files = [value for name, value in variables.items() if name.startswith("file")]
        if not files or not all(str(file).startswith("refs/heads/") for file in files):
            return super().graphql(query, variables, about)
        mine = _Shared()
        answer = self._once((query, *sorted(variables.items())), lambda: mine)
        if answer is mine:
            try:
                mine.set_result(super().graphql(query, variables, about))
            except GitHubFailure as failure:
                mine.set_exception(_bare(failure))
        found: dict[str, Any] = answer.result()
        return found

    def _once(self, key: Hashable, ask: Callable[[], _Shared]) -> _Shared:
        with self._lock:
            found = self._answers.get(key)
            if found is None or (found.done() and not _settled(found)):
                found = self._answers[key] = ask()
            return found


def _settled(answer: _Shared) -> bool:
    """Whether asking again would tell nothing new; a mere failure may heal."""
    return answer.exception() is None or isinstance(answer.exception(), NotFound | Forbidden)
