"""Reads which Python packages a command installs or takes away.

A requirement may be a name with a version, an address (`git+https://...`, a wheel), or a folder.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from signoff_bot.reading.benchmark_clients import starts
from signoff_bot.reading.shell import Command, Text

_WITH_VALUE = (
    *("-i", "--index-url", "--extra-index-url", "-f", "--find-links", "-t", "--target"),
    *("--prefix", "--root", "--python", "--platform", "--abi", "--progress-bar", "--src"),
    *("--timeout", "--retries", "--cache-dir", "--config-settings", "-C", "--no-binary"),
    *("--only-binary", "--upgrade-strategy", "--index-strategy", "--torch-backend", "-c"),
    *("--constraint", "--trusted-host", "--proxy", "--log"),
)
_NAME = re.compile(
    r"([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]]*\])?\s*(?:[=<>!~;@ ,].*)?$", re.DOTALL
)
_EGG = re.compile(r"#egg=([A-Za-z0-9._-]+)")
_WHEEL = re.compile(r"([A-Za-z0-9._]+?)-[0-9*$][^/]*\.(?:whl|tar\.gz|zip)(?:[#?].*)?$")
_REPOSITORY = re.compile(r"/([A-Za-z0-9._-]+?)(?:\.git)?(?:[@#?].*)?/?$")
_ARCHIVE = re.compile(r"/([A-Za-z0-9._-]+)/(?:archive|releases|tarball|zipball)/")


@dataclass(frozen=True, slots=True)
class Install:
    """One requirement. Names are in the form in which they are compared."""

    names: tuple[str, ...]
    """The package's name; for a folder the names along its path; empty where it is open."""
    written: str
    local: bool
    """Whether it is a file or folder, whose name says little."""


def installs(command: Command, installers: Sequence[str]) -> Iterator[Install]:
    """What a command installs."""
    argv = command.argv
    texts = [text.text for text in argv]
    for installer in installers:
        at = starts(texts, installer)
        if at is not None:
            yield from _requirements(argv[at + len(installer.split()) :], command.directory)
            return


def removals(command: Command) -> Iterator[str]:
    """The packages that a command takes away, in the form in which names are compared."""
    texts = [text.text for text in command.argv]
    for spelling in ("pip uninstall", "pip3 uninstall", "-m pip uninstall"):
        at = starts(texts, spelling)
        if at is not None:
            words = texts[at + len(spelling.split()) :]
            yield from (normalised(word) for word in words if not word.startswith("-"))
            return


def normalised(name: str) -> str:
    """A package's name as names are compared."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _requirements(words: Sequence[Text], directory: Text | None) -> Iterator[Install]:
    skip = False
    for index, word in enumerate(words):
        written = word.text
        if skip:
            skip = False
        elif written in ("-r", "--requirement"):
            skip = True
            named = words[index + 1].text if index + 1 < len(words) else ""
            yield Install((), f"-r {named}", local=True)
        elif written in _WITH_VALUE:
            skip = True
        elif written.startswith("-r") and not written.startswith("--"):
            yield Install((), written, local=True)
        elif not written.startswith("-"):
            yield _requirement(written, directory)


def _requirement(written: str, directory: Text | None) -> Install:
    before, at, address = written.partition("@")
    if at and address.strip().startswith(("git+", "http", "file:")) and "/" not in before:
        return Install((normalised(before.split("[")[0].strip()),), written, local=False)
    if "://" in written:
        for pattern in (_EGG, _WHEEL, _ARCHIVE, _REPOSITORY):
            found = pattern.search(written)
            if found:
                name = found[1].rsplit("/", 1)[-1]
                return Install((normalised(name),), written, local=False)
        return Install((), written, local=False)
    if "/" in written or written.startswith(".") or written.endswith((".whl", ".tar.gz")):
        return _local(written, directory)
    named = _NAME.match(written)
    return Install((normalised(named[1]),) if named else (), written, local=False)


def _local(written: str, directory: Text | None) -> Install:
    """A folder or file: by the name of a wheel, or of the folders of its path."""
    wheel = _WHEEL.search(written)
    if wheel:
        return Install((normalised(wheel[1].rsplit("/", 1)[-1]),), written, local=True)
    path = written.split("[")[0]
    if directory is not None and not path.startswith("/"):
        path = f"{directory.text}/{path}"
    named = (part for part in path.split("/") if re.fullmatch(r"\w[\w.-]*", part))
    return Install(tuple(map(normalised, named)), written, local=True)
