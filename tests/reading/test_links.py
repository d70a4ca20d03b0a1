import pytest

from signoff_bot.reading.links import (
    NoRecipe,
    RecipeLink,
    RecipePage,
    RecipeSources,
    RunLink,
    addresses,
    linked_pulls,
    read_recipe_link,
    run_ids,
    run_links,
    server_of,
)
from signoff_bot.reading.settings import RunPage

SERVER = "https://github.com"
REPO = "SemiAnalysisAI/InferenceX"
RUN = f"{SERVER}/{REPO}/actions/runs/27996171132"
PAGES = (RunPage(host="inferencex.semianalysis.com", parameter="unofficialRun"),)
RESULTS = "https://inferencex.semianalysis.com/inference?unofficialRun=27996171132"
SOURCES = RecipeSources(
    server=SERVER,
    repositories=("vllm-project/recipes", "sgl-project/sglang"),
    pages=(
        RecipePage("recipes.vllm.ai", "/", 2),
        RecipePage("docs.sglang.io", "/cookbook/", 3),
    ),
    home=REPO,
)


@pytest.mark.parametrize(
    "url",
    [
        RUN,
        f"{RUN}/",
        f"{RUN}?pr=1865",
        f"{RUN}/job/83051",
        f"{RUN}/job/83051?pr=1865#step:4:12",
        f"{RUN}/attempts/2",
        f"{RUN}/attempts/2#summary",
        f"{RUN}/workflow",
        f"{SERVER}/semianalysisai/inferencex/actions/runs/27996171132",
        "https://GitHub.com/SemiAnalysisAI/InferenceX/actions/runs/27996171132",
        RESULTS,
        f"{RESULTS}/",
        "https://inferencex.semianalysis.com/evaluation?model=m3&unofficialRun=27996171132#top",
        "https://INFERENCEX.semianalysis.com/?unofficialRun=27996171132",
    ],
)
def test_every_page_of_a_run_stands_for_the_run(url):
    assert run_ids([url], REPO, SERVER, PAGES) == (27996171132,)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "not a link",
        "https://[broken",
        f"http://github.com/{REPO}/actions/runs/27996171132",
        f"https://github.com.evil.example/{REPO}/actions/runs/27996171132",
        f"https://github.com@evil.example/{REPO}/actions/runs/27996171132",
        f"{SERVER}/{REPO}/actions/runs/",
        f"{SERVER}/{REPO}/actions/runs/27996171132x",
        f"{SERVER}/{REPO}/actions/runs/" + "9" * 25,
        f"{SERVER}/{REPO}/pull/1762",
        f"{SERVER}/{REPO}/runs/83051",
        "https://inferencex.semianalysis.com/inference?run=27996171132",
        "https://inferencex.semianalysis.com/inference?unofficialRun=latest",
        "https://results.example/inference?unofficialRun=27996171132",
        RUN + "?" + "a" * 3000,
    ],
)
def test_other_pages_stand_for_no_run(url):
    assert run_links([url], REPO, SERVER, PAGES) == ()


def test_a_run_of_another_repository_is_told_apart():
    url = f"{SERVER}/Kiri-Lund/InferenceX/actions/runs/5"
    assert run_links([url, RUN], REPO, SERVER, PAGES) == (
        RunLink("kiri-lund/inferencex", 5),
        RunLink(REPO.lower(), 27996171132),
    )
    assert run_ids([url, RUN], REPO, SERVER, PAGES) == (27996171132,)


def test_runs_keep_their_order_and_count_once():
    urls = [f"{SERVER}/{REPO}/actions/runs/9", RESULTS, RUN, f"{SERVER}/{REPO}/actions/runs/3"]
    assert run_ids(urls, REPO, SERVER, PAGES) == (9, 27996171132, 3)


def test_results_pages_count_only_where_the_rules_list_them():
    assert run_ids([RESULTS], REPO, SERVER, ()) == ()


def test_an_enterprise_server_has_its_own_run_pages():
    url = "https://git.corp.example/team/bench/actions/runs/12"
    assert run_ids([url], "team/bench", "https://git.corp.example", ()) == (12,)
    assert run_ids([url], "team/bench", SERVER, ()) == ()


def test_addresses_are_found_in_plain_and_marked_up_text():
    text = f"see {RESULTS}, [the run]({RUN}).\nOr <{RUN}/job/1>!"
    assert addresses(text) == (RESULTS, RUN, f"{RUN}/job/1")


