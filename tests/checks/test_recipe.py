import dataclasses

import pytest
from pydantic import ValidationError
from support.judging import PHRASE, case, judged, said, signed

from signoff_bot.checks.base import Reference
from signoff_bot.checks.recipe import KIND
from signoff_bot.evidence.base import MissingEvidence, Unread
from signoff_bot.evidence.upstream import UpstreamPull, UpstreamState
from signoff_bot.reading.settings import SignoffRules

RULES = {
    "repositories": ("vllm-project/recipes", "sgl-project/sglang"),
    "pages": (
        {"host": "recipes.vllm.ai", "depth": 2},
        {"host": "docs.sglang.io", "under": "/cookbook/", "depth": 3},
    ),
    "merged": False,
}
PULL = "https://github.com/vllm-project/recipes/pull/577"
COMMIT = "https://github.com/vllm-project/recipes/commit/0a1b2c3d"
FILE = "https://github.com/vllm-project/recipes/blob/{}/models/MiniMaxAI/MiniMax-M3.yaml"
PAGE = "https://recipes.vllm.ai/MiniMaxAI/MiniMax-M3"
UNREAD = Unread(unread="GitHub refused")


def upstream(number=577, repo="vllm-project/recipes", **fields):
    state = {
        "base_repo": repo,
        "state": "closed",
        "draft": False,
        "merged_at": "2026-06-20T00:00:00Z",
        "title": "Add a recipe",
    } | fields
    return UpstreamPull(repo=repo, number=number, found=UpstreamState(**state))


SIDE = upstream(other_branch="r1")
OPEN = upstream(state="open", merged_at=None)
DRAFT = upstream(state="open", draft=True, merged_at=None)
CLOSED = upstream(merged_at=None)
MERGED = upstream()


def found(details, *pulls, template=None, **parameters):
    at = case(signed(details), upstream=pulls, template=template)
    return judged(KIND, at, **(RULES | parameters))


@pytest.mark.parametrize(
    "details",
    [
        f"Recipe: {PULL}",
        f"[the recipe]({PULL}/files)",
        f"- see {PULL}?w=1#discussion",
        "https://github.com/VLLM-Project/recipes/pull/577/commits",
        COMMIT,
        FILE.format("main"),
        PAGE,
        "https://docs.sglang.io/cookbook/autoregressive/GLM/GLM-5.3",
    ],
)
def test_every_form_of_a_public_recipe_passes(details):
    finding = found(details, OPEN)
    assert finding.status == "pass"
    assert finding.summary.startswith("the sign-off links a public recipe: https://")
    assert finding.details == ()
    assert finding.links[0].url in details


def test_a_link_without_text_counts_with_a_remark():
    finding = found(f"[]({PULL})", MERGED)
    assert finding.status == "pass"
    assert finding.details == ("line 4: the link has no text, so readers cannot see it",)
    assert finding.links == (Reference("recipe", PULL),)


@pytest.mark.parametrize(
    ("details", "words"),
    [
        ("Recipes are similar to the official vLLM recipes.", "links no public recipe"),
        (
            "See https://github.com/SemiAnalysisAI/InferenceX/pull/1762.",
            "/pull/1762 is a pull request of this repository itself, not a public recipe",
        ),
        ("Its vLLM twin is #1762.", ": line 4: #1762 is a number in this repository"),
        (
            "As in vllm-project/recipes#577.",
            ": line 4: vllm-project/recipes#577 is no link; write the full address",
        ),
        (
            "https://github.tnight.example/vllm-project/recipes/pull/577",
            "is on github.tnight.example, where these rules look for no recipe",
        ),
        (
            "https://github.com@evil.example/vllm-project/recipes/pull/577",
            "holds a user name, a port, an escape",
        ),
        ("http://github.com/vllm-project/recipes/pull/577", "is no https:// address"),
        ("https://github.com/vllm-project/recipes", "leads to no single recipe"),
        ("https://recipes.vllm.ai/", "is an index page"),
        ("https://docs.sglang.io/cookbook/intro", "is an index page"),
        ("https://github.com/kiri-lund/recipes/pull/5", "which is no recipe repository"),
        (f"`{PULL}`", "links no public recipe"),
        (f"> {PULL}", "links no public recipe"),
        (f"<!-- {PULL} -->", "links no public recipe"),
    ],
)
def test_what_is_no_public_recipe_is_told_by_name(details, words):
    finding = found(details, MERGED)
    assert finding.status == "fail"
    assert finding.summary.startswith("the sign-off links no public recipe")
    assert words in said(finding)
    assert finding.fix == (
        "link in the sign-off a pull request, commit or file of vllm-project/recipes or "
        "sgl-project/sglang, or a recipe's page on recipes.vllm.ai or docs.sglang.io"
    )


@pytest.mark.parametrize(
    ("pull", "merged", "status", "words"),
    [
        (MERGED, True, "pass", ""),
        (MERGED, False, "pass", ""),
        (OPEN, True, "fail", "/577 is open, not merged yet"),
        (OPEN, False, "pass", ""),
        (DRAFT, True, "fail", "/577 is a draft, not merged yet"),
        (SIDE, True, "fail", "/577 was merged into r1, which is not the default branch"),
        (SIDE, False, "pass", ""),
        (CLOSED, True, "fail", "was closed without being merged"),
        (CLOSED, False, "fail", "was closed without being merged"),
        (
            UpstreamPull(repo="vllm-project/recipes", number=577, found=None),
            False,
            "fail",
            "/577 is no pull request that GitHub knows",
        ),
        (
            upstream(base_repo="kiri-lund/recipes"),
            False,
            "fail",
            "/577 is a pull request of kiri-lund/recipes, not of vllm-project/recipes",
        ),
    ],
)
def test_a_linked_pull_request_must_stand_as_the_rules_say(pull, merged, status, words):
    finding = found(PULL, pull, merged=merged)
    assert finding.status == status
    assert words in said(finding)


