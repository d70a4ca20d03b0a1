"""Files at a ref, teams, and the checks that a branch requires."""

from __future__ import annotations

import base64

import pytest
from support.collecting import client_of, collected, rules_needing
from support.http_stub import Reply, Stub
from support.wire_inferencex import CODEOWNERS, CORE, REPO, SIGNER, TEMPLATE, TOKEN, signed_form
from support.world import ChangedFile, Comment, PullRequest, Repository, Team, Token, sha, user
from wire.loopback.server import Loopback

from signoff_bot.checks.needs import ContentNeed
from signoff_bot.evidence.actions import RequiredCheck
from signoff_bot.evidence.base import Unread
from signoff_bot.evidence.model import Evidence
from signoff_bot.evidence.repository import RepositoryFile
from signoff_bot.github.client import GitHubClient
from signoff_bot.github.failures import GitHubFailure, Incomplete, NoAnswer, NotFound, OddAnswer
from signoff_bot.github.repository import (
    MOST_BYTES,
    list_directory,
    read_file,
    read_merge_base,
    read_protection,
    read_rules,
    read_team,
)

MAIN = "refs/heads/main"
FILE = "/repos/o/r/contents/f"


def owners_of(evidence: Evidence) -> RepositoryFile:
    assert not isinstance(evidence.codeowners, Unread), evidence.codeowners
    return evidence.codeowners


