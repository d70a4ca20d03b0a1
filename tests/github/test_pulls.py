"""The pull request, its files, commits and last push, and what does not add up about them."""

from __future__ import annotations

from typing import Any

import pytest
from support.collecting import client_of, collected
from support.http_stub import Reply, Stub
from support.wire_inferencex import AMD, AUTHOR, BASE, REPO, commit_chain
from support.world import ChangedFile, PullRequest, Push, Repository, User, sha
from wire.loopback.server import Loopback
from wire.loopback.shapes import blob_sha

from signoff_bot.evidence.base import Unread
from signoff_bot.evidence.pull import Account
from signoff_bot.evidence.pull import ChangedFile as Changed
from signoff_bot.github import long_history
from signoff_bot.github.client import GitHubClient
from signoff_bot.github.failures import GitHubFailure, NotFound, OddAnswer
from signoff_bot.github.pulls import read_pull


def test_a_pull_request_is_told_as_github_tells_it(github: Loopback, pull: PullRequest) -> None:
    pull.labels = ["full-sweep-enabled", "nvidia"]
    evidence = collected(github)
    found = evidence.pull
    assert evidence.collected_at == github.world.now, "by GitHub's clock"
    assert (evidence.repository.id, evidence.repository.full_name) == (932_845_137, REPO)
    assert found.author == Account(id=AUTHOR.id, login=AUTHOR.login, type="User")
    assert found.url == f"https://github.com/{REPO}/pull/2001"
    assert (found.state, found.draft, found.merged_at) == ("open", False, None)
    assert found.labels == ("full-sweep-enabled", "nvidia")
    assert (found.head_sha, found.head_ref, found.head_repo) == (
        pull.head_sha,
        "m3-two-nodes",
        REPO,
    )
    assert (found.base_ref, found.base_sha) == ("main", BASE)
    assert (found.changed_files, found.commit_count) == (3, 3)


@pytest.mark.parametrize("author", [None, User("ghost", 10137)])
def test_a_deleted_author_is_nobody(
    github: Loopback, pull: PullRequest, author: User | None
) -> None:
    pull.author = author
    assert collected(github).pull.author is None


def test_a_deleted_fork_has_no_name(github: Loopback, pull: PullRequest) -> None:
    pull.head_repo = None
    assert collected(github).pull.head_repo is None


def test_only_what_the_rules_need_is_asked_for(github: Loopback) -> None:
    evidence = collected(github)
    assert isinstance(evidence.files, Unread)
    assert isinstance(evidence.commits, Unread)
    paths = {seen.path.removeprefix(f"/repos/{REPO}") for seen in github.seen}
    assert paths == {
        "/pulls/2001",
        "/issues/2001/comments",
        "/pulls/2001/reviews",
        "/pulls/2001/comments",
        "/graphql",
    }


def test_an_unknown_pull_request_is_a_failure_that_names_it(github: Loopback) -> None:
    with pytest.raises(NotFound, match=f"GET /repos/{REPO}/pulls/9: "):
        collected(github, 9)


def test_files_carry_both_names_and_the_patch(github: Loopback, pull: PullRequest) -> None:
    pull.files = [
        ChangedFile("b.yaml", "renamed", previous_path="a.yaml"),
        ChangedFile("logo.png", "added", patch=None),
    ]
    patch, ids = pull.files[0].patch, [blob_sha(name) for name in (b"b.yaml", b"logo.png")]
    assert collected(github, files=True).files == (
        Changed(path="b.yaml", previous_path="a.yaml", status="renamed", patch=patch, sha=ids[0]),
        Changed(path="logo.png", previous_path=None, status="added", patch=None, sha=ids[1]),
    )


