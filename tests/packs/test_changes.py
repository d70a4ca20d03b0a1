"""Changes to evidence by path: what each path means, and that a path to nowhere is no change."""

from copy import deepcopy

import pytest

from signoff_bot.packs.changes import apply_changes

DATA = {
    "pull": {"draft": False, "labels": ["a", "b"]},
    "comments": [{"body": "x"}, {"body": "y"}, {"body": "z"}],
    "runs": [
        {"id": 1, "jobs": [{"name": "eval / / a.b"}, {"name": "c"}]},
        {"id": 2, "jobs": [{"name": "c"}]},
    ],
    "files": {"unread": "gone"},
}


def changed(set_=None, add=None, remove=()):
    return apply_changes(DATA, set_ or {}, add or {}, remove)


@pytest.mark.parametrize(
    ("path", "value", "where"),
    [
        ("pull.draft", True, lambda d: d["pull"]["draft"]),
        ("pull", 3, lambda d: d["pull"]),
        ("files", ["a"], lambda d: d["files"]),
        ("comments[1].body", "new", lambda d: d["comments"][1]["body"]),
        ("comments[1]", "new", lambda d: d["comments"][1]),
        ("comments[body=z].body", "new", lambda d: d["comments"][2]["body"]),
        ("comments[*].body", "new", lambda d: d["comments"][0]["body"]),
        ("comments[*].body", "new", lambda d: d["comments"][2]["body"]),
        ("pull.labels[0]", "new", lambda d: d["pull"]["labels"][0]),
        ("runs[id=2].jobs[name=c].x", 1, lambda d: d["runs"][1]["jobs"][0]["x"]),
        ("runs[0].jobs[name=eval / / a.b].x", 1, lambda d: d["runs"][0]["jobs"][0]["x"]),
        ("runs[*].jobs[name=c].x", 1, lambda d: d["runs"][1]["jobs"][0]["x"]),
        ("push.at", "now", lambda d: d["push"]["at"]),
        ("comments[0].history.minimized", True, lambda d: d["comments"][0]["history"]["minimized"]),
        ("pull.merged_at", None, lambda d: d["pull"]["merged_at"]),
    ],
)
def test_a_value_is_set_where_the_path_leads(path: str, value: object, where) -> None:
    assert where(changed({path: value})) == value


def test_setting_a_mapping_replaces_it() -> None:
    assert changed({"pull": {"title": "x"}})["pull"] == {"title": "x"}


def test_elements_are_added_at_the_end_of_a_list_or_make_one() -> None:
    data = changed(add={"comments": [{"body": "n"}], "teams": [1, 2], "runs[1].jobs": ["j"]})
    assert [comment["body"] for comment in data["comments"]] == ["x", "y", "z", "n"]
    assert data["teams"] == [1, 2]
    assert data["runs"][1]["jobs"] == [{"name": "c"}, "j"]


@pytest.mark.parametrize(
    ("paths", "left"),
    [
        (["comments[0]", "comments[1]"], ["z"]),
        (["comments[2]", "comments[0]", "comments[0]"], ["y"]),
        (["comments[*]"], []),
        (["comments[body=y]"], ["x", "z"]),
    ],
)
def test_what_is_removed_is_named_by_where_it_was(paths: list[str], left: list[str]) -> None:
    assert [comment["body"] for comment in changed(remove=paths)["comments"]] == left


def test_twelve_removals_take_the_right_twelve() -> None:
    data = {"files": list(range(30))}
    left = apply_changes(data, {}, {}, [f"files[{n}]" for n in range(0, 24, 2)])
    assert left["files"] == [*range(1, 24, 2), *range(24, 30)]


def test_a_key_can_be_removed() -> None:
    assert "files" not in changed(remove=["files"])


def test_all_paths_speak_of_the_lists_as_they_were() -> None:
    data = changed({"comments[2].body": "set"}, {"comments": [{"body": "added"}]}, ["comments[0]"])
    assert [comment["body"] for comment in data["comments"]] == ["y", "set", "added"]


def test_the_data_and_the_changes_stay_as_they_are() -> None:
    before, values = deepcopy(DATA), [{"body": "n"}]
    data = changed({"pull.draft": True}, {"comments": values}, ["files"])
    data["comments"][3]["body"] = "other"
    assert (before, values) == (DATA, [{"body": "n"}])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"set_": {"": 1}}, ": not a path such as `pull.draft` or `comments[0].body`"),
        ({"set_": {"a..b": 1}}, "a..b: not a path such as `pull.draft` or `comments[0].body`"),
        ({"set_": {"a.": 1}}, "a.: not a path such as `pull.draft` or `comments[0].body`"),
        ({"set_": {"[0]": 1}}, "[0]: not a path such as `pull.draft` or `comments[0].body`"),
        ({"set_": {"comments[9].body": 1}}, "comments[9].body: no element [9]"),
        ({"set_": {"comments[-1]": 1}}, "comments[-1]: no element [-1]"),
        ({"set_": {"comments[]": 1}}, "comments[]: no element []"),
        ({"set_": {"comments[body=q].x": 1}}, "comments[body=q].x: no element [body=q]"),
        ({"set_": {"files[0]": 1}}, "files[0]: no element [0]"),
        ({"set_": {"nothing[0]": 1}}, "nothing[0]: no element [0]"),
        (
            {"set_": {"comments.body": 1}},
            "comments.body: before `body`, say which element: [0], [FIELD=VALUE] or [*]",
        ),
        ({"set_": {"pull.draft.x": 1}}, "pull.draft.x: what stands before `x` has no keys"),
        ({"add": {"files": [1]}}, "files: not a list, so nothing can be added"),
        ({"add": {"pull.draft": [1]}}, "pull.draft: not a list, so nothing can be added"),
        ({"remove": ["pull.tilte"]}, "pull.tilte: nothing to remove there"),
        ({"remove": ["comments[7]"]}, "comments[7]: no element [7]"),
    ],
)
def test_a_path_to_nowhere_is_a_mistake(change: dict, message: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        changed(**change)
    assert str(caught.value) == message
