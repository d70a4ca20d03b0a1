"""Many files in one request, none of them believed without git's own id."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
from support.collecting import client_of
from support.http_stub import Reply, Stub
from support.wire_inferencex import REPO, TEMPLATE
from support.world import Repository
from wire.loopback.server import Loopback
from wire.loopback.shapes import blob_sha

from signoff_bot.evidence.base import Unread
from signoff_bot.github.client import GitHubClient
from signoff_bot.github.texts import read_texts

MAIN = "refs/heads/main"


def texts(github: Loopback, *paths: str, ref: str = MAIN) -> list[Any]:
    with client_of(github) as client:
        found = read_texts(client, REPO, [(path, ref) for path in paths])
    return [found[path, ref] for path in paths]


def requests(github: Loopback) -> list[str]:
    return [seen.path for seen in github.seen]


def test_many_files_at_several_refs_take_one_request(github: Loopback, repo: Repository) -> None:
    old = "c" * 40
    repo.trees[old] = {"a.yaml": b"old\n"}
    repo.put("a.yaml", "new\n")
    repo.put("b.yaml", "other\n")
    wanted = [("a.yaml", MAIN), ("b.yaml", MAIN), ("a.yaml", old), ("b.yaml", old)]
    with client_of(github) as client:
        found = read_texts(client, REPO, wanted)
    assert [found[one] for one in wanted] == ["new\n", "other\n", "old\n", None]
    assert requests(github) == ["/graphql"]


def test_no_file_takes_no_request(github: Loopback) -> None:
    assert texts(github) == []
    assert not github.seen


@pytest.mark.parametrize(
    "content",
    [b"", b"no line end", b"x" * 600_000 + b"\n", b"../elsewhere/form.md", "\ufeffa\n".encode()],
    ids=["empty", "one line", "cut off", "like a link", "with a mark"],
)
def test_what_does_not_prove_itself_is_asked_for_singly(
    github: Loopback, repo: Repository, content: bytes
) -> None:
    repo.put("odd", content)
    assert texts(github, "odd", TEMPLATE)[0] == content.decode()


def test_where_a_link_leads_is_what_is_read(github: Loopback, repo: Repository) -> None:
    repo.put("link", "docs/there.md")
    assert texts(github, "link") == ["docs/there.md"]
    assert f"/repos/{REPO}/contents/link" in requests(github), "GitHub follows links there"


def test_what_is_no_text_is_unread_and_leaves_the_others(
    github: Loopback, repo: Repository
) -> None:
    repo.put("binary", b"\xff\xfe\n")
    repo.put("docs/deep/x", "x\n")
    binary, folder, form, none = texts(github, "binary", "docs/deep", TEMPLATE, "none")
    assert isinstance(binary, Unread)
    assert "not UTF-8 text" in binary.unread
    assert isinstance(folder, Unread)
    assert "docs/deep is no file" in folder.unread
    assert isinstance(form, str)
    assert none is None


@pytest.mark.parametrize("ref", ["refs/heads/gone", "c" * 40])
def test_a_ref_that_cannot_be_seen_is_no_missing_file(github: Loopback, ref: str) -> None:
    (found,) = texts(github, TEMPLATE, ref=ref)
    assert isinstance(found, Unread)
    assert f"{ref} cannot be seen" in found.unread


@pytest.mark.parametrize("kind", ["403", "500", "graphql errors", "null", "wrong type"])
def test_when_the_request_fails_every_file_says_so(github: Loopback, kind: Any) -> None:
    github.fail(kind, "POST /graphql")
    for found in texts(github, TEMPLATE, "none"):
        assert isinstance(found, Unread)
        assert "2 files of" in found.unread


def test_files_come_by_the_batch(github: Loopback, repo: Repository) -> None:
    names = [f"f{number:02}" for number in range(45)]
    for name in names:
        repo.put(name, f"{name}\n")
    assert texts(github, *names) == [f"{name}\n" for name in names]
    assert requests(github) == ["/graphql"] * 3


BLOB = {"__typename": "Blob", "oid": blob_sha(b"hi\n"), "text": "hi\n"}
REF = {"__typename": "Commit", "oid": "c" * 40}


@pytest.mark.parametrize(
    "answer",
    [
        {},
        {"ref0": REF},
        {"ref0": REF, "file0": BLOB, "file1": BLOB},
        {"ref0": REF, "file0": {"__typename": "Blob"}},
        {"ref0": REF, "file0": BLOB | {"text": 5}},
        None,
    ],
)
def test_an_answer_of_another_shape_is_odd(stub: Stub, client: GitHubClient, answer: Any) -> None:
    stub.says("/graphql", Reply({"data": {"repository": answer}}))
    found = read_texts(client, "o/r", [("f", MAIN)])["f", MAIN]
    assert isinstance(found, Unread)
    assert "odd answer" in found.unread


@pytest.mark.parametrize(
    "blob", [BLOB | {"oid": "d" * 40}, BLOB | {"text": "ho\n"}, BLOB | {"text": None}]
)
def test_a_text_that_is_not_the_blobs_is_asked_for_singly(
    stub: Stub, client: GitHubClient, blob: dict[str, Any]
) -> None:
    stub.says("/graphql", Reply({"data": {"repository": {"ref0": REF, "file0": blob}}}))
    content = {"type": "file", "size": 3, "sha": "s", "encoding": "base64", "content": "aGkK"}
    stub.says("/repos/o/r/contents/f", Reply(content))
    assert read_texts(client, "o/r", [("f", MAIN)]) == {("f", MAIN): "hi\n"}


def test_ids_of_either_length_are_gits(stub: Stub, client: GitHubClient) -> None:
    oid = hashlib.sha256(b"blob 3\0hi\n").hexdigest()
    answer = {"ref0": REF, "file0": BLOB | {"oid": oid}}
    stub.says("/graphql", Reply({"data": {"repository": answer}}))
    assert read_texts(client, "o/r", [("f", MAIN)]) == {("f", MAIN): "hi\n"}