@pytest.mark.parametrize(
    ("files", "counted", "words"),
    [
        (3000, 3000, None),
        (250, 250, None),
        (3001, 3001, "3,001 items and lists only 3,000"),
        (5, 6, "counts 6 items and gave 5"),
        (6, 5, "changed while it was read"),
    ],
)
def test_files_are_counted(
    github: Loopback, pull: PullRequest, files: int, counted: int, words: str | None
) -> None:
    pull.files = [ChangedFile(f"f{index}", patch=None) for index in range(files)]
    pull.counted_files = counted
    found = collected(github, files=True).files
    if words is None:
        assert not isinstance(found, Unread)
        assert len(found) == counted
    else:
        assert isinstance(found, Unread)
        assert words in found.unread
        assert f"/repos/{REPO}/pulls/2001/files" in found.unread


def test_a_file_listed_twice_stands_for_one_that_is_missing(
    github: Loopback, pull: PullRequest
) -> None:
    pull.files = [ChangedFile("a", patch=None), ChangedFile("a", patch=None)]
    found = collected(github, files=True).files
    assert isinstance(found, Unread)
    assert "/pulls/2001/files" in found.unread


def test_commits_are_told_with_parents_and_accounts(github: Loopback, pull: PullRequest) -> None:
    pull.commits[1].author = None
    commits = collected(github, commits=True).commits
    assert not isinstance(commits, Unread)
    by_sha = {commit.sha: commit for commit in commits}
    assert set(by_sha) == {commit.sha for commit in pull.commits}
    assert by_sha[pull.commits[0].sha].parents == (BASE,)
    assert by_sha[pull.commits[0].sha].author == Account(
        id=AUTHOR.id, login=AUTHOR.login, type="User"
    )
    assert by_sha[pull.commits[1].sha].author is None


@pytest.mark.parametrize("number", [251, 620])
def test_more_commits_than_rest_lists_are_read_another_way(
    github: Loopback, pull: PullRequest, number: int
) -> None:
    pull.commits = commit_chain((f"c{i}" for i in range(number - 1)), pull.head_sha, AUTHOR)
    commits = collected(github, commits=True).commits
    assert not isinstance(commits, Unread), commits
    assert {commit.sha for commit in commits} == {commit.sha for commit in pull.commits}
    first = next(commit for commit in commits if commit.sha == pull.commits[0].sha)
    assert first.parents == (BASE,)
    assert first.author == Account(id=AUTHOR.id, login=AUTHOR.login, type="User")