@pytest.mark.parametrize(
    ("url", "form", "repo", "number"),
    [
        (f"{SERVER}/vllm-project/recipes/pull/577", "pull", "vllm-project/recipes", 577),
        (f"{SERVER}/vllm-project/recipes/pull/577/", "pull", "vllm-project/recipes", 577),
        (f"{SERVER}/vllm-project/recipes/pull/577/files", "pull", "vllm-project/recipes", 577),
        (f"{SERVER}/vllm-project/recipes/pull/577/commits", "pull", "vllm-project/recipes", 577),
        (f"{SERVER}/VLLM-Project/Recipes/pull/577?w=1", "pull", "vllm-project/recipes", 577),
        (f"{SERVER}/sgl-project/sglang/pull/9#issuecomment-1", "pull", "sgl-project/sglang", 9),
        (f"{SERVER}/vllm-project/recipes/commit/0a1b2c3", "commit", "vllm-project/recipes", None),
        (
            f"{SERVER}/vllm-project/recipes/blob/main/models/MiniMaxAI/MiniMax-M3.yaml",
            "file",
            "vllm-project/recipes",
            None,
        ),
        ("https://recipes.vllm.ai/MiniMaxAI/MiniMax-M3", "page", None, None),
        ("https://recipes.vllm.ai/MiniMaxAI/MiniMax-M3?hardware=b200", "page", None, None),
        ("https://docs.sglang.io/cookbook/autoregressive/GLM/GLM-5.3", "page", None, None),
    ],
)
def test_every_form_of_a_recipe_link_is_understood(url, form, repo, number):
    found = read_recipe_link(url, SOURCES)
    assert isinstance(found, RecipeLink)
    assert (found.form, found.repo, found.number) == (form, repo, number)


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com@evil.example/vllm-project/recipes/pull/1",
        "https://github.com:443/vllm-project/recipes/pull/1",
        "https://github.com.evil.example/vllm-project/recipes/pull/1",
        "https://github.com./vllm-project/recipes/pull/1",
        "https://gіthub.com/vllm-project/recipes/pull/1",  # noqa: RUF001  a Cyrillic letter
        "https://xn--gthub-n4a.com/vllm-project/recipes/pull/1",
        "https://github.com\t/vllm-project/recipes/pull/1",
        "https://github.com/vllm-project/recipes/pull/1\n",
        "https://github.com/vllm-project/recipes/pull/１",  # noqa: RUF001  fullwidth 1
        "https://github.com/vllm-project%2frecipes/pull/1",
        "https://github.com/vllm-project/recipes/%2e%2e/evil/pull/1",
        "https://github.com/vllm-project/recipes/../../evil/x/pull/1",
        "https://github.com/./vllm-project/recipes/pull/1",
        "https://github.com//vllm-project/recipes/pull/1",
        "https://github.com\\evil.example/vllm-project/recipes/pull/1",
        "https:/github.com/vllm-project/recipes/pull/1",
        "HTTPS://github.com/vllm-project/recipes/pull/1",
        "http://github.com/vllm-project/recipes/pull/1",
        "//github.com/vllm-project/recipes/pull/1",
        "javascript:alert(1)",
        "https://github.tnight.example/vllm-project/recipes/pull/1",
        "https://git.io/recipes",
        "https://github.com/vllm-project-x/recipes/pull/1",
        "https://github.com/vllm-project/recipes-x/pull/1",
        "https://github.com/vllm-project/recipes",
        "https://github.com/vllm-project/recipes/",
        "https://github.com/vllm-project/recipes/pulls",
        "https://github.com/vllm-project/recipes/pull/0",
        "https://github.com/vllm-project/recipes/pull/1/checks",
        "https://github.com/vllm-project/recipes/issues/1",
        "https://github.com/vllm-project/recipes/tree/main/models",
        "https://github.com/vllm-project/recipes/blob/main/",
        "https://github.com/vllm-project/recipes/blob/pull/12/head/m3.md",
        "https://github.com/vllm-project/recipes/blob/refs/pull/12/merge/m3.md",
        "https://github.com/vllm-project/recipes/blob/fa89765~1/m3.md",
        "https://github.com/vllm-project/recipes/commits/main",
        "https://github.com/",
        "https://github.com",
        "https://recipes.vllm.ai/",
        "https://recipes.vllm.ai",
        "https://recipes.vllm.ai/MiniMaxAI",
        "https://docs.sglang.io/cookbook/intro",
        "https://docs.sglang.io/cookbook/autoregressive/GLM",
        "https://docs.sglang.io/cookbookx/autoregressive/GLM/GLM-5",
        "https://docs.sglang.io/basics/a/b/c",
        f"https://github.com/{REPO}/pull/1762",
        "https://169.254.169.254/latest/meta-data",
        "https://[::1]/vllm-project/recipes/pull/1",
        "https://github.com/vllm-project/recipes/pull/1?" + "a" * 3000,
        "",
    ],
)
def test_addresses_that_only_look_like_a_recipe_do_not_count(url):
    found = read_recipe_link(url, SOURCES)
    assert isinstance(found, NoRecipe)
    assert found.url == url


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://github.com/vllm-project/recipes/pull/1", "is no https:// address"),
        ("https://github.com@evil.example/x", "holds a user name, a port, an escape or"),
        (
            "https://github.com//vllm-project/recipes/pull/1",
            "has empty or dotted parts in its path",
        ),
        ("https://github.com/./vllm-project/recipes/pull/1", "has empty or dotted parts"),
        ("https://github.com/vllm-project/../recipes/pull/1", "has empty or dotted parts"),
        ("https://github.com", "leads to no single recipe"),
        ("https://github.com/vllm-project", "leads to no single recipe"),
        ("https://recipes.example/x", "is on recipes.example, where"),
        (
            "https://github.com/evil/recipes/pull/1",
            "is of evil/recipes, which is no recipe repository",
        ),
        (
            "https://github.com/vllm-project/recipes",
            "leads to no single recipe; link its pull request, commit",
        ),
        ("https://recipes.vllm.ai/", "is an index page, not the page of a recipe"),
        (
            f"https://github.com/{REPO.lower()}/pull/1762",
            "is a pull request of this repository itself",
        ),
        (f"https://github.com/{REPO}/issues/3", "is a page of this repository itself"),
        ("https://github.com/" + "a" * 2048, "is over 2048 characters long"),
    ],
)
def test_the_reason_names_what_is_wrong_with_a_link(url, reason):
    found = read_recipe_link(url, SOURCES)
    assert isinstance(found, NoRecipe)
    assert found.reason.startswith(reason)


