"""The loopback GitHub itself: a plain PyGithub client finds everything where GitHub has it."""

from __future__ import annotations

import base64
import io
import zipfile
from collections.abc import Callable, Iterator

import github
import pytest
import requests
from github import Auth, GithubException
from support.wire_small import BASE, HEAD, REPO, small_world
from support.world import ChangedFile, Commit, World, sha
from wire.ask import get
from wire.loopback.server import Loopback

Serve = Callable[[World], Loopback]


@pytest.fixture
def client(served: Loopback) -> Iterator[github.Github]:
    auth = Auth.Token("good")
    with github.Github(auth=auth, base_url=served.url, per_page=100, retry=None) as made:
        yield made


def test_a_plain_client_reads_a_pull_request(client: github.Github) -> None:
    repo = client.get_repo(REPO)
    pull = repo.get_pull(7)
    assert (pull.head.sha, pull.base.sha, pull.commits, pull.changed_files) == (HEAD, BASE, 2, 2)
    assert [file.previous_filename for file in pull.get_files()] == ["src/mallet.py", None]
    assert [commit.author and commit.author.login for commit in pull.get_commits()] == [
        "bram-ito",
        None,
    ]
    assert [comment.body for comment in pull.get_issue_comments()] == ["Looks good"]
    assert [review.state for review in pull.get_reviews()] == ["APPROVED"]
    assert [comment.user for comment in pull.get_review_comments()] == [None]
    assert repo.get_branch("main").commit.sha == BASE


def test_a_plain_client_reads_what_ran(client: github.Github) -> None:
    repo = client.get_repo(REPO)
    (run,) = repo.get_workflow_runs(head_sha=HEAD)
    assert len(list(run.jobs())) == 120
    assert [artifact.name for artifact in run.get_artifacts()] == ["results"]


def test_pages_link_to_each_other_by_the_repositorys_id(served: Loopback) -> None:
    answer = get(served, f"/repos/{REPO}/actions/runs/27000000001/jobs?per_page=50")
    assert answer.json()["total_count"] == 120
    assert sorted(answer.links) == ["last", "next"]
    assert answer.links["next"]["url"].startswith(f"{served.url}/repositories/11/actions/runs/")
    second = requests.get(answer.links["next"]["url"], timeout=5)
    assert sorted(second.links) == ["first", "last", "next", "prev"]
    assert "page=2" in requests.get(second.links["last"]["url"], timeout=5).links["prev"]["url"]


@pytest.mark.parametrize(
    ("path", "counted", "shown"), [("files", 3001, 3000), ("commits", 251, 250)]
)
def test_lists_end_silently_where_github_ends_them(
    serve: Serve, path: str, counted: int, shown: int
) -> None:
    world = small_world()
    pull = world.repositories[REPO].pulls[7]
    pull.files = [ChangedFile(f"f{index}") for index in range(3001)]
    pull.commits = [Commit(sha(str(index))) for index in range(251)]
    server = serve(world)
    about = get(server, f"/repos/{REPO}/pulls/7").json()
    assert about["changed_files" if path == "files" else "commits"] == counted
    found, url = 0, f"/repos/{REPO}/pulls/7/{path}?per_page=100"
    while url:
        answer = get(server, url)
        found += len(answer.json())
        url = answer.links.get("next", {}).get("url", "").removeprefix(server.url)
    assert found == shown