def test_a_history_beyond_measure_is_not_read(
    github: Loopback, pull: PullRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(long_history, "MOST_READ", 200)
    pull.commits = commit_chain((f"c{i}" for i in range(300)), pull.head_sha, AUTHOR)
    found = collected(github, commits=True).commits
    assert isinstance(found, Unread)
    assert "over 200 commits" in found.unread


@pytest.mark.parametrize(
    ("counted", "words"), [(2, "3 of 2 commits"), (4, "counts 4 items"), (300, "3 of 300")]
)
def test_commits_are_counted(github: Loopback, pull: PullRequest, counted: int, words: str) -> None:
    pull.counted_commits = counted
    found = collected(github, commits=True).commits
    assert isinstance(found, Unread)
    assert words in found.unread


def test_a_head_that_moved_meanwhile_is_noticed(github: Loopback, pull: PullRequest) -> None:
    pull.head_sha = sha("pushed while we read")
    found = collected(github, commits=True).commits
    assert isinstance(found, Unread)
    assert "changed while it was read" in found.unread


def test_the_push_is_the_newest_that_made_the_head(
    github: Loopback, repo: Repository, pull: PullRequest
) -> None:
    ref, old = f"refs/heads/{pull.head_ref}", sha("old")
    repo.activity = [
        Push(ref, old, pull.head_sha, "2026-06-24T09:00:00Z", AUTHOR, "force_push"),
        Push(ref, pull.head_sha, old, "2026-06-24T08:00:00Z", AUTHOR, "force_push"),
        Push(ref, old, pull.head_sha, "2026-06-23T09:00:00Z", AUTHOR),
        Push("refs/heads/other", old, pull.head_sha, "2026-06-25T09:00:00Z", AUTHOR),
    ]
    push = collected(github, push=True).push
    assert not isinstance(push, Unread)
    assert (push.sha, push.at) == (pull.head_sha, "2026-06-24T09:00:00Z")
    assert push.actor is not None
    assert push.actor.id == AUTHOR.id


@pytest.mark.parametrize("trouble", ["unknown", "deleted fork"])
def test_a_push_that_cannot_be_learnt_says_what_to_do(
    github: Loopback, repo: Repository, pull: PullRequest, trouble: str
) -> None:
    if trouble == "unknown":
        repo.activity = []
    else:
        pull.head_repo = None
    push = collected(github, push=True).push
    assert isinstance(push, Unread)
    assert "review" in push.unread


SOUND: dict[str, Any] = {
    "number": 7,
    "html_url": "https://github.com/o/r/pull/7",
    "title": "t",
    "body": None,
    "state": "open",
    "draft": False,
    "merged_at": None,
    "user": {"id": 1, "login": "kiri-lund", "type": "User"},
    "labels": [{"name": "x"}],
    "created_at": "2026-06-20T08:00:00Z",
    "head": {"ref": "f", "sha": "a" * 40, "repo": None},
    "base": {
        "ref": "main",
        "sha": "b" * 40,
        "repo": {"id": 1, "full_name": "o/r", "private": False},
    },
    "changed_files": 1,
    "commits": 1,
    "comments": 0,
    "review_comments": 0,
}


def altered(path: str, value: Any) -> dict[str, Any]:
    """The sound answer with one field set, or left out for `...`."""
    *way, last = path.split(".")
    answer: dict[str, Any] = dict(SOUND)
    here = answer
    for key in way:
        here[key] = dict(here[key])
        here = here[key]
    if value is ...:
        del here[last]
    else:
        here[last] = value
    return answer


def test_the_sound_answer_is_read(stub: Stub, client: GitHubClient) -> None:
    stub.says("/repos/o/r/pulls/7", Reply(SOUND))
    assert read_pull(client, "o/r", 7).pull.title == "t"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("title", ...),
        ("title", None),
        ("state", "merged"),
        ("draft", "false"),
        ("head", None),
        ("head.sha", "HEAD"),
        ("head.sha", None),
        ("head.ref", 5),
        ("head.repo", ...),
        ("base.repo", None),
        ("base.repo.id", "1"),
        ("base.repo.private", None),
        ("user", []),
        ("user.id", True),
        ("user.type", ...),
        ("labels", None),
        ("created_at", "yesterday"),
        ("merged_at", ...),
        ("changed_files", None),
        ("commits", "3"),
        ("number", 8),
    ],
)
def test_an_odd_field_is_named(stub: Stub, client: GitHubClient, path: str, value: Any) -> None:
    stub.says("/repos/o/r/pulls/7", Reply(altered(path, value)))
    with pytest.raises(OddAnswer) as caught:
        read_pull(client, "o/r", 7)
    assert str(caught.value).startswith("GET /repos/o/r/pulls/7: ")
    assert path in str(caught.value)


def test_an_undated_answer_is_odd(stub: Stub, client: GitHubClient) -> None:
    stub.says("/repos/o/r/pulls/7", Reply(SOUND, Date="soon"))
    with pytest.raises(OddAnswer, match="not dated"):
        read_pull(client, "o/r", 7)


def test_a_refused_token_stops_everything(github: Loopback) -> None:
    with client_of(github, "ghs_unknown") as client, pytest.raises(GitHubFailure, match="token"):
        read_pull(client, REPO, 2001)


def test_a_renamed_repository_goes_by_its_new_name(
    github: Loopback, repo: Repository, pull: PullRequest
) -> None:
    repo.former_names = ("SemiAnalysisAI/InferenceMAX",)
    pull.files = [ChangedFile(f"f{index}", patch=None) for index in range(250)] + pull.files
    evidence = collected(
        github, repo="SemiAnalysisAI/InferenceMAX", files=True, commits=True, codeowners=True
    )
    assert evidence.repository.full_name == REPO
    assert not isinstance(evidence.files, Unread), evidence.files
    assert AMD in {file.path for file in evidence.files}
    assert not isinstance(evidence.codeowners, Unread)