@pytest.mark.parametrize("size", [0, 1, 2**20, 2**20 + 1, 5 * 2**20])
def test_files_of_any_size_are_read_byte_by_byte(
    github: Loopback, repo: Repository, size: int
) -> None:
    content = bytes(range(256)) * (size // 256) + b"x" * (size % 256)
    repo.put("docs/a.bin", content)
    with client_of(github) as client:
        assert read_file(client, REPO, "docs/a.bin", MAIN) == content


def test_odd_file_names_are_asked_for_as_they_are(stub: Stub, client: GitHubClient) -> None:
    stub.says("/repos/o/r/contents/a%20b/%23%3F%25%2B%C3%A4", Reply(CONTENT))
    assert read_file(client, "o/r", "a b/#?%+ä", MAIN) == b"hi"
    assert stub.seen[0].query == {"ref": MAIN}


def test_a_file_that_is_too_large_is_not_read(github: Loopback, repo: Repository) -> None:
    repo.put("big", b"x" * (MOST_BYTES + 1))
    with client_of(github) as client, pytest.raises(Incomplete, match="10,000,001 bytes"):
        read_file(client, REPO, "big", MAIN)


def test_no_file_is_none_only_when_github_confirms_it(github: Loopback) -> None:
    with client_of(github) as client:
        assert read_file(client, REPO, "none", MAIN) is None


@pytest.mark.parametrize("ref", ["refs/heads/gone", "c" * 40])
def test_a_missing_ref_is_no_missing_file(github: Loopback, ref: str) -> None:
    with client_of(github) as client, pytest.raises(NotFound, match="cannot be seen"):
        read_file(client, REPO, "CODEOWNERS", ref)


def test_a_404_that_github_contradicts_is_odd(github: Loopback) -> None:
    github.fail("404", f"GET /repos/{REPO}/contents/")
    with client_of(github) as client:
        for read in (read_file, list_directory):
            path = TEMPLATE if read is read_file else "docs/"
            with pytest.raises(OddAnswer, match="yet says not"):
                read(client, REPO, path, MAIN)


def test_a_404_that_cannot_be_confirmed_is_a_failure(github: Loopback) -> None:
    github.fail("500", "POST /graphql")
    with client_of(github) as client, pytest.raises(NoAnswer, match="contents/none"):
        read_file(client, REPO, "none", MAIN)


def test_a_directory_is_no_file_and_a_file_no_directory(github: Loopback, repo: Repository) -> None:
    repo.put("docs/deep/x", "")
    with client_of(github) as client:
        with pytest.raises(OddAnswer, match="docs is no file"):
            read_file(client, REPO, "docs", MAIN)
        with pytest.raises(OddAnswer, match="is no directory"):
            list_directory(client, REPO, TEMPLATE + "/", MAIN)
        assert list_directory(client, REPO, "docs/", MAIN) == [TEMPLATE], "without directories"
        assert list_directory(client, REPO, "none/", MAIN) is None


CONTENT = {"type": "file", "size": 2, "sha": "s", "encoding": "base64", "content": "aGk=\n"}


@pytest.mark.parametrize(
    "changes",
    [
        {"type": "symlink"},
        {"size": 3},
        {"size": None},
        {"encoding": "utf-8"},
        {"content": "a*k="},
        {"content": "aGk"},
        {"content": None},
        {"content": "é"},
    ],
)
def test_content_that_does_not_add_up_is_odd(
    stub: Stub, client: GitHubClient, changes: dict[str, object]
) -> None:
    stub.says(FILE, Reply(CONTENT | changes))
    with pytest.raises(OddAnswer, match=f"GET {FILE}: "):
        read_file(client, "o/r", "f", MAIN)


def test_a_blob_of_another_size_is_odd(stub: Stub, client: GitHubClient) -> None:
    stub.says(FILE, Reply(CONTENT | {"encoding": "none", "content": "", "size": 3}))
    blob = base64.b64encode(b"hi").decode()
    stub.says("/repos/o/r/git/blobs/s", Reply({"encoding": "base64", "content": blob}))
    with pytest.raises(OddAnswer, match="git/blobs/s"):
        read_file(client, "o/r", "f", MAIN)


def test_a_full_directory_may_not_be_all(stub: Stub, client: GitHubClient) -> None:
    stub.says(FILE, Reply([{"path": f"f/{n}", "type": "file"} for n in range(1000)]))
    with pytest.raises(Incomplete, match="1000"):
        list_directory(client, "o/r", "f/", MAIN)


def test_the_merge_base_is_githubs(stub: Stub, client: GitHubClient) -> None:
    path = "/repos/o/r/compare/release%2F1...abc"
    stub.says(path, Reply({"merge_base_commit": {"sha": "d" * 40}}))
    assert read_merge_base(client, "o/r", "release/1", "abc") == "d" * 40


@pytest.mark.parametrize(
    ("there", "read"),
    [
        ((".github/", "", "docs/"), ".github/"),
        (("", "docs/"), ""),
        (("docs/",), "docs/"),
    ],
)
def test_the_first_codeowners_file_counts(
    github: Loopback, repo: Repository, there: tuple[str, ...], read: str
) -> None:
    repo.remove(".github/CODEOWNERS")
    for folder in there:
        repo.put(f"{folder}CODEOWNERS", f"# {folder}")
    found = owners_of(collected(github, codeowners=True))
    assert (found.path, found.text) == (f"{read}CODEOWNERS", f"# {read}")
    assert (found.at, found.ref) == ("base", MAIN)


def test_no_codeowners_anywhere_is_known_to_be_none(github: Loopback, repo: Repository) -> None:
    repo.remove(".github/CODEOWNERS")
    assert owners_of(collected(github, codeowners=True)).text is None


@pytest.mark.parametrize("at", [".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"])
def test_a_codeowners_place_that_cannot_be_read_hides_the_later_ones(
    github: Loopback, repo: Repository, at: str
) -> None:
    repo.remove(".github/CODEOWNERS")
    repo.put("docs/CODEOWNERS", "* @x")
    github.fail("500", f"GET /repos/{REPO}/contents/{at}")
    found = collected(github, codeowners=True).codeowners
    assert isinstance(found, Unread)
    assert at in found.unread


@pytest.mark.parametrize(("content", "words"), [(b"\xff", "UTF-8"), (b"#" * 3_000_000, "3 MB")])
def test_codeowners_that_github_would_not_use_are_unread(
    github: Loopback, repo: Repository, content: bytes, words: str
) -> None:
    repo.put(".github/CODEOWNERS", content)
    text = owners_of(collected(github, codeowners=True)).text
    assert isinstance(text, Unread)
    assert words in text.unread


@pytest.mark.parametrize("state", ["open", "closed", "merged"])
def test_the_base_is_the_branch_or_what_it_was_when_the_pull_request_was_closed(
    github: Loopback, repo: Repository, pull: PullRequest, state: str
) -> None:
    old = sha("the base then")
    repo.trees[old] = {".github/CODEOWNERS": b"# then"}
    pull.base_sha = old
    if state != "open":
        pull.state, pull.merged_at = "closed", None if state == "closed" else github.world.now
    found = owners_of(collected(github, codeowners=True))
    expected = (MAIN, CODEOWNERS) if state == "open" else (old, "# then")
    assert (found.ref, found.text) == expected


def test_the_form_is_read_at_the_base(github: Loopback) -> None:
    evidence = collected(github, rules=rules_needing(TEMPLATE, template=True))
    found = evidence.content(TEMPLATE)
    assert not isinstance(found, Unread)
    assert isinstance(found.text, str)
    assert "reviewing" in found.text.lower()


@pytest.mark.parametrize(
    ("content", "text"), [(None, None), (b"\xff", "not UTF-8 text"), (b"", "")]
)
def test_a_form_is_there_or_not_or_unreadable(
    github: Loopback, repo: Repository, content: bytes | None, text: str | None
) -> None:
    repo.remove(TEMPLATE)
    if content is not None:
        repo.put(TEMPLATE, content)
    found = collected(github, rules=rules_needing(TEMPLATE, template=True)).content(TEMPLATE)
    assert not isinstance(found, Unread)
    if isinstance(found.text, Unread):
        assert text is not None
        assert text in found.text.unread
    else:
        assert found.text == text


def test_a_directory_at_the_base_is_read_with_a_record_of_its_files(
    github: Loopback, repo: Repository
) -> None:
    repo.put("curves/b.yaml", "b")
    repo.put("curves/a.yaml", "a")
    needs = {ContentNeed("curves/", "base"), ContentNeed("none/", "base")}
    evidence = collected(github, contents=frozenset(needs))
    texts = {file.path: file.text for file in evidence.contents}
    assert texts == {
        "curves/": "curves/a.yaml\ncurves/b.yaml",
        "curves/a.yaml": "a",
        "curves/b.yaml": "b",
        "none/": None,
    }


def test_changed_files_are_read_where_they_were_and_where_they_are(
    github: Loopback, repo: Repository, pull: PullRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    merge_base = sha("merge base")
    monkeypatch.setattr("signoff_bot.github.contents.read_merge_base", lambda *_: merge_base)
    before = {"c/kept": b"1", "c/old": b"2", "c/gone": b"3", "other": b"4"}
    after = {"c/kept": b"5", "c/new": b"6", "c/added": b"7", "other": b"8"}
    repo.trees[merge_base], repo.trees[pull.head_sha] = before, after
    pull.files = [
        ChangedFile("c/kept"),
        ChangedFile("c/new", "renamed", previous_path="c/old"),
        ChangedFile("c/gone", "removed"),
        ChangedFile("c/added", "added"),
        ChangedFile("other"),
    ]
    needs = frozenset({ContentNeed("c/**", "head"), ContentNeed("c/**", "merge base")})
    evidence = collected(github, files=True, contents=needs)
    assert {(file.at, file.path, file.ref, file.text) for file in evidence.contents} == {
        ("merge base", "c/kept", merge_base, "1"),
        ("merge base", "c/old", merge_base, "2"),
        ("merge base", "c/gone", merge_base, "3"),
        ("head", "c/kept", pull.head_sha, "5"),
        ("head", "c/new", pull.head_sha, "6"),
        ("head", "c/added", pull.head_sha, "7"),
    }


def test_without_a_merge_base_the_files_before_are_unread(
    stub: Stub, github: Loopback, pull: PullRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> str:
        raise NoAnswer("GET /compare", "no")

    monkeypatch.setattr("signoff_bot.github.contents.read_merge_base", fail)
    needs = frozenset({ContentNeed("*.yaml", "merge base")})
    evidence = collected(github, files=True, contents=needs)
    assert evidence.contents
    assert all(isinstance(file.text, Unread) for file in evidence.contents)


def test_a_team_is_read_with_its_nested_teams(github: Loopback) -> None:
    github.world.teams["org/outer"] = Team("outer", [SIGNER], children=["inner"])
    github.world.teams["org/inner"] = Team("inner", [user(f"member-{n}") for n in range(150)])
    with client_of(github) as client:
        members = read_team(client, "org/outer")
    assert len(members) == 151
    assert SIGNER.id in {member.id for member in members}


@pytest.mark.parametrize("trouble", ["no permission", "unknown team"])
def test_a_team_that_cannot_be_read_says_which_token_can(github: Loopback, trouble: str) -> None:
    token = github.world.tokens[TOKEN]
    if trouble == "no permission":
        github.world.tokens[TOKEN] = Token(token.account, {"contents": "read"}, installation=True)
    name = "inferencex/core" if trouble == "no permission" else "inferencex/none"
    with client_of(github) as client, pytest.raises(GitHubFailure) as caught:
        read_team(client, name)
    assert f"@{name}" in str(caught.value)
    assert "Members: read" in str(caught.value)


def teams_asked(github: Loopback) -> set[str]:
    return {seen.path for seen in github.seen if seen.path.startswith("/orgs/")}


def test_only_teams_that_decide_are_read(
    github: Loopback, repo: Repository, pull: PullRequest
) -> None:
    repo.put(
        ".github/CODEOWNERS",
        f"* @{SIGNER.login}\n/a/ @org/a\n/b/ @org/b @{SIGNER.login}\n/c/ @org/c\n",
    )
    pull.files = [ChangedFile("a/x"), ChangedFile("b/x")]
    github.world.teams["org/a"] = Team("a", [CORE])
    evidence = collected(github, files=True, codeowners=True)
    assert teams_asked(github) == {"/orgs/org/teams/a/members"}
    members = evidence.team("org/a")
    assert not isinstance(members, Unread)
    assert {member.id for member in members} == {CORE.id}


def test_a_team_that_fails_leaves_the_others(
    github: Loopback, repo: Repository, pull: PullRequest
) -> None:
    repo.put(".github/CODEOWNERS", "/a/ @org/a @org/b\n")
    pull.files = [ChangedFile("a/x")]
    github.world.teams |= {"org/a": Team("a", [CORE]), "org/b": Team("b", [CORE])}
    github.fail("500", "GET /orgs/org/teams/a/")
    evidence = collected(github, files=True, codeowners=True)
    assert isinstance(evidence.team("org/a"), Unread)
    assert not isinstance(evidence.team("org/b"), Unread)


def test_while_nobody_signed_no_team_is_read(github: Loopback, pull: PullRequest) -> None:
    pull.comments = [Comment(1, SIGNER, "LGTM")]
    assert collected(github, files=True, codeowners=True).teams == ()
    assert not teams_asked(github)


def test_teams_beyond_measure_are_unread(
    github: Loopback, repo: Repository, pull: PullRequest
) -> None:
    names = [f"org/t{n:03}" for n in range(102)]
    repo.put(".github/CODEOWNERS", "* " + " ".join(f"@{name}" for name in names))
    github.world.teams = {name: Team(name, [CORE]) for name in names}
    pull.comments = [Comment(1, SIGNER, signed_form(SIGNER.login, "", "", ""))]
    evidence = collected(github, files=True, codeowners=True)
    assert len(evidence.teams) == 102
    assert sum(isinstance(team.members, Unread) for team in evidence.teams) == 2


def test_rulesets_name_required_checks(github: Loopback, repo: Repository) -> None:
    repo.required_checks = {"main": [("build", 15368), ("lint", None)]}
    with client_of(github) as client:
        assert read_rules(client, REPO, "main") == [
            RequiredCheck(context="build", app_id=15368),
            RequiredCheck(context="lint", app_id=None),
        ]
        assert read_rules(client, REPO, "feature") == []


def test_other_rules_require_no_check(stub: Stub, client: GitHubClient) -> None:
    rules = [{"type": "deletion"}, {"type": "merge_queue", "parameters": {"x": 1}}]
    stub.says("/repos/o/r/rules/branches/a%2Fb", Reply(rules))
    assert read_rules(client, "o/r", "a/b") == []


@pytest.mark.parametrize(
    "parameters", [None, {}, {"required_status_checks": None}, {"required_status_checks": [{}]}]
)
def test_a_rule_of_odd_shape_is_odd(stub: Stub, client: GitHubClient, parameters: object) -> None:
    rule = {"type": "required_status_checks", "parameters": parameters}
    stub.says("/repos/o/r/rules/branches/main", Reply([rule]))
    with pytest.raises(OddAnswer, match="/rules/branches/main"):
        read_rules(client, "o/r", "main")


@pytest.mark.parametrize(
    ("protection", "expected"),
    [
        ({"enabled": False}, []),
        ({"required_status_checks": {"contexts": [], "checks": []}}, []),
        (
            {
                "required_status_checks": {
                    "contexts": ["build", "old"],
                    "checks": [
                        {"context": "build", "app_id": 15368},
                        {"context": "any", "app_id": -1},
                    ],
                }
            },
            [("build", 15368), ("old", None), ("any", None)],
        ),
    ],
)
def test_classic_protection_names_required_checks(
    stub: Stub,
    client: GitHubClient,
    protection: object,
    expected: list[tuple[str, int | None]],
) -> None:
    stub.says("/repos/o/r/branches/main", Reply({"protection": protection}))
    assert read_protection(client, "o/r", "main") == [
        RequiredCheck(context=context, app_id=app) for context, app in expected
    ]
