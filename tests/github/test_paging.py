"""Reading lists to their end, and noticing when that did not work."""

from __future__ import annotations

from typing import Any

import pytest
from support.http_stub import Reply, Request, Stub

from signoff_bot.github import paging
from signoff_bot.github.client import GitHubClient
from signoff_bot.github.failures import Incomplete, NoAnswer, OddAnswer
from signoff_bot.github.paging import pages


def serve(
    stub: Stub, count: int, *, key: str | None = None, **changes: Any
) -> list[dict[str, int]]:
    """Serves a list as GitHub does; `changes` alter single pages (`page_2=...`)."""
    items = [{"id": n} for n in range(count)]

    def script(request: Request) -> Reply:
        size, page = int(request.query["per_page"]), int(request.query.get("page", 1))
        change = changes.get(f"page_{page}")
        found: Any = items[(page - 1) * size : page * size]
        last = max(-(-count // size), 1)
        here = f"{stub.url}/list?per_page={size}"
        links = [f'<{here}&page={last}>; rel="last"'] if page < last else []
        links += [f'<{here}&page={page + 1}>; rel="next"'] if page < last else []
        if change is not None:
            found = change(found)
        if isinstance(found, Reply):
            return found
        data = {"total_count": changes.get("total", count), key: found} if key else found
        return Reply(data, Link=", ".join(links))

    stub.scripts["/list"] = script
    return items


@pytest.mark.parametrize("key", [None, "jobs"])
@pytest.mark.parametrize("count", [0, 1, 100, 101, 1234])
def test_every_item_is_read_once_and_in_order(
    stub: Stub, client: GitHubClient, key: str | None, count: int
) -> None:
    items = serve(stub, count, key=key)
    assert pages(client, "/list", key) == items
    assert len(stub.seen) == max(-(-count // 100), 1)


def test_parameters_go_with_every_page(stub: Stub, client: GitHubClient) -> None:
    serve(stub, 201)
    pages(client, "/list", branch="a/b")
    assert {request.query["branch"] for request in stub.seen} == {"a/b"}


def test_a_list_without_a_last_page_is_followed_link_by_link(
    stub: Stub, client: GitHubClient
) -> None:
    def script(request: Request) -> Reply:
        cursor = int(request.query.get("after", 0))
        link = f'<{stub.url}/list?after={cursor + 1}>; rel="next"' if cursor < 3 else ""
        return Reply([cursor], Link=link)

    stub.scripts["/list"] = script
    assert pages(client, "/list") == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("key", "changes"),
    [
        (None, {"page_2": lambda _: []}),
        (None, {"page_3": lambda _: []}),
        ("jobs", {"page_1": lambda items: items[1:]}),
        ("jobs", {"page_3": lambda items: items[1:]}),
        ("jobs", {"page_2": lambda items: items[:-1] + items[:1]}),
        ("jobs", {"total": 249}),
        ("jobs", {"total": 251}),
    ],
)
def test_a_list_that_does_not_add_up_is_incomplete(
    stub: Stub, client: GitHubClient, key: str | None, changes: dict[str, Any]
) -> None:
    serve(stub, 250, key=key, **changes)
    with pytest.raises(Incomplete, match="GET /list: "):
        pages(client, "/list", key)


@pytest.mark.parametrize(("there", "counted"), [(3, 3), (3, 2), (120, 0), (0, 0)])
def test_a_list_may_be_longer_than_counted_elsewhere(
    stub: Stub, client: GitHubClient, there: int, counted: int
) -> None:
    items = serve(stub, there)
    assert pages(client, "/list", counted=lambda: counted) == items


def test_a_list_shorter_than_counted_elsewhere_is_looked_at_twice(
    stub: Stub, client: GitHubClient
) -> None:
    late = iter([True])
    items = serve(stub, 3, page_1=lambda found: [] if next(late, False) else found)
    assert pages(client, "/list", counted=lambda: 3) == items
    with pytest.raises(Incomplete, match="counts 4 items and gave 3"):
        pages(client, "/list", counted=lambda: 4)


def test_a_list_that_moved_while_it_was_read_is_read_anew(stub: Stub, client: GitHubClient) -> None:
    moved = iter([True])
    items = serve(
        stub, 250, key="runs", page_2=lambda found: found[1:] if next(moved, False) else found
    )
    assert pages(client, "/list", "runs") == items


@pytest.mark.parametrize(
    ("key", "reply"),
    [
        (None, Reply({"message": "hello"})),
        (None, Reply("text")),
        (None, Reply(raw=b"null")),
        ("jobs", Reply([1])),
        ("jobs", Reply({"jobs": []})),
        ("jobs", Reply({"total_count": 0})),
        ("jobs", Reply({"total_count": None, "jobs": []})),
        ("jobs", Reply({"total_count": True, "jobs": [{"id": 1}]})),
        ("jobs", Reply({"total_count": 1, "jobs": {"id": 1}})),
        ("jobs", Reply({"total_count": 1, "jobs": [{"id": None}]})),
        ("jobs", Reply({"total_count": 1, "jobs": [None]})),
    ],
    ids=str,
)
def test_an_answer_that_is_no_list_is_odd(
    stub: Stub, client: GitHubClient, key: str | None, reply: Reply
) -> None:
    stub.says("/list", reply)
    with pytest.raises(OddAnswer, match="GET /list: "):
        pages(client, "/list", key)


def test_a_failing_page_is_named(stub: Stub, client: GitHubClient) -> None:
    serve(stub, 350, page_3=lambda _: Reply({}, 500))
    with pytest.raises(NoAnswer, match=r"GET /list\?page=3: "):
        pages(client, "/list")


def test_what_github_does_not_list_is_not_asked_for(stub: Stub, client: GitHubClient) -> None:
    serve(stub, 1000, key="runs", total=1001)
    with pytest.raises(Incomplete, match="counts 1,001 items and lists only 1,000"):
        pages(client, "/list", "runs", reach=1000)
    assert len(stub.seen) == 1


@pytest.mark.parametrize(
    "link", ['<http://h/list?page=501>; rel="last"', '<http://h/list?page=x>; rel="last"', "x"]
)
def test_a_link_header_is_not_believed_blindly(stub: Stub, client: GitHubClient, link: str) -> None:
    stub.says("/list", Reply([1], Link=link))
    if "501" in link:
        with pytest.raises(Incomplete, match="501 pages"):
            pages(client, "/list")
    else:
        assert pages(client, "/list") == [1]
    assert len(stub.seen) == 1


def test_a_list_without_end_is_given_up(
    stub: Stub, client: GitHubClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paging, "MAX_PAGES", 5)
    stub.says("/list", Reply([1], Link=f'<{stub.url}/list?after=x>; rel="next"'))
    with pytest.raises(Incomplete):
        pages(client, "/list")
