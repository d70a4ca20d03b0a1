"""What people and GitHub hand over at their worst: always a clear outcome, never a traceback."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support.wire_inferencex import (
    BOT,
    REPO,
    SIGNER,
    STRANGER,
    TOKEN,
    passing_inferencex,
)
from support.world import ChangedFile, Comment, Commit, PullRequest, Repository, World
from wire.command import InProcess, Result, environment, installed
from wire.loopback.server import Loopback

Serve = Callable[[World], Loopback]
PACK = "inferencex-2026-06-24"
OWNERS_FILE = ".github/CODEOWNERS"


def scene() -> tuple[World, Repository, PullRequest]:
    world = passing_inferencex()
    repo = world.repository(REPO)
    assert repo is not None
    return world, repo, repo.pulls[2001]


def verify(command: InProcess, github: Loopback, asked: str = "2001", **env: str) -> Result:
    return command(
        *("verify", asked, "--rules", PACK, "--format", "json"), env=environment(github, **env)
    )


def refused(result: Result, status: int, *words: str) -> None:
    """The command said in a sentence what is wrong, and showed no result."""
    assert result.status == status, result.everything
    assert "Traceback" not in result.everything
    assert "internal error" not in result.err
    assert not result.out
    for word in words:
        assert word in result.err, result.err


@pytest.mark.parametrize(
    ("asked", "status", "words"),
    [
        ("9999", 3, ("/pulls/9999",)),
        ("octo-works/nothing#1", 3, ("octo-works/nothing",)),
        (f"https://github.com/{REPO}/pull/2001#issuecomment-77", 2, ("issuecomment-77",)),
        (f"https://github.com/{REPO}/pull/2001#discussion_r77", 2, ("discussion_r77",)),
        ("twelve", 2, ("twelve",)),
        ("https://example.com/a/b/pull/1", 2, ("example.com",)),
    ],
)
def test_what_is_not_there_is_named(
    serve: Serve, command: InProcess, asked: str, status: int, words: tuple[str, ...]
) -> None:
    refused(verify(command, serve(scene()[0]), asked), status, *words)


def test_a_private_repository_looks_like_none(serve: Serve, command: InProcess) -> None:
    world, repo, _ = scene()
    repo.private = True
    repo.roles.clear()
    refused(verify(command, serve(world)), 3, REPO, "token")


def test_a_missing_token_is_asked_for(serve: Serve, command: InProcess) -> None:
    github = serve(scene()[0])
    result = command("verify", "2001", "--rules", PACK, env=environment(github, token=None))
    refused(result, 3, "GITHUB_TOKEN")
    assert not github.seen


@pytest.mark.parametrize("token", ["ghs_expired", "ghs_unknown"])
def test_a_refused_token_is_told_so(serve: Serve, command: InProcess, token: str) -> None:
    world = scene()[0]
    world.tokens["ghs_expired"] = type(world.tokens[TOKEN])(BOT, expired=True)
    result = verify(command, serve(world), GITHUB_TOKEN=token)
    refused(result, 3, "token")
    assert token not in result.err


ALIAS_BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n"
    for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("schema: signoff-bot/rules/v1\nname: x\nnmae: y\n", (":3:", "nmae")),
        ("schema: signoff-bot/rules/v1\nname: x\nname: y\n", (":3:", "name")),
        (ALIAS_BOMB, ()),
        ("checks: [", ()),
        ("", ()),
        ("- a\n- b\n", ()),
        ("\x00", ()),
    ],
    ids=["typo", "duplicate key", "alias bomb", "broken", "empty", "a list", "binary"],
)
def test_a_wrong_rule_file_is_named_with_its_line(
    tmp_path: Path, serve: Serve, command: InProcess, text: str, words: tuple[str, ...]
) -> None:
    rules = tmp_path / "signoff.yml"
    rules.write_text(text)
    result = command("verify", "2001", "--rules", rules, env=environment(serve(scene()[0])))
    refused(result, 2, "signoff.yml", *words)


@pytest.mark.parametrize("text", ["schema: nonsense\n", "\xff"])
def test_a_wrong_rule_file_at_the_base_is_named(
    serve: Serve, command: InProcess, text: str
) -> None:
    world, repo, _ = scene()
    repo.put(".github/signoff.yml", text.encode("latin-1"))
    result = command("verify", "2001", env=environment(serve(world)))
    refused(result, 2, ".github/signoff.yml")


@pytest.mark.parametrize("name", ["no-such-pack", "no/such/file.yml"])
def test_unknown_rules_are_named(serve: Serve, command: InProcess, name: str) -> None:
    result = command("verify", "2001", "--rules", name, env=environment(serve(scene()[0])))
    refused(result, 2, name)


def test_a_missing_bundle_is_named(tmp_path: Path) -> None:
    missing = tmp_path / "none.json"
    result = installed("verify", "2001", "--evidence", missing, env=environment(None, token=None))
    refused(result, 2, "none.json")


def test_a_huge_comment_does_not_hide_the_signoff(serve: Serve, command: InProcess) -> None:
    world, _, pull = scene()
    pull.comments.insert(0, Comment(1, STRANGER, "- [x] **a** `b` " * 350_000))
    assert verify(command, serve(world)).verdict["verdict"] == "pass"


def test_a_huge_signoff_gets_a_verdict(serve: Serve, command: InProcess) -> None:
    world, _, pull = scene()
    pull.comments[-1].body += "> [x](y) \n" * 500_000
    result = verify(command, serve(world))
    assert result.status in (0, 1), result.err
    assert result.verdict["signoff"]["author"] == SIGNER.login


def test_ten_thousand_comments_are_read(serve: Serve, command: InProcess) -> None:
    world, _, pull = scene()
    noise = [Comment(index, BOT, f"Remark {index}") for index in range(1, 10_000)]
    pull.comments = noise + pull.comments[-1:]
    result = verify(command, serve(world))
    assert result.verdict["verdict"] == "pass", result.everything


@pytest.mark.parametrize(("files", "status"), [(3000, 0), (3001, 3)])
def test_more_files_than_github_lists_are_an_error(
    serve: Serve, command: InProcess, files: int, status: int
) -> None:
    world, _, pull = scene()
    pull.files += [
        ChangedFile(f"benchmarks/{index}.sh") for index in range(files - len(pull.files))
    ]
    result = verify(command, serve(world))
    assert result.status == status, result.everything
    if status:
        assert result.check("codeowner")["status"] == "error"
        assert "3000" in result.check("codeowner")["summary"].replace(",", "")


def test_more_commits_than_rest_lists_are_read_all_the_same(
    serve: Serve, command: InProcess
) -> None:
    world, repo, pull = scene()
    earlier = [Commit(f"{index:040x}") for index in range(1, 300)]
    pull.commits = earlier + pull.commits
    repo.runs[1].head_sha = pull.commits[270].sha
    result = verify(command, serve(world))
    assert result.statuses["sweep"] == "pass", result.everything


@pytest.mark.parametrize(
    ("content", "status", "says"),
    [
        (None, "fail", "CODEOWNERS"),
        (b"", "fail", "CODEOWNERS"),
        (b"# nobody\n", "fail", "CODEOWNERS"),
        (b"* @octavia-chen\n" + b"#" * 3_000_000, "error", "3 MB"),
        (b"* @octavia-chen\n\xff\xfe\n", "error", "UTF-8"),
    ],
    ids=["absent", "empty", "comments only", "over 3 MB", "not UTF-8"],
)
def test_a_useless_codeowners_file_never_passes(
    serve: Serve, command: InProcess, content: bytes | None, status: str, says: str
) -> None:
    world, repo, _ = scene()
    if content is None:
        repo.remove(OWNERS_FILE)
    else:
        repo.put(OWNERS_FILE, content)
    result = verify(command, serve(world))
    assert result.status == {"fail": 1, "error": 3}[status]
    assert result.check("codeowner")["status"] == status
    assert says in result.check("codeowner")["summary"]


@pytest.mark.parametrize("size", [2**20 + 1, 2_999_999])
def test_a_large_codeowners_file_is_read_whole(serve: Serve, command: InProcess, size: int) -> None:
    world, repo, _ = scene()
    tail = b"\n* @octavia-chen\n"
    repo.put(OWNERS_FILE, b"#" * (size - len(tail)) + tail)
    assert verify(command, serve(world)).statuses["codeowner"] == "pass"


def test_a_signoff_by_a_deleted_account_is_none(serve: Serve, command: InProcess) -> None:
    world, _, pull = scene()
    pull.comments[-1].author = None
    assert verify(command, serve(world)).verdict["verdict"] == "pending"


@pytest.mark.parametrize("kind", ["ghost author", "closed", "merged", "draft", "no description"])
def test_an_unusual_pull_request_is_judged_as_any_other(
    serve: Serve, command: InProcess, kind: str
) -> None:
    world, _, pull = scene()
    match kind:
        case "ghost author":
            pull.author = None
        case "closed":
            pull.state = "closed"
        case "merged":
            pull.state, pull.merged_at = "closed", "2026-06-24T20:00:00Z"
        case "draft":
            pull.draft = True
        case _:
            pull.body = None
    assert verify(command, serve(world)).verdict["verdict"] == "pass"


def test_a_deleted_fork_leaves_everything_else_to_judge(serve: Serve, command: InProcess) -> None:
    world, repo, pull = scene()
    pull.head_repo = None
    del repo.branches[pull.head_ref]
    assert verify(command, serve(world)).verdict["verdict"] == "pass"


def test_a_renamed_repository_is_judged_under_its_new_name(
    serve: Serve, command: InProcess
) -> None:
    world, repo, _ = scene()
    repo.former_names = ("SemiAnalysisAI/InferenceMAX",)
    result = verify(command, serve(world), "SemiAnalysisAI/InferenceMAX#2001")
    assert result.verdict["verdict"] == "pass", result.everything
    assert result.verdict["repo"] == REPO
