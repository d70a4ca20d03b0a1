"""The collector as a whole: which rules, which requests, and what stops it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.collecting import client_of, collected, rules_needing
from support.standard import GOLDEN, golden_base
from support.wire_big import NUMBER, big_inferencex
from support.wire_inferencex import REPO, SIGNER, signed_form
from support.world import ChangedFile, Comment, PullRequest, Repository
from wire.loopback.server import Loopback

from signoff_bot.errors import InvalidInput
from signoff_bot.evaluate import evaluate
from signoff_bot.evidence.base import Unread
from signoff_bot.evidence.bundle import digest_of
from signoff_bot.evidence.upstream import UpstreamState
from signoff_bot.github.collect import collect
from signoff_bot.github.failures import BadCredentials, Forbidden, GitHubFailure, NoAnswer, NotFound
from signoff_bot.packs.load import REPOSITORY_PACK, load_named
from signoff_bot.packs.shipped import shipped_folder

PACK = "inferencex-2026-06-24"
OWN_RULES = f"schema: signoff-bot/rules/v1\nextends: {PACK}\nname: ours\n"
UPSTREAM = frozenset({"vllm-project/recipes"})


def test_a_repositorys_own_rules_are_read_at_the_base(
    github: Loopback, repo: Repository, pull: PullRequest
) -> None:
    repo.put(REPOSITORY_PACK, OWN_RULES)
    repo.trees[pull.head_sha][REPOSITORY_PACK] = b"what the pull request would like"
    with client_of(github) as client:
        evidence, rules = collect(client, REPO, 2001, None, None)
    assert rules.name == "ours"
    assert evaluate(evidence, rules).verdict == "pass"


def test_without_rules_of_its_own_the_default_pack_is_in_force(
    github: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def named(name: str) -> object:
        asked.append(name)
        return rules_needing()

    monkeypatch.setattr("signoff_bot.github.collect.load_named", named)
    with client_of(github) as client:
        collect(client, REPO, 2001, None, None)
    assert asked == ["default"]


@pytest.mark.parametrize("content", [b"schema: nonsense\n", b"\xff", b"name: x\nname: x\n"])
def test_rules_that_are_wrong_stop_everything(
    github: Loopback, repo: Repository, content: bytes
) -> None:
    repo.put(REPOSITORY_PACK, content)
    with client_of(github) as client, pytest.raises(InvalidInput, match=r"signoff\.yml"):
        collect(client, REPO, 2001, None, None)


@pytest.mark.parametrize("kind", ["403", "500", "dropped", "html", "null", "wrong type"])
def test_rules_that_cannot_be_read_are_not_replaced_by_others(
    github: Loopback, repo: Repository, kind: str
) -> None:
    repo.put(REPOSITORY_PACK, OWN_RULES)
    github.fail(kind, f"GET /repos/{REPO}/contents/.github/signoff.yml")
    with client_of(github) as client, pytest.raises(GitHubFailure, match=r"signoff\.yml"):
        collect(client, REPO, 2001, None, None)


@pytest.mark.parametrize(
    ("kind", "failure"),
    [("401", BadCredentials), ("403", Forbidden), ("404", NotFound), ("502", NoAnswer)],
)
def test_only_the_pull_request_itself_stops_everything(
    github: Loopback, kind: str, failure: type[Exception]
) -> None:
    github.fail(kind, f"GET /repos/{REPO}/pulls/2001")
    github.faults[-1].when = lambda seen: seen.path.endswith("/pulls/2001")
    with pytest.raises(failure, match="/pulls/2001: "):
        collected(github)


def test_if_only_the_pull_request_can_be_read_everything_else_says_so(github: Loopback) -> None:
    github.fail("403")
    github.faults[-1].when = lambda seen: not seen.path.endswith("/pulls/2001")
    rules = load_named(PACK)
    evidence = collected(github, rules=rules)
    for name in ("comments", "files", "commits", "runs", "codeowners"):
        assert isinstance(getattr(evidence, name), Unread), name
    assert evaluate(evidence, rules).verdict == "error"


@pytest.mark.parametrize(("pack", "most"), [(PACK, 18), ("inferencex", 25)])
def test_a_large_pull_request_takes_few_requests_and_none_twice(pack: str, most: int) -> None:
    world = big_inferencex()
    repo = world.repository(REPO)
    assert repo is not None
    repo.put(REPOSITORY_PACK, (shipped_folder() / f"{pack}.yaml").read_text())
    for name in set(golden_base()) - {GOLDEN}:
        repo.put(name, "# a curve\n")
    with Loopback(world) as github, client_of(github) as client:
        evidence, rules = collect(client, REPO, NUMBER, None, None)
    assert pack != PACK or evaluate(evidence, rules).verdict == "pass"
    asked = [seen.key for seen in github.seen]
    assert len(asked) == len(set(asked)) <= most
    assert not github.violations


def test_the_same_pull_request_gives_the_same_evidence(github: Loopback) -> None:
    rules = load_named(PACK)
    digests = {digest_of(collected(github, rules=rules)) for _ in range(3)}
    assert len(digests) == 1


def linking(pull: PullRequest, *numbers: int) -> None:
    urls = " ".join(f"https://github.com/vllm-project/recipes/pull/{n}" for n in numbers)
    pull.comments = [Comment(1, SIGNER, signed_form(SIGNER.login, "", "", urls))]


def test_linked_pull_requests_are_looked_up(github: Loopback, pull: PullRequest) -> None:
    linking(pull, 512, 404)
    found = {one.number: one.found for one in collected(github, upstream_repos=UPSTREAM).upstream}
    assert found == {
        404: None,
        512: UpstreamState(
            base_repo="vllm-project/recipes",
            state="closed",
            draft=False,
            merged_at="2026-06-22T16:00:00Z",
            title="MiniMax-M3 on MI355X",
        ),
    }


def test_a_linked_pull_request_into_another_branch_says_so(
    github: Loopback, pull: PullRequest
) -> None:
    linking(pull, 512)
    upstream = github.world.repository("vllm-project/recipes").pulls[512]
    upstream.base_ref = "release"
    (one,) = collected(github, upstream_repos=UPSTREAM).upstream
    assert isinstance(one.found, UpstreamState)
    assert one.found.other_branch == "release"


def with_files(github: Loopback) -> dict[int, bool]:
    """The linked pull requests that were found, and whether their files were read."""
    upstream = collected(github, upstream_repos=UPSTREAM, upstream_files=True).upstream
    return {
        one.number: not isinstance(one.found.files, Unread)
        for one in upstream
        if isinstance(one.found, UpstreamState)
    }


def test_what_linked_pull_requests_change_is_read_where_rules_need_it(
    github: Loopback, pull: PullRequest
) -> None:
    recipes = github.world.repository("vllm-project/recipes")
    assert recipes is not None
    recipes.pulls[512].files = [ChangedFile("models/m3.md"), ChangedFile("old.md", "removed")]
    linking(pull, 512, 404)
    assert with_files(github) == {512: True}
    needs = {"upstream_repos": UPSTREAM, "upstream_files": True}
    found = {one.number: one.found for one in collected(github, **needs).upstream}
    state = found[512]
    assert isinstance(state, UpstreamState)
    assert not isinstance(state.files, Unread)
    assert [file.path for file in state.files] == ["models/m3.md", "old.md"]
    assert found[404] is None


@pytest.mark.parametrize("kind", ["403", "500", "wrong type", "empty page"])
def test_the_files_of_a_linked_pull_request_may_fail_alone(
    github: Loopback, pull: PullRequest, kind: str
) -> None:
    recipes = github.world.repository("vllm-project/recipes")
    assert recipes is not None
    recipes.pulls[512].files = [ChangedFile("models/m3.md")]
    linking(pull, 512)
    github.fail(kind, "GET /repos/vllm-project/recipes/pulls/512/files")
    assert with_files(github) == {512: False}


def test_of_many_linked_pull_requests_the_first_are_read_with_files(
    github: Loopback, pull: PullRequest
) -> None:
    recipes = github.world.repository("vllm-project/recipes")
    assert recipes is not None
    for number in range(1, 13):
        recipes.pulls[number] = replace(recipes.pulls[512], number=number)
    linking(pull, *range(1, 13))
    assert with_files(github) == {number: number <= 10 for number in range(1, 13)}


def test_pull_requests_of_other_repositories_are_not(github: Loopback, pull: PullRequest) -> None:
    linking(pull, 512)
    assert collected(github, upstream_repos=frozenset({"sgl-project/sglang"})).upstream == ()


@pytest.mark.parametrize("kind", ["403", "500", "wrong type"])
def test_a_linked_pull_request_that_cannot_be_read_is_unread(
    github: Loopback, pull: PullRequest, kind: str
) -> None:
    linking(pull, 512)
    github.fail(kind, "GET /repos/vllm-project/recipes")
    (one,) = collected(github, upstream_repos=UPSTREAM).upstream
    assert isinstance(one.found, Unread)
    assert "/repos/vllm-project/recipes/pulls/512" in one.found.unread


def test_a_flood_of_linked_pull_requests_is_looked_up_in_part(
    github: Loopback, pull: PullRequest
) -> None:
    linking(pull, *range(1, 103))
    found = collected(github, upstream_repos=UPSTREAM).upstream
    assert len(found) == 102
    assert sum(isinstance(one.found, Unread) for one in found) == 2


def test_no_token_reaches_the_evidence(github: Loopback) -> None:
    text = collected(github, rules=load_named(PACK)).model_dump_json()
    assert "ghs_" not in text
    assert "sig=" not in text
