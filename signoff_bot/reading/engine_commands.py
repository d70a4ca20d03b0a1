"""Finds the commands of a script that change the serving stack before or while it serves."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import takewhile

from signoff_bot.reading.engine_paths import EngineRules, Home
from signoff_bot.reading.package_installs import installs, normalised, removals
from signoff_bot.reading.shell import Command, ShellScript, Text
from signoff_bot.reading.shell.nested import program
from signoff_bot.reading.wording import shorten

MENTIONING = re.compile(
    r"\b(?:pip3?|uv|patch|git|sed|perl|awk|cp|mv|ln|install|rsync|tee|curl|wget|dd|tar|unzip"
    r"|truncate|ed|mount|patchelf|rm|unlink|make|ninja|cmake|docker|podman|srun|enroot"
    r"|python[\d.]*|PYTHON\w*|LD_PRELOAD)\b"
    r"|-packages/|\.(?:py|sh|pth)\b|\w*pip_install\b|>"
)
"""What a script that holds such a command mentions."""

_IN_PLACE = re.compile(r"-(?:[A-Za-z]*i\S*|-in-place\S*)")
_EDITORS = ("sed", "perl", "awk", "gawk", "ruby")
_COPIES = ("cp", "mv", "ln", "install", "rsync")
_GIT_CHANGES = ("checkout", "switch", "reset", "restore", "pull", "merge", "cherry-pick", "rebase")
_WRITERS = ("curl", "wget", "tar", "unzip", "dd", "truncate", "ed", "mount", "patchelf")
_REMOVERS = ("rm", "unlink", "mv")
_BUILDS = (("make", "install"), ("ninja", "install"), ("cmake", "--install"))
_PROGRAM_OPTION = re.compile(r"-[A-Za-z]*e")
_MOUNT_OPTIONS = ("-v", "--volume", "--mount", "--container-mounts", "--container-mount")
_WRAPPERS = ("sudo", "env", "exec", "nohup", "time", "timeout", "command", "xargs", "find", "nice",
             "srun", "mpirun", "docker", "podman", "ssh", "numactl", "taskset")  # fmt: skip
_TALKS = ("echo", "printf", "grep", "cat", "log", "say", "test", "[", "[[")


@dataclass(frozen=True, slots=True)
class Sign:
    """A place that changes the serving stack, or may."""

    line: int
    lines: frozenset[int]
    certain: bool
    """Whether it does; else a person must look."""
    says: str
    kept: bool = False
    """Whether it matters in an old line too, though it is not certain."""


def engine_commands(script: ShellScript, rules: EngineRules) -> Iterator[Sign]:
    """The signs in a script's commands and variables."""
    for command in script.commands:
        for certain, says in _read(command, rules):
            lines = frozenset(command.lines).union(*(text.lines for text in command.texts))
            yield Sign(command.line, lines - {0}, certain, says)
    for assigned in script.assigned:
        if assigned.name in rules.hook_variables:
            foreign = [text for text in assigned.texts if not _is_own_list(text, rules)]
            if foreign:
                says = f"{assigned.name} names {shorten(foreign[0].text)}"
                yield Sign(assigned.line, frozenset({assigned.line}), False, says)


_Found = Iterator[tuple[bool, str]]


def _read(command: Command, rules: EngineRules) -> _Found:
    argv = command.argv
    name = program(argv[0].text) if argv else ""
    if name not in _TALKS:
        yield from _packages(command, rules)
        yield from _mounts([text.text for text in argv], rules)
        for at, word in enumerate(argv):
            if at == 0 or name in _WRAPPERS:
                words, before = argv[at + 1 :], argv[:at]
                use = _Use(program(word.text), words, command.directory, rules, before)
                yield from use.signs()
    for output in command.outputs:
        yield from _written(output, ">", command.directory, rules)


def _packages(command: Command, rules: EngineRules) -> _Found:
    engines = set(map(normalised, rules.engine_packages))
    clients = set(map(normalised, rules.client_packages))
    for found in installs(command, rules.installers):
        if engines.intersection(found.names):
            yield True, f"{shorten(found.written)} is installed over the image"
        elif not clients.intersection(found.names):
            yield False, f"{shorten(found.written)} is installed, and may be of the serving stack"
    for name in removals(command):
        if name in engines:
            yield True, f"{name} is taken out of the image"


def _mounts(words: list[str], rules: EngineRules) -> _Found:
    for before, word in zip(["", *words], words, strict=False):
        option, _, value = word.partition("=")
        if before in _MOUNT_OPTIONS or option in _MOUNT_OPTIONS:
            for mount in (value or word).split(","):
                target = (*mount.split(":"), "")[1]
                if rules.is_installed(f"{target}/"):
                    yield True, f"something is mounted over {shorten(target)}"