def test_a_file_at_a_commit_is_known_for_one_however_its_sha_is_written():
    link = read_recipe_link(f"{SERVER}/vllm-project/recipes/blob/FA89765A/m3.md", SOURCES)
    assert isinstance(link, RecipeLink)
    assert link.ref == "fa89765a"


def test_the_longest_address_that_is_read_has_2048_characters():
    start = "https://recipes.vllm.ai/MiniMaxAI/"
    longest = start + "m" * (2048 - len(start))
    assert isinstance(read_recipe_link(longest, SOURCES), RecipeLink)
    assert isinstance(read_recipe_link(longest + "m", SOURCES), NoRecipe)
    start = f"{RUN}?"
    assert run_ids([start + "a" * (2048 - len(start))], REPO, SERVER, PAGES) == (27996171132,)
    assert run_ids([start + "a" * (2049 - len(start))], REPO, SERVER, PAGES) == ()


def test_a_pages_folder_may_be_written_with_or_without_its_slash():
    for under in ("/cookbook", "/cookbook/"):
        sources = RecipeSources(SERVER, (), (RecipePage("docs.sglang.io", under, 1),))
        link = "https://docs.sglang.io/cookbook/m3"
        assert isinstance(read_recipe_link(link, sources), RecipeLink)
        assert isinstance(
            read_recipe_link("https://docs.sglang.io/cookbookx/m3", sources), NoRecipe
        )


def test_the_server_is_told_from_a_pages_address():
    assert server_of("https://git.corp.example:8443/a/b/pull/1") == "https://git.corp.example:8443"


def test_what_is_no_address_leads_to_no_server():
    assert server_of("http://[::1") == "://"
    assert run_ids([RUN, "https:///a/b/actions/runs/1"], REPO, server_of("http://[::1"), ()) == ()


def test_linked_pull_requests_are_listed_once_for_the_collector():
    urls = [
        f"{SERVER}/vllm-project/recipes/pull/577",
        f"{SERVER}/VLLM-project/recipes/pull/577/files",
        f"{SERVER}/sgl-project/sglang/pull/12",
        f"{SERVER}/elsewhere/recipes/pull/3",
        f"{SERVER}/vllm-project/recipes/commit/0a1b2c3",
    ]
    repositories = ("vllm-project/recipes", "sgl-project/sglang")
    assert linked_pulls(urls, repositories, SERVER) == (
        ("vllm-project/recipes", 577),
        ("sgl-project/sglang", 12),
    )
