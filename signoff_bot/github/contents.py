"""Reads files as evidence: CODEOWNERS, the form, and whatever else the rules look at."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

from signoff_bot.checks.needs import ContentNeed
from signoff_bot.evidence.base import Unread
from signoff_bot.evidence.pull import ChangedFile
from signoff_bot.evidence.repository import Place, RepositoryFile
from signoff_bot.github.client import GitHubClient
from signoff_bot.github.pulls import Described
from signoff_bot.github.repository import list_directory, read_file, read_merge_base
from signoff_bot.github.tasks import side_by_side, unless_failing
from signoff_bot.github.texts import read_texts
from signoff_bot.reading.codeowners import UnusableCodeowners, decode_codeowners
from signoff_bot.reading.codeowners.text import LOCATIONS
from signoff_bot.reading.globs import matching

MOST_FILES = 200
"""Files of one place that are read."""

Files = tuple[ChangedFile, ...] | Unread


def base_ref(described: Described) -> str:
    """The ref that is the base: the branch's tip, or the recorded commit of what is closed.

    The commit that GitHub keeps on an open pull request lags behind its base branch.
    """
    pull = described.pull
    return f"refs/heads/{pull.base_ref}" if pull.state == "open" else pull.base_sha


@dataclass(frozen=True, slots=True)
class ContentReader:
    """Reads files of the repository of one pull request."""

    client: GitHubClient
    described: Described

    @property
    def _repo(self) -> str:
        return self.described.repository.full_name

    def codeowners(self) -> RepositoryFile | Unread:
        """The CODEOWNERS file at the base, or a record without text when there is none."""
        first = unless_failing(lambda: self._codeowners(LOCATIONS[0]))
        if isinstance(first, Unread) or first.text is not None:
            return first
        for later in side_by_side(
            partial(unless_failing, partial(self._codeowners, path)) for path in LOCATIONS[1:]
        ):
            if isinstance(later, Unread) or later.text is not None:
                return later
        return first

    def _codeowners(self, path: str) -> RepositoryFile:
        ref = base_ref(self.described)
        content = read_file(self.client, self._repo, path, ref)
        text: str | Unread | None = None
        if content is not None:
            try:
                text = decode_codeowners(content)
            except UnusableCodeowners as problem:
                text = Unread(unread=f"{path}: {problem}")
        return RepositoryFile(path=path, ref=ref, text=text)

    def read(
        self, paths: Iterable[str], needs: Iterable[ContentNeed], files: Callable[[], Files]
    ) -> tuple[RepositoryFile, ...]:
        """The files at `paths` at the base, and those that `needs` speak of, but at no run."""
        needs = frozenset(needs)
        at_base = {*paths, *(need.pattern for need in needs if need.at == "base")}
        single = {path for path in at_base if not path.endswith("/")}
        works = [partial(self._directory, path) for path in sorted(at_base - single)]
        if single:
            works.append(partial(self._files, single, "base", base_ref(self.described)))
        if any(need.at in _CHANGED for need in needs):
            works += [partial(self._changed, place, needs, files) for place in _CHANGED]
        return tuple(file for found in side_by_side(works) for file in found)

    def read_at_run(
        self, needs: Iterable[ContentNeed], files: Files, sha: str
    ) -> tuple[RepositoryFile, ...]:
        """The changed files that the needs at the run let in, as a run's commit has them."""
        globs = sorted(need.pattern for need in needs if need.at == "run")
        if not globs or isinstance(files, Unread) or sha == self.described.pull.head_sha:
            return ()
        names = {name for file in files for name in (file.path, file.previous_path) if name}
        return tuple(self._files(matching(sorted(names), globs), "run", sha))

    def _directory(self, path: str) -> list[RepositoryFile]:
        """The files of a directory, and a record of which there are under its own name."""
        ref = base_ref(self.described)
        found = unless_failing(lambda: list_directory(self.client, self._repo, path, ref))
        if found is None or isinstance(found, Unread):
            return [RepositoryFile(path=path, ref=ref, text=found)]
        record = RepositoryFile(path=path, ref=ref, text="\n".join(sorted(found)))
        return [record, *self._files(found, "base", ref)]

    def _changed(
        self, place: Place, needs: frozenset[ContentNeed], files: Callable[[], Files]
    ) -> list[RepositoryFile]:
        """The changed files that the globs of one place let in, as they stand there."""
        globs = sorted(need.pattern for need in needs if need.at == place)
        found = files() if globs else ()
        if isinstance(found, Unread):
            return []
        paths = matching(_names(found, place), globs)
        if not paths:
            return []
        ref: str | Unread = self.described.pull.head_sha
        if place == "merge base":
            ref = unless_failing(self._merge_base)
        if isinstance(ref, Unread):
            return [RepositoryFile(path=path, at=place, ref="", text=ref) for path in paths]
        return self._files(paths, place, ref)

    def _merge_base(self) -> str:
        pull = self.described.pull
        base = pull.base_ref if pull.state == "open" else pull.base_sha
        return read_merge_base(self.client, self._repo, base, pull.head_sha)

    def _files(self, paths: Iterable[str], place: Place, ref: str) -> list[RepositoryFile]:
        paths = sorted(paths)
        texts = read_texts(self.client, self._repo, ((path, ref) for path in paths[:MOST_FILES]))
        more = Unread(unread=f"not read: over {MOST_FILES} files at the {place}")
        return [
            RepositoryFile(path=path, at=place, ref=ref, text=texts.get((path, ref), more))
            for path in paths
        ]


_CHANGED: tuple[Place, ...] = ("head", "merge base")


def _names(files: Iterable[ChangedFile], place: Place) -> list[str]:
    """The names of the changed files that exist at the place."""
    if place == "head":
        return [file.path for file in files if file.status != "removed"]
    return [
        file.previous_path or file.path for file in files if file.status not in ("added", "copied")
    ]
