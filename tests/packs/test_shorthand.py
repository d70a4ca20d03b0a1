"""Evidence in short: what a login, a path or a name stands for, and what fills the rest."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from signoff_bot.evidence.base import Unread
from signoff_bot.evidence.model import Evidence
from signoff_bot.packs.mistakes import validate
from signoff_bot.packs.shorthand import TELLING, USUAL, complete, unfold


def read(data: dict) -> Evidence:
    evidence, wrongs = validate(Evidence, complete(unfold(data)))
    assert evidence is not None, wrongs
    return evidence


def test_nothing_stands_for_an_open_pull_request_without_comments() -> None:
    evidence = read({})
    assert (evidence.pull.state, evidence.comments) == ("open", ())
    assert isinstance(evidence.files, Unread)


def test_one_telling_field_stands_for_the_fact() -> None:
    evidence = read(
        {
            "pull": {"author": "bram-ito"},
            "files": ["a.md", {"path": "b.md", "status": "removed"}],
            "commits": ["c", "d"],
            "codeowners": "* @octavia-chen\n",
            "required_checks": ["build"],
            "check_runs": ["build"],
            "teams": [{"name": "acme/core", "members": ["bram-ito", "dependabot[bot]"]}],
            "runs": [
                {"workflow_path": "ci.yml", "jobs": ["x / / y"], "artifacts": [{"name": "results"}]}
            ],
        }
    )
    assert evidence.pull.author.login == "bram-ito"
    assert [(file.path, file.status) for file in evidence.files] == [
        ("a.md", "modified"),
        ("b.md", "removed"),
    ]
    assert [commit.sha for commit in evidence.commits] == ["c" * 40, "d" * 40]
    assert evidence.codeowners.text == "* @octavia-chen\n"
    assert evidence.required_checks[0].context == "build"
    assert evidence.check_runs[0].conclusion == "success"
    assert {m.login: m.type for m in evidence.teams[0].members} == {
        "bram-ito": "User",
        "dependabot[bot]": "Bot",
    }
    assert evidence.runs[0].jobs[0].green
    assert evidence.runs[0].artifacts[0].files == ()


def test_one_person_has_one_id_whatever_the_case_of_the_login() -> None:
    evidence = read(
        {
            "pull": {"author": "Bram-Ito"},
            "comments": [{"author": "bram-ito", "body": "x"}, {"author": "kiri-lund", "body": "y"}],
        }
    )
    first, second = (comment.author.id for comment in evidence.comments)
    assert first == evidence.pull.author.id != second


def test_what_is_left_out_follows_from_what_is_written() -> None:
    evidence = read(
        {
            "repository": {"id": 9, "full_name": "acme/lab"},
            "pull": {"number": 12, "head_sha": "c", "base_ref": "dev"},
            "files": ["a", "b", "c"],
            "comments": [{"author": "bram-ito", "body": "x", "id": 77, "kind": "review"}],
            "codeowners": "",
            "push": {},
            "runs": [{"workflow_path": "ci.yml", "jobs": ["j"]}],
            "upstream": [{"repo": "acme/recipes", "number": 3}],
        }
    )
    assert evidence.pull.changed_files == 3
    assert evidence.comments[0].url == ("https://github.com/acme/lab/pull/12#pullrequestreview-77")
    assert evidence.codeowners.ref == "refs/heads/dev"
    assert evidence.push.sha == "c" * 40
    run = evidence.runs[0]
    assert (run.head_sha, run.repository_id) == ("c" * 40, 9)
    assert run.jobs[0].url == f"{run.url}/job/{run.jobs[0].id}"
    assert evidence.upstream[0].found.base_repo == "acme/recipes"


@pytest.mark.parametrize(
    ("conclusion", "status", "runner", "started"),
    [
        ("success", "completed", "runner-1", True),
        ("failure", "completed", "runner-1", True),
        ("skipped", "completed", None, False),
        (None, "queued", None, False),
    ],
)
def test_a_job_is_filled_in_as_its_conclusion_demands(conclusion, status, runner, started) -> None:
    job = {"name": "j", "conclusion": conclusion}
    (found,) = read({"runs": [{"workflow_path": "ci.yml", "jobs": [job]}]}).runs[0].jobs
    assert (found.status, found.runner, found.started_at is not None) == (status, runner, started)


@pytest.mark.parametrize("key", ["files", "commits", "codeowners", "runs", "comments", "push"])
def test_an_unread_fact_stays_unread(key: str) -> None:
    assert getattr(read({key: {"unread": "answered 403"}}), key) == Unread(unread="answered 403")


def test_facts_deep_within_can_be_unread() -> None:
    evidence = read(
        {
            "comments": [{"author": None, "body": "x", "history": {"unread": "no"}}],
            "runs": [{"workflow_path": "ci.yml", "jobs": {"unread": "no"}}],
            "codeowners": {"text": {"unread": "no"}},
            "upstream": [{"repo": "a/b", "number": 1, "found": None}],
        }
    )
    unread = Unread(unread="no")
    assert evidence.comments[0].history == unread == evidence.runs[0].jobs
    assert evidence.codeowners.text == unread
    assert evidence.upstream[0].found is None


def test_evidence_in_full_is_left_as_it_is() -> None:
    evidence = read({"files": ["a"], "comments": [{"author": "bram-ito", "body": "x"}]})
    assert read(evidence.model_dump(mode="json")) == evidence


def test_the_tables_speak_of_fields_that_exist() -> None:
    for fact, usual in USUAL.items():
        assert usual.keys() <= fact.model_fields.keys(), fact
    for fact, field in TELLING.items():
        assert field in fact.model_fields, fact


values = st.recursive(
    st.none() | st.integers(0, 9) | st.text("ab[=", max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["id", "path", "text", "author", "jobs", "kind", "url", "unread", "sha", "found"]
            ),
            inner,
            max_size=3,
        )
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(sorted(Evidence.model_fields)), values, max_size=4))
def test_whatever_is_written_becomes_evidence_or_a_list_of_mistakes(data: dict) -> None:
    evidence, wrongs = validate(Evidence, complete(unfold(data)))
    assert (evidence is None) == bool(wrongs)
