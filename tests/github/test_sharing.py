"""The client that asks for what many pull requests share only once."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from support.http_stub import Reply, Stub

from signoff_bot.github.client import GitHubClient, connect
from signoff_bot.github.failures import NoAnswer, NotFound
from signoff_bot.github.retry import Patience
from signoff_bot.github.sharing import SharingClient

FILE = "/repos/o/r/contents/CODEOWNERS"


@pytest.fixture
def stub() -> Iterator[Stub]:
    server = Stub()
    yield server
    server.close()


@pytest.fixture
def client(stub: Stub) -> Iterator[GitHubClient]:
    with connect(stub.url, "t", patience=Patience(tries=1), kind=SharingClient) as made:
        yield made


@pytest.mark.parametrize(
    ("path", "params"),
    [
        (FILE, {"ref": "refs/heads/main"}),
        ("/repos/o/r/rules/branches/main", {"per_page": 100}),
        ("/repos/o/r/branches/main", {}),
        ("/repos/o/r/git/blobs/abc", {}),
        ("/repos/o/r/collaborators/ana/permission", {}),
        ("/orgs/o/teams/core/members", {"per_page": 100}),
    ],
)
def test_what_is_shared_is_asked_once(
    stub: Stub, client: GitHubClient, path: str, params: dict[str, str | int]
) -> None:
    stub.says(path, Reply([1]), Reply([2]))
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: client.get(path, **params).data, range(20)))
    assert answers == [[1]] * 20
    assert len(stub.seen) == 1


@pytest.mark.parametrize(
    ("path", "params"),
    [
        (FILE, {"ref": "a" * 40}),
        (FILE, {"ref": "refs/pull/1/head"}),
        ("/repos/o/r/pulls/1", {}),
        ("/repos/o/r/issues/1/comments", {}),
        ("/repos/o/r/actions/runs/1", {}),
        ("/repos/o/r/commits/abc/check-runs", {}),
    ],
)
def test_nothing_of_a_pull_request_is_shared(
    stub: Stub, client: GitHubClient, path: str, params: dict[str, str | int]
) -> None:
    stub.says(path, Reply([1]), Reply([2]))
    assert [client.get(path, **params).data for _ in range(2)] == [[1], [2]]


def test_other_questions_get_their_own_answers(stub: Stub, client: GitHubClient) -> None:
    stub.says(FILE, Reply([1]), Reply([2]), Reply([3]))
    asked = [("refs/heads/main", "a/b"), ("refs/heads/dev", "a/b"), ("refs/heads/main", "c/d")]
    found = [client.get(FILE, ref=ref, accept=accept).data for ref, accept in asked]
    assert found == [[1], [2], [3]]


def test_that_there_is_none_is_remembered_but_no_mere_failure(
    stub: Stub, client: GitHubClient
) -> None:
    for _ in range(2):
        with pytest.raises(NotFound):
            client.get(FILE, ref="refs/heads/main")
    assert len(stub.seen) == 1
    branch = "/repos/o/r/branches/main"
    stub.says(branch, Reply(status=502), Reply([1]))
    with pytest.raises(NoAnswer):
        client.get(branch)
    assert client.get(branch).data == [1]


def test_queries_about_files_of_branches_are_shared_and_no_others(
    stub: Stub, client: GitHubClient
) -> None:
    replies = [Reply({"data": {"n": number}}) for number in range(9)]
    stub.says("/graphql", *replies)
    shared = {"file": "refs/heads/main:CODEOWNERS", "name": "r"}
    assert [client.graphql("q", shared)["n"] for _ in range(3)] == [0, 0, 0]
    mixed = {"file0": "refs/heads/main:a", "file1": f"{'a' * 40}:b"}
    assert [client.graphql("q", mixed)["n"] for _ in range(2)] == [1, 2]
    assert [client.graphql("q", {"name": "r"})["n"] for _ in range(2)] == [3, 4]


class Heavy:
    """What somebody has in hand who asks."""


def test_an_answer_that_is_kept_keeps_nothing_of_who_asked(
    stub: Stub, client: GitHubClient
) -> None:
    stub.says(FILE, Reply({"message": "Not Found"}, 404))

    def ask() -> weakref.ref[Heavy]:
        heavy = Heavy()
        with pytest.raises(NotFound, match="check the name") as caught:
            client.get(FILE, ref="refs/heads/main")
        assert caught.value.request == f"GET {FILE}"
        return weakref.ref(heavy)

    held = [ask() for _ in range(3)]
    gc.collect()
    assert [one() for one in held] == [None] * 3
    assert len(stub.seen) == 1