def test_a_file_is_json_raw_a_folder_or_too_large_for_json(serve: Serve) -> None:
    world = small_world()
    repo = world.repositories[REPO]
    repo.put("docs/big.txt", b"x" * (2**20 + 1))
    server = serve(world)
    small = get(server, f"/repos/{REPO}/contents/.github/CODEOWNERS?ref=main").json()
    assert base64.b64decode(small["content"]) == b"* @octavia-chen\n"
    big = get(server, f"/repos/{REPO}/contents/docs/big.txt?ref={BASE}").json()
    assert (big["encoding"], big["content"], big["size"]) == ("none", "", 2**20 + 1)
    blob = get(server, f"/repos/{REPO}/git/blobs/{big['sha']}").json()
    assert len(base64.b64decode(blob["content"])) == 2**20 + 1
    folder = get(server, f"/repos/{REPO}/contents/docs").json()
    assert [entry["name"] for entry in folder] == ["big.txt"]
    as_object = requests.get(
        f"{server.url}/repos/{REPO}/contents/docs",
        headers={"Accept": "application/vnd.github.object+json"},
        timeout=5,
    ).json()
    assert (as_object["type"], as_object["entries"]) == ("dir", folder)
    raw = requests.get(
        f"{server.url}/repos/{REPO}/contents/docs/big.txt",
        headers={"Accept": "application/vnd.github.raw+json"},
        timeout=5,
    )
    assert len(raw.content) == 2**20 + 1


def test_an_archive_lies_elsewhere_and_takes_no_token(served: Loopback) -> None:
    path = f"/repos/{REPO}/actions/artifacts/31/zip"
    answer = get(served, path, allow_redirects=False)
    assert answer.status_code == 302
    content = requests.get(answer.headers["Location"], timeout=5).content
    assert zipfile.ZipFile(io.BytesIO(content)).read("rows.json") == b"[1]"
    location = answer.headers["Location"].removeprefix(served.url)
    assert get(served, location).status_code == 400
    assert served.violations == ["a token was sent to the artifact storage"]
    served.violations.clear()


def test_a_renamed_repository_redirects_without_the_query(served: Loopback) -> None:
    answer = get(
        served,
        f"/repos/octo-works/forge/actions/runs?head_sha={HEAD}",
        allow_redirects=False,
    )
    assert answer.status_code == 301
    assert answer.headers["Location"] == f"{served.url}/repositories/11/actions/runs"


@pytest.mark.parametrize(
    ("token", "path", "status"),
    [
        ("wrong", f"/repos/{REPO}", 401),
        ("old", f"/repos/{REPO}", 401),
        ("good", "/repos/octo-works/nothing", 404),
        ("good", f"/repos/{REPO}/pulls/8", 404),
        ("app", "/orgs/octo-works/teams/smiths/members", 403),
        ("app", f"/repos/{REPO}/commits/{HEAD}/statuses", 403),
        ("app", "/user", 403),
        (None, "/user", 401),
        (None, f"/repos/{REPO}", 200),
        ("good", "/user", 200),
        ("good", "/rate_limit", 200),
        ("good", "/users/bram-ito", 200),
        ("good", f"/repos/{REPO}/rules/branches/main", 200),
        ("good", f"/repos/{REPO}/codeowners/errors", 200),
        ("good", f"/repos/{REPO}/branches/main", 200),
        ("good", f"/repos/{REPO}/compare/main...{HEAD}", 200),
        ("good", f"/repos/{REPO}/activity?ref=hammer", 200),
        ("good", f"/repos/{REPO}/commits/{HEAD}/check-runs", 200),
        ("good", f"/repos/{REPO}/commits/{HEAD}/status", 200),
        ("good", f"/repos/{REPO}/pulls?head=octo-works:hammer", 200),
        ("good", f"/repos/{REPO}/pulls/7/reviews/3900000001", 200),
        ("good", f"/repos/{REPO}/pulls/comments/2900000001", 200),
        ("good", "/orgs/octo-works/teams/smiths", 200),
        ("good", "/orgs/octo-works/teams/smiths/memberships/bram-ito", 200),
        ("good", f"/repos/{REPO}/actions/workflows/ci.yml/runs?branch=hammer", 200),
    ],
)
def test_the_answer_is_the_one_github_gives(
    served: Loopback, token: str | None, path: str, status: int
) -> None:
    assert get(served, path, token).status_code == status


