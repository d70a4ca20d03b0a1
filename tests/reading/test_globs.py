"""Globs of rule packs: gitignore patterns by one fixed engine, and none that backtracks."""

import pytest
from pydantic import TypeAdapter, ValidationError

from signoff_bot.reading.globs import Glob, matching

PATHS = ("README.md", "docs/a.md", "docs/api/b.md", "src/docs/c.py", "src/x.py")


@pytest.mark.parametrize(
    ("globs", "matched"),
    [
        ((), ()),
        (("**",), PATHS),
        (("*.md",), ("README.md", "docs/a.md", "docs/api/b.md")),
        (("/docs/",), ("docs/a.md", "docs/api/b.md")),
        (("docs/",), ("docs/a.md", "docs/api/b.md", "src/docs/c.py")),
        (("/docs/*.md",), ("docs/a.md",)),
        (("src/**/c.py",), ("src/docs/c.py",)),
        (("src/**", "!src/docs/"), ("src/x.py",)),
        (("!src/docs/", "src/**"), ("src/docs/c.py", "src/x.py")),
        (("SRC/",), ()),
        (("[a-c].md", "[x]*[.]py"), ("docs/a.md", "docs/api/b.md", "src/x.py")),
    ],
)
def test_globs_match_as_gitignore_patterns_do(globs: tuple[str, ...], matched: object) -> None:
    assert matching(PATHS, globs) == matched


BAD = ["", "/", "!", "!/", "#x", " x", "x ", "a/***/b", "a\\", "[z-a]"]
NEVER_MATCHING = ["./src/**", "../x", "src//a", "src/./a", "!./x", "**.py", "src/**.py", "{a,b}/x"]
WINDOWS = ["src\\app.py", "src\\9"]
UNCLOSED = ["a[", "a[b", "[]", "[!]", "[!]a", "[a/b]", "[a]\\]["]
READ_DIFFERENTLY = ["[[:alpha:]]", "x/[!a[b]", "[a--b]", "[a&&b]", "[a~~b]", "[a||b]"]


@pytest.mark.parametrize("glob", [*BAD, *NEVER_MATCHING, *WINDOWS, *UNCLOSED, *READ_DIFFERENTLY])
def test_a_glob_that_cannot_mean_what_its_author_thinks_is_refused(glob: str) -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(Glob).validate_python(glob)


@pytest.mark.parametrize(
    ("glob", "path"),
    [
        ("/src/", "src/a"),
        (".github/*.yml", ".github/x.yml"),
        ("...", "..."),
        ("a\\[b", "a[b"),
        ("[]a]x", "]x"),
        ("[^a]x", "bx"),
        ("\\{a,b}", "{a,b}"),
        ("{{cookiecutter.slug}}/**", "{{cookiecutter.slug}}/x"),
    ],
)
def test_a_glob_that_only_looks_odd_is_taken(glob: str, path: str) -> None:
    assert matching([path], [TypeAdapter(Glob).validate_python(glob)]) == (path,)


def test_a_glob_that_a_hostile_name_can_slow_down_is_refused() -> None:
    """A third star in a name could cost millions of steps a file; what is allowed costs few."""
    for allowed in ("*a*b", "**/*a*/**/*b"):
        assert TypeAdapter(Glob).validate_python(allowed) == allowed
        assert matching(["a" * 255, "a/" * 1000], [allowed]) == ()
    for refused in ("*a*a*b", "x/*a*a*b/y", "**/a/**/b/**/c"):
        with pytest.raises(ValidationError):
            TypeAdapter(Glob).validate_python(refused)