def test_the_base_repository_is_compared_without_case():
    assert found(PULL, upstream(base_repo="vLLM-Project/Recipes")).status == "pass"


@pytest.mark.parametrize(
    ("link", "status"),
    [
        (COMMIT, "fail"),
        (FILE.format("0a1b2c3d"), "fail"),
        (FILE.format("main"), "pass"),
        (PAGE, "pass"),
    ],
)
def test_a_bare_commit_shows_no_merge(link, status):
    finding = found(link, merged=True)
    assert finding.status == status
    if status == "fail":
        assert finding.summary.endswith(
            " shows no merge; link its pull request or the published page"
        )


@pytest.mark.parametrize(
    "pulls", [(), (UpstreamPull(repo="vllm-project/recipes", number=577, found=UNREAD),)]
)
def test_a_pull_request_that_could_not_be_read_is_an_error(pulls):
    reason = "GitHub refused" if pulls else "pull request vllm-project/recipes#577: not collected"
    with pytest.raises(MissingEvidence, match=reason):
        found(f"{PULL} https://example.com", *pulls)


def test_another_good_link_makes_an_unread_one_harmless():
    assert found(f"{PULL} and {PAGE}").status == "pass"


def test_links_that_the_form_holds_do_not_count():
    template = f"{PHRASE}:\n- [ ] Compared it with [the recipe]({PAGE}).\n"
    finding = found(PAGE, template=template)
    assert finding.status == "fail"
    assert finding.summary.endswith("/MiniMax-M3 is a link of the form itself, not the signer's")
    assert found(f"{PAGE}/", template=template).status == "fail"
    assert found(f"{PAGE}-MXFP4", template=template).status == "pass"


def test_the_link_meant_as_the_recipe_is_spoken_of_first():
    finding = found(
        "See https://example.com/a, https://github.tnight.example/vllm-project/recipes/pull/5, "
        f"https://github.com/SemiAnalysisAI/InferenceX/pull/1762 and {PULL}.",
        CLOSED,
    )
    assert f"links no public recipe: {PULL} was closed" in finding.summary
    assert [line.split()[0] for line in finding.details] == [
        PULL,
        "https://github.com/SemiAnalysisAI/InferenceX/pull/1762",
        "https://github.tnight.example/vllm-project/recipes/pull/5",
        "https://example.com/a",
    ]


def test_run_links_are_not_taken_for_recipes():
    finding = found("https://github.com/SemiAnalysisAI/InferenceX/actions/runs/1")
    assert finding.summary == "the sign-off links no public recipe"


def test_hundreds_of_links_stay_readable():
    finding = found(" ".join(f"https://example.com/{n}{'x' * 150}" for n in range(300)))
    assert len(finding.details) == 10
    assert len(said(finding)) < 3000


def test_where_a_merge_is_demanded_the_fix_says_so():
    fix = found("none", merged=True, pages=()).fix
    assert fix == (
        "link in the sign-off a merged pull request or file of vllm-project/recipes or "
        "sgl-project/sglang"
    )


def test_needs_name_the_repositories_to_ask():
    needs = KIND.needs(KIND.parameters(**RULES))
    assert needs.upstream_repos == {"vllm-project/recipes", "sgl-project/sglang"}
    assert needs.template
    assert KIND.needs_signoff


def test_by_default_a_merge_is_demanded():
    assert KIND.parameters(repositories=("a/b",)).merged


def test_a_page_is_at_least_one_segment_deep():
    pages = ({"host": "recipes.example"},)
    assert found("https://recipes.example/", pages=pages).status == "fail"
    assert found("https://recipes.example/m3", pages=pages).status == "pass"
    with pytest.raises(ValidationError):
        KIND.parameters(repositories=(), pages=({"host": "recipes.example", "depth": 0},))


@pytest.mark.parametrize(
    "parameters",
    [
        {"repositories": ("vllm",)},
        {"repositories": ("https://github.com/a/b",)},
        {"repositories": (), "pages": ({"host": "https://recipes.example"},)},
        {"repositories": (), "pages": ({"host": "recipes.example/models"},)},
    ],
)
def test_places_that_no_address_could_be_of_are_refused(parameters):
    with pytest.raises(ValidationError):
        KIND.parameters(**parameters)


def test_one_refusal_is_not_told_twice():
    assert found("https://example.com/a").details == ()
    assert len(found("https://example.com/a https://example.com/b").details) == 2


def test_an_unread_form_decides_nothing_about_a_good_link():
    rules = SignoffRules(phrase=PHRASE, template_file="docs/FORM.md")
    good = dataclasses.replace(case(signed(PAGE)), rules=rules)
    with pytest.raises(MissingEvidence, match=r"docs/FORM\.md"):
        judged(KIND, good, **RULES)
    none = dataclasses.replace(case(signed("none")), rules=rules)
    assert judged(KIND, none, **RULES).status == "fail"


@pytest.mark.parametrize("slashes", [("/", ""), ("", "/"), ("", "")])
def test_a_link_of_the_form_is_the_forms_with_and_without_its_last_slash(slashes):
    link = "https://recipes.vllm.ai/MiniMaxAI/MiniMax-M3"
    template = f"{PHRASE}:\n- [ ] As in {link}{slashes[0]}\n"
    finding = found(f"see {link}{slashes[1]}", template=template)
    assert finding.status == "fail"
    assert "a link of the form itself" in finding.summary