def test_a_private_repository_is_not_there_for_a_stranger(serve: Serve) -> None:
    world = small_world()
    world.repositories[REPO].private = True
    server = serve(world)
    assert [get(server, f"/repos/{REPO}", t).status_code for t in (None, "app", "good")] == [
        404,
        404,
        200,
    ]


def test_members_of_nested_teams_are_listed_with_the_team(served: Loopback) -> None:
    members = get(served, "/orgs/octo-works/teams/smiths/members").json()
    assert [member["login"] for member in members] == ["octavia-chen", "bram-ito"]


def test_the_role_is_coarse_in_one_field_and_exact_in_the_other(served: Loopback) -> None:
    found = get(served, f"/repos/{REPO}/collaborators/octavia-chen/permission").json()
    assert (found["permission"], found["role_name"]) == ("write", "maintain")


def test_comments_and_statuses_stay(client: github.Github, served: Loopback) -> None:
    repo = client.get_repo(REPO)
    made = repo.get_pull(7).create_issue_comment("A verdict")
    made.edit("Another verdict")
    assert [c.body for c in repo.get_pull(7).get_issue_comments()] == [
        "Looks good",
        "Another verdict",
    ]
    made.delete()
    assert len(served.world.repositories[REPO].pulls[7].comments) == 1
    requests.post(
        f"{served.url}/repos/{REPO}/statuses/{HEAD}",
        json={"state": "success", "context": "sign-off"},
        headers={"Authorization": "Bearer good"},
        timeout=5,
    )
    combined = get(served, f"/repos/{REPO}/commits/{HEAD}/status").json()
    assert (combined["state"], combined["total_count"]) == ("success", 1)


def test_a_comment_longer_than_github_takes_is_refused(client: github.Github) -> None:
    with pytest.raises(GithubException) as refused:
        client.get_repo(REPO).get_pull(7).create_issue_comment("x" * 65_537)
    assert refused.value.status == 422


def test_graphql_tells_of_edits_and_minimizing(client: github.Github) -> None:
    query = """query($ids: [ID!]!) { viewer { login databaseId } nodes(ids: $ids) {
        ... on IssueComment { fullDatabaseId lastEditedAt editor { login } isMinimized
            userContentEdits(first: 10) { totalCount nodes { editor { login } } } } } }"""
    _, answer = client.requester.graphql_query(query, {"ids": ["IC_4700000001"]})
    assert answer["data"]["viewer"]["login"] == "octavia-chen"
    (node,) = answer["data"]["nodes"]
    assert node["lastEditedAt"] == "2026-06-24T11:00:00Z"
    assert node["editor"] == {"login": "bram-ito"}
    assert node["fullDatabaseId"] == "4700000001"
    assert node["userContentEdits"]["totalCount"] == 2
    assert not node["isMinimized"]
    client.requester.graphql_named_mutation(
        "minimizeComment",
        {"subjectId": "IC_4700000001", "classifier": "OUTDATED"},
        "minimizedComment { isMinimized minimizedReason }",
    )
    _, answer = client.requester.graphql_query(query, {"ids": ["IC_4700000001"]})
    assert answer["data"]["nodes"][0]["isMinimized"]


def test_graphql_pages_a_pull_request(client: github.Github) -> None:
    query = """query($after: String) { repository(owner: "octo-works", name: "anvil") {
        pullRequest(number: 7) { headRefOid baseRef { target { oid } }
            commits(first: 1, after: $after) {
                totalCount pageInfo { hasNextPage endCursor } nodes { commit { oid } } } } } }"""
    _, first = client.requester.graphql_query(query, {"after": None})
    commits = first["data"]["repository"]["pullRequest"]["commits"]
    assert (commits["totalCount"], commits["pageInfo"]["hasNextPage"]) == (2, True)
    _, second = client.requester.graphql_query(query, {"after": commits["pageInfo"]["endCursor"]})
    assert second["data"]["repository"]["pullRequest"]["commits"]["nodes"] == [
        {"commit": {"oid": HEAD}}
    ]
