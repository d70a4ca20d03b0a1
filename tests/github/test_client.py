"""Asking GitHub: retries, limits, redirects, odd answers, and what the messages say."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from support.http_stub import Reply, Request, Stub

from signoff_bot.errors import InvalidInput
from signoff_bot.github.client import GitHubClient, connect, segment
from signoff_bot.github.failures import (
    BadCredentials,
    Forbidden,
    GitHubFailure,
    Incomplete,
    NoAnswer,
    NotFound,
    OddAnswer,
    RateLimited,
    Refused,
    not_written,
)
from signoff_bot.github.retry import Patience, Retry

OK = Reply({"fine": True})


@pytest.mark.parametrize(
    "trouble",
    [
        Reply({"message": "Server Error"}, 500),
        Reply(status=502, raw=b"<html>unicorn</html>"),
        Reply({"fine": False}, cut=4),
        Reply(raw=b'{"fine": tr'),
        Reply(raw=b"<html>welcome to the hotel network</html>"),
        Reply(raw=b'{"fine": "\xff"}'),
        Reply(drop=True),
        Reply({"message": "slow down"}, 429),
        Reply({"message": "slow down"}, 429, Retry_After="0"),
        Reply({"message": "You have exceeded a secondary rate limit"}, 403, Retry_After="0"),
        Reply(status=202),
    ],
    ids=str,
)
def test_a_fault_that_heals_is_asked_again(
    stub: Stub, client: GitHubClient, notes: list[str], trouble: Reply
) -> None:
    stub.says("/x", trouble, trouble, OK)
    assert client.get("/x").data == {"fine": True}
    assert len(stub.seen) == 3
    assert len(notes) == 2
    assert notes[0].startswith("GET /x: ")


@pytest.mark.parametrize(
    ("reply", "kind", "words", "tries"),
    [
        (Reply({"message": "Bad credentials"}, 401), BadCredentials, "expired or been revoked", 1),
        (Reply({"message": "Not Found"}, 404), NotFound, "check the name", 1),
        (Reply({"message": "Gone"}, 410), NotFound, "HTTP 410", 1),
        (Reply({"message": "No commit found"}, 422), Refused, "No commit found", 1),
        (Reply({"message": "boom"}, 503), NoAnswer, "HTTP 503", 3),
        (Reply({"a": 1}, cut=2), NoAnswer, "broke off", 3),
        (Reply(drop=True), NoAnswer, "connection failed", 3),
        (Reply(raw=b"[1, 2"), NoAnswer, "no complete JSON", 3),
        (Reply(raw=b'{"a": 1, "a": 2}'), NoAnswer, "stands twice", 3),
        (Reply(raw=b"[" * 100_000), NoAnswer, "nested too deeply", 3),
        (Reply({"message": "later"}, 429), RateLimited, "rate limit", 3),
        (Reply(status=204), OddAnswer, "HTTP 204", 1),
        (Reply({}, 302, Location="/y"), OddAnswer, "HTTP 302", 1),
        (Reply({}, 301, Location="http://elsewhere.invalid/x"), OddAnswer, "GITHUB_API_URL", 1),
        (Reply({}, 301, Location="/repos/o/r/pulls/1"), OddAnswer, "redirects", 3),
    ],
    ids=str,
)
def test_a_failure_is_typed_and_says_what_and_where(
    stub: Stub,
    client: GitHubClient,
    reply: Reply,
    kind: type[GitHubFailure],
    words: str,
    tries: int,
) -> None:
    stub.says("/repos/o/r/pulls/1", reply)
    with pytest.raises(kind) as caught:
        client.get("/repos/o/r/pulls/1")
    assert str(caught.value).startswith("GET /repos/o/r/pulls/1: ")
    assert words in str(caught.value)
    assert len(stub.seen) == tries
    assert caught.value.exit_status == 3


@pytest.mark.parametrize(
    ("headers", "words"),
    [
        ({"X_Accepted_GitHub_Permissions": "actions=read"}, "needs the permission actions=read"),
        ({"X_Accepted_OAuth_Scopes": "read:org"}, "needs the scope read:org"),
        ({"X_GitHub_SSO": "required; url=https://github.test/sso?x=1"}, "https://github.test/sso"),
        ({}, "permissions"),
    ],
)
def test_a_refusal_says_which_permission_is_missing(
    stub: Stub, client: GitHubClient, headers: dict[str, str], words: str
) -> None:
    stub.says("/x", Reply({"message": "Resource not accessible by integration"}, 403, **headers))
    with pytest.raises(Forbidden, match="Resource not accessible by integration") as caught:
        client.get("/x")
    assert words in str(caught.value)


def test_githubs_words_are_tamed_in_messages(stub: Stub, client: GitHubClient) -> None:
    stub.says("/x", Reply({"message": "a\x1b[31m\nb" + "c" * 500}, 422))
    with pytest.raises(Refused) as caught:
        client.get("/x")
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 350


def test_an_exhausted_limit_is_waited_for_only_if_its_reset_is_near(stub: Stub) -> None:
    stub.says(
        "/x",
        Reply(
            {"message": "API rate limit exceeded"},
            403,
            X_RateLimit_Remaining="0",
            X_RateLimit_Reset="1893456000",
            Date="Tue, 01 Jan 2030 00:00:00 GMT",
        ),
        OK,
    )
    notes: list[str] = []
    with (
        connect(stub.url, "t", patience=Patience(total=0.5), note=notes.append) as hasty,
        pytest.raises(RateLimited, match="used up until 2030-01-01 00:00:00 UTC") as caught,
    ):
        hasty.get("/x")
    assert caught.value.wait == 1, "by GitHub's clock, not by ours"
    assert notes == []


def test_a_secondary_limit_without_a_time_asks_for_a_minute(
    stub: Stub, client: GitHubClient
) -> None:
    stub.says("/x", Reply({"message": "You have exceeded a secondary rate limit."}, 403))
    with (
        connect(stub.url, "t", patience=Patience(total=59.0)) as hasty,
        pytest.raises(RateLimited) as caught,
    ):
        hasty.get("/x")
    assert caught.value.wait is None
    assert len(stub.seen) == 1


def test_a_limit_that_names_no_time_is_waited_for_longer_each_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    notes: list[str] = []
    retry = Retry(Patience(tries=3, total=1000), notes.append)
    waited: list[float] = []
    monkeypatch.setattr(retry._closed, "wait", waited.append)

    def limited() -> None:
        raise RateLimited("GET /x", "slow down", None)

    with pytest.raises(RateLimited):
        retry(limited)
    assert waited == [60.0, 120.0]


def test_waits_of_many_requests_at_once_are_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    notes: list[str] = []
    retry = Retry(Patience(), notes.append)
    for now, delay, told in ((100, 8, 1), (101, 8, 1), (103, 8, 1), (104, 8, 1), (105, 8, 2)):
        monkeypatch.setattr("signoff_bot.github.retry.time.monotonic", lambda now=now: now)
        retry._tell(NoAnswer("GET /x", "trouble"), delay)
        assert len(notes) == told, now
    assert notes[0] == "GET /x: trouble; trying again in 8 s"


@pytest.mark.parametrize(
    "reply",
    [
        Reply({"message": "boom"}, 503),
        Reply(drop=True),
        Reply({"message": "later"}, 429),
        Reply({"message": "later"}, 429, Retry_After="0"),
        Reply({"errors": [{"type": "SOMETHING"}]}),
        Reply(raw=b"[1, 2"),
    ],
    ids=str,
)
def test_who_tries_again_does_not_ask_people_to(stub: Stub, reply: Reply) -> None:
    stub.says("/graphql", reply)
    notes: list[str] = []
    with (
        connect(
            stub.url,
            "t",
            patience=Patience(tries=2, first_delay=0.0, untold=0.0),
            note=notes.append,
        ) as asking,
        pytest.raises(GitHubFailure) as caught,
    ):
        asking.graphql("query { viewer { login } }", {}, "us")
    assert caught.value.advice is not None
    assert caught.value.advice in str(caught.value)
    assert notes == [f"{caught.value.fault}; trying again in 0 s"]
    assert "try again" not in notes[0]


@pytest.mark.parametrize(
    ("failure", "told"),
    [
        (Forbidden("POST /x", "no"), "it failed: POST /x: no"),
        (
            NotFound("POST /x", "no", "check it"),
            "it failed: POST /x: no; the token needs the permission `things: write`",
        ),
        (Refused("POST /x", "no"), "it failed: POST /x: no"),
        (NoAnswer("POST /x", "no", "try later"), "it failed: POST /x: no; try later"),
    ],
)
def test_what_was_not_written_says_one_thing_to_do(failure: GitHubFailure, told: str) -> None:
    assert not_written("it failed", failure, "things: write") == told


def test_closing_ends_the_waiting(stub: Stub) -> None:
    stub.says("/x", Reply({}, 503, Retry_After="50"), OK)
    waiting = connect(stub.url, "t", note=lambda _: waiting._retry.close())
    answer = waiting.get_later("/x")
    with pytest.raises(NoAnswer):
        answer.result()
    waiting.close()


@pytest.mark.parametrize("status", [301, 307, 308])
def test_a_renamed_repository_is_followed_with_its_query(
    stub: Stub, client: GitHubClient, status: int
) -> None:
    stub.says("/repos/o/old/files", Reply({}, status, Location=f"{stub.url}/repositories/1/files"))
    stub.says("/repositories/1/files", OK)
    assert client.get("/repos/o/old/files", per_page=100, page=2).data == {"fine": True}
    assert stub.seen[-1].query == {"per_page": "100", "page": "2"}


@pytest.mark.parametrize("verb", ["post", "patch", "delete"])
@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (Reply({}, 500), NoAnswer),
        (Reply(drop=True), NoAnswer),
        (Reply({}, 429, Retry_After="0"), RateLimited),
        (Reply({}, 307, Location="/y"), OddAnswer),
    ],
    ids=str,
)
def test_a_write_is_never_repeated(
    stub: Stub, client: GitHubClient, verb: str, reply: Reply, kind: type[GitHubFailure]
) -> None:
    stub.says("/x", reply)
    write = getattr(client, verb)
    with pytest.raises(kind):
        write("/x") if verb == "delete" else write("/x", {"body": "b"})
    assert [request.verb for request in stub.seen] == [verb.upper()]


def test_a_write_returns_what_github_made(stub: Stub, client: GitHubClient) -> None:
    stub.says("/x", Reply({"id": 5}, 201))
    stub.says("/y", Reply(status=204))
    assert client.post("/x", {"body": "ä"}).data == {"id": 5}
    assert stub.seen[0].body == b'{"body": "\\u00e4"}'
    assert client.delete("/y").data is None


def test_threads_get_their_own_answers(stub: Stub, client: GitHubClient) -> None:
    names = [f"/{n}" for n in range(300)]
    for name in names:
        stub.says(name, Reply({"name": name}))
    with ThreadPoolExecutor(50) as pool:
        answers = list(pool.map(lambda name: client.get(name).data["name"], names))
    assert answers == names


def test_graphql_gives_data_and_leaves_null_what_is_gone(stub: Stub, client: GitHubClient) -> None:
    stub.says("/graphql", Reply({"data": {"nodes": [None]}, "errors": [{"type": "NOT_FOUND"}]}))
    assert client.graphql("query", {"ids": ["x"]}) == {"nodes": [None]}
    assert stub.seen[0].body == b'{"query": "query", "variables": {"ids": ["x"]}}'


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (Reply({"data": {}, "errors": [{"type": "FORBIDDEN", "message": "no"}]}), Forbidden),
        (Reply({"data": None, "errors": [{"type": "RATE_LIMITED"}]}), RateLimited),
        (Reply({"errors": [{"message": "You have exceeded a secondary rate limit"}]}), RateLimited),
        (Reply({"data": {"a": 1}, "errors": [{"message": "Something went wrong"}]}), NoAnswer),
        (Reply({"data": None}), OddAnswer),
        (Reply({"data": {}, "errors": 5}), OddAnswer),
        (Reply(["data"]), OddAnswer),
        (Reply({"message": "Bad credentials"}, 401), BadCredentials),
    ],
    ids=str,
)
def test_graphql_failures_inside_an_answer_are_failures(
    stub: Stub, reply: Reply, kind: type[GitHubFailure]
) -> None:
    stub.says("/graphql", reply)
    with connect(stub.url, "t", patience=Patience(2, 0.0, 1.0)) as client, pytest.raises(kind):
        client.graphql("query", {})


@pytest.mark.parametrize(
    ("api", "graphql", "path"),
    [
        ("", None, "/graphql"),
        ("/", None, "/graphql"),
        ("/api/v3", None, "/api/graphql"),
        ("/api/v3/", "/api/graphql", "/api/graphql"),
    ],
)
def test_graphql_is_found_where_github_keeps_it(
    stub: Stub, api: str, graphql: str | None, path: str
) -> None:
    stub.says(path, Reply({"data": {}}))
    stub.says(api.rstrip("/") + "/x", OK)
    address = None if graphql is None else stub.url + graphql
    with connect(stub.url + api, "t", graphql_url=address) as client:
        assert client.graphql("query", {}) == {}
        assert client.get("/x").data == {"fine": True}


@pytest.mark.parametrize("url", ["", "api.github.com", "ftp://h/", "https://", "https://h:x/"])
def test_an_address_that_is_none_is_named(url: str) -> None:
    with pytest.raises(InvalidInput, match="GITHUB_API_URL"):
        connect(url, "t")


def test_graphql_on_another_server_is_refused() -> None:
    with pytest.raises(InvalidInput, match="GITHUB_GRAPHQL_URL"):
        connect("https://a.test", "t", graphql_url="https://b.test/graphql")


@pytest.mark.parametrize("token", ["", " \n", "two words", "ghs_\u0430", "a\nb"])
def test_a_token_that_cannot_be_one_is_never_sent_nor_shown(token: str) -> None:
    with pytest.raises(BadCredentials) as caught:
        connect("https://a.test", token)
    assert not token.strip() or token not in str(caught.value)


def test_the_token_is_sent_and_the_bot_names_itself(stub: Stub, client: GitHubClient) -> None:
    stub.says("/x", OK)
    client.get("/x")
    headers = stub.seen[0].headers
    assert headers["Authorization"] == "token ghs_aSecretToken"
    assert headers["User-Agent"].startswith("signoff-bot/")
    assert headers["X-GitHub-Api-Version"] == "2022-11-28"


@pytest.mark.parametrize("kind", ["text/plain", "application/json", "application/json; charset=x"])
def test_answers_are_utf8_whatever_they_say(stub: Stub, client: GitHubClient, kind: str) -> None:
    stub.says("/x", Reply(raw='{"name": "Jürgen €"}'.encode(), Content_Type=kind))
    assert client.get("/x").data == {"name": "Jürgen €"}


def test_passwords_kept_for_the_server_are_not_used(
    stub: Stub, client: GitHubClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login kiri-lund password hunter2\n")
    monkeypatch.setenv("NETRC", str(netrc))
    stub.says("/zip", Reply(status=302, Location=f"{stub.url}/signed"))
    stub.says("/signed", Reply(raw=b"PK"))
    client.archive("/zip", 100)
    assert stub.seen[0].headers["Authorization"] == "token ghs_aSecretToken"
    assert "Authorization" not in stub.seen[1].headers


def test_an_archive_is_fetched_without_the_token(stub: Stub, client: GitHubClient) -> None:
    stub.says("/zip", Reply(status=302, Location=f"{stub.url}/signed?sig=abc"))
    stub.says("/signed", Reply(raw=b"PK..."))
    assert client.archive("/zip", 100) == b"PK..."
    assert "Authorization" in stub.seen[0].headers
    assert "Authorization" not in stub.seen[1].headers
    assert stub.seen[1].query == {"sig": "abc"}


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (Reply(raw=b"x" * 101), Incomplete),
        (Reply({}, 403), NoAnswer),
        (Reply({}, 302, Location="/more"), NoAnswer),
        (Reply({}, 500), NoAnswer),
        (Reply(raw=b"x" * 50, cut=9), NoAnswer),
        (Reply(drop=True), NoAnswer),
    ],
    ids=str,
)
def test_an_archive_that_cannot_be_had_whole_is_a_failure(
    stub: Stub, client: GitHubClient, reply: Reply, kind: type[GitHubFailure]
) -> None:
    stub.says("/zip", Reply(status=302, Location=f"{stub.url}/signed?sig=secret"))
    stub.says("/signed", reply)
    with pytest.raises(kind, match="GET /zip: ") as caught:
        client.archive("/zip", 100)
    assert "secret" not in str(caught.value), "a signed address is a credential"


def test_an_archive_gets_a_fresh_address_for_each_try(stub: Stub, client: GitHubClient) -> None:
    answers = iter([Reply({}, 500), Reply(raw=b"PK")])
    stub.says("/zip", Reply(status=302, Location=f"{stub.url}/signed"))
    stub.scripts["/signed"] = lambda _: next(answers)
    assert client.archive("/zip", 100) == b"PK"
    assert [request.path for request in stub.seen] == ["/zip", "/signed"] * 2


@pytest.mark.parametrize("location", ["", "file:///etc/passwd", "ftp://a.test/x"])
def test_an_archive_that_leads_nowhere_is_odd(
    stub: Stub, client: GitHubClient, location: str
) -> None:
    stub.says("/zip", Reply(status=302, Location=location))
    with pytest.raises(OddAnswer):
        client.archive("/zip", 100)


def test_segments_are_safe_in_paths(stub: Stub, client: GitHubClient) -> None:
    seen: list[Request] = []
    path = f"/a/{segment('feature/x y?z#%2e;p')}/b"
    stub.scripts[path] = lambda request: seen.append(request) or OK
    client.get(path)
    assert seen[0].path == "/a/feature%2Fx%20y%3Fz%23%252e%3Bp/b"