def _written(path: Text, tool: str, directory: Text | None, rules: EngineRules) -> _Found:
    name = program(path.text)
    home = rules.home(path, directory)
    if home == "engine":
        yield True, f"{_writer(tool)} writes over the image"
    elif name in rules.hook_files or name.endswith(".pth"):
        yield False, f"{_writer(tool)} writes {name}, which Python runs by itself"
    elif home == "open" and tool != ">":
        yield False, f"{tool} writes to a place that only a run would tell"


def _writer(tool: str) -> str:
    return "a redirection" if tool == ">" else tool


@dataclass(frozen=True, slots=True)
class _Use:
    """One tool with its arguments, in the directory that the script has changed to."""

    tool: str
    words: tuple[Text, ...]
    directory: Text | None
    rules: EngineRules
    before: tuple[Text, ...]
    """The words before the tool, where another program runs it."""

    def signs(self) -> _Found:
        texts = [word.text for word in self.words]
        taken = self.words[:-1] if self.tool == "mv" else self.words
        if self.tool in _REMOVERS and self._where(taken) == "engine":
            yield False, f"{self.tool} takes files out of the image"
        if self.tool == "git":
            yield from self._git()
        elif self.tool == "patch":
            if not self._is_own(self._patched(texts)):
                yield True, f"{self.tool} applies a patch"
        elif self.tool in _EDITORS and any(_IN_PLACE.fullmatch(text) for text in texts):
            home = self._where(self._files())
            if home != "own":
                yield home == "engine", f"{self.tool} edits a file in place"
        elif self.tool in (*_COPIES, "tee"):
            targets = [word for word in self.words if word.text not in (";", "+")]
            for target in targets if self.tool == "tee" else targets[1:][-1:]:
                yield from _written(target, self.tool, self.directory, self.rules)
        elif self.tool in _WRITERS:
            paths = [word for word in self.words if "://" not in word.text]
            if self._where(paths) == "engine":
                yield True, f"{self.tool} writes over the image"
        elif (self.tool, *texts[:1]) in _BUILDS:
            yield False, "something is built and installed"
        elif "setup.py" in texts and {"install", "develop"} & set(texts):
            yield self._where(self.words) == "engine", "something is built and installed"

    def _git(self) -> _Found:
        words, place = self.words, self.directory
        if [word.text for word in words[:1]] == ["-C"] and len(words) > 2:
            place, words = words[1], words[2:]
        action = words[0].text if words else ""
        if action in ("apply", "am"):
            if not self._is_own(place):
                yield True, f"{self.tool} applies a patch"
        elif action in _GIT_CHANGES and place is not None and self.rules.home(place) == "engine":
            yield True, f"git {action} changes sources of the image"

    def _patched(self, texts: list[str]) -> Text | None:
        """The directory or file that `patch` works on."""
        for option in ("-d", "--directory"):
            if option in texts[:-1]:
                return self.words[texts.index(option) + 1]
        return self.directory or next((w for w in self.words if not w.text.startswith("-")), None)

    def _is_own(self, place: Text | None) -> bool:
        """Whether a place is named as the benchmark's own; one that is not named is not."""
        own = place is not None and place.text.startswith(self.rules.client_paths)
        return own and place is not None and self.rules.home(place) == "own"

    def _files(self) -> list[Text]:
        """The files that an editor works on: without its options and its program."""
        files: list[Text] = []
        skip, programs = False, 0
        for word in self.words:
            if skip:
                skip = False
            elif word.text in ("-e", "-f", "-i", "--expression", "--file"):
                skip = word.text != "-i" or self.tool in ("awk", "gawk")
                programs += word.text != "-i"
            elif _PROGRAM_OPTION.fullmatch(word.text):
                skip, programs = True, programs + 1
            elif not word.text.startswith("-"):
                files.append(word)
        return files if programs else files[1:]

    def _where(self, words: Iterable[Text]) -> Home:
        """Where any of these words leads; `xargs` and `find` add files to them."""
        runners = [program(word.text) for word in self.before]
        if "find" in runners:
            searched = self.before[runners.index("find") + 1 :]
            named = takewhile(lambda word: not word.text.startswith("-"), searched)
            words = (*words, *named)
        homes = {self.rules.home(word, self.directory) for word in words}
        if "engine" in homes:
            return "engine"
        return "open" if "open" in homes or "xargs" in runners else "own"


def _is_own_list(value: Text, rules: EngineRules) -> bool:
    """Whether a list of paths names the benchmark's own alone."""
    paths = re.split(r":(?![-+=])", re.sub(r"\$\{?\w+\}?:?$", "", value.text))
    return all(not path or path.startswith(rules.client_paths) for path in paths)
