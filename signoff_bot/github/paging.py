"""Reads GitHub's lists to their end: pages side by side, and counted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from requests.utils import parse_header_links

from signoff_bot.github.client import Answer, GitHubClient
from signoff_bot.github.failures import Incomplete, OddAnswer

PER_PAGE = 100
MAX_PAGES = 500
"""Longer lists are not read: 50,000 items are no honest pull request's."""


def pages(
    client: GitHubClient,
    path: str,
    key: str | None = None,
    *,
    counted: Callable[[], int] | None = None,
    reach: int | None = None,
    **params: Any,
) -> list[Any]:
    """All items of the list at a path.

    The list is the answer itself, or its field `key` beside `total_count`; then the items, told
    apart by `id`, must be as many. For a plain list, `counted` may tell how many GitHub counts
    elsewhere: there must not be fewer. `reach` is how many items GitHub gives at most.

    Raises:
        Incomplete: the list does not add up, or is longer than GitHub gives or we read.
        GitHubFailure: any other kind.
    """
    try:
        return _read(client, path, key, counted, reach, params)
    except _Moved:
        # Something came or went while the pages were read; a second look sees it settled.
        return _read(client, path, key, counted, reach, params)


class _Moved(Incomplete):
    """The pages do not fit together."""


def _read(
    client: GitHubClient,
    path: str,
    key: str | None,
    counted: Callable[[], int] | None,
    reach: int | None,
    params: dict[str, Any],
) -> list[Any]:
    request = f"GET {path}"
    params = {**params, "per_page": PER_PAGE}
    first = client.get(path, **params)
    total = _total(first) if key else counted() if counted else 0
    if reach is not None and total > reach:
        raise Incomplete(request, f"GitHub counts {total:,} items and lists only {reach:,}")
    answers = [first, *_later_pages(client, path, params, first)]
    lists = [_items(answer, key) for answer in answers]
    if len(lists) > 1 and not all(lists):
        raise _Moved(request, "a page of the list is empty; try again")
    items = [item for page in lists for item in page]
    distinct = {_id(request, item) for item in items} if key else items
    if len(items) < total or (key and not total == len(items) == len(distinct)):
        raise _Moved(request, f"GitHub counts {total:,} items and gave {len(items):,}; try again")
    return items


def _later_pages(
    client: GitHubClient, path: str, params: dict[str, Any], first: Answer
) -> list[Answer]:
    """The answers for the pages after the first, side by side as far as GitHub tells them."""
    last = _last_page(first)
    if last > MAX_PAGES:
        raise Incomplete(first.request, f"{last} pages, more than the {MAX_PAGES} that are read")
    later = [client.get_later(path, **params, page=number) for number in range(2, last + 1)]
    answers = [answer.result() for answer in later]
    while rest := _linked(answers[-1] if answers else first, "next"):
        if len(answers) >= MAX_PAGES:
            raise Incomplete(first.request, f"over {MAX_PAGES} pages, more than are read")
        answers.append(client.get(path, **rest))
    return answers


def _items(answer: Answer, key: str | None) -> list[Any]:
    found = answer.data
    if key is not None:
        found = found.get(key) if isinstance(found, dict) else None
    if not isinstance(found, list):
        raise OddAnswer(answer.request, f"odd answer from GitHub: {key or 'it'} is no list")
    return found


def _total(answer: Answer) -> int:
    total = answer.data.get("total_count") if isinstance(answer.data, dict) else None
    if not isinstance(total, int) or isinstance(total, bool) or total < 0:
        raise OddAnswer(answer.request, "odd answer from GitHub: total_count is no number")
    return total


def _id(request: str, item: Any) -> int:
    found = item.get("id") if isinstance(item, dict) else None
    if not isinstance(found, int):
        raise OddAnswer(request, "odd answer from GitHub: an item's id is no number")
    return found


def _linked(answer: Answer, rel: str) -> dict[str, Any]:
    """The query of the page that the `Link` header calls `rel`; empty without one."""
    for link in parse_header_links(answer.headers.get("link", "")):
        if link.get("rel") == rel:
            return dict(parse_qsl(urlsplit(link["url"]).query))
    return {}


def _last_page(answer: Answer) -> int:
    number = str(_linked(answer, "last").get("page", ""))
    return int(number) if number.isascii() and number.isdigit() and len(number) < 10 else 1
