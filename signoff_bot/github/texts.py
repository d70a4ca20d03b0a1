"""Reads many text files of a repository at once, each at its own ref.

GraphQL gives dozens of files in one answer, but says of a text neither whether it is the whole file
nor whether it is a link to another. So each is held to git's own id of its content, and what does
not prove itself is asked for singly.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from functools import partial

from pydantic import Field

from signoff_bot.evidence.base import Unread
from signoff_bot.github.client import GitHubClient, graphql_request
from signoff_bot.github.decode import Wire, decode
from signoff_bot.github.failures import GitHubFailure, OddAnswer
from signoff_bot.github.repository import read_file
from signoff_bot.github.tasks import side_by_side, unless_failing

Wanted = tuple[str, str]
"""A path, and the ref to read it at (`refs/heads/BRANCH` or a commit)."""
Text = str | Unread | None
"""The text of a file; None where there is none."""

_BATCH = 20
"""Files asked for at once: GraphQL must find all of them within ten seconds."""


class _Object(Wire):
    type: str = Field(alias="__typename")
    oid: str
    text: str | None = None


class _Answer(Wire):
    repository: dict[str, _Object | None]


def read_texts(client: GitHubClient, repo: str, wanted: Iterable[Wanted]) -> dict[Wanted, Text]:
    """The texts of the files; what could not be read is an `Unread` that says why."""
    files = sorted(set(wanted))
    batches = [files[start : start + _BATCH] for start in range(0, len(files), _BATCH)]
    found = side_by_side(partial(_read_batch, client, repo, batch) for batch in batches)
    return {file: text for texts in found for file, text in texts.items()}


def _read_batch(client: GitHubClient, repo: str, files: Sequence[Wanted]) -> dict[Wanted, Text]:
    refs = sorted({ref for _, ref in files})
    about = f"{len(files)} files of {repo}, such as {files[0][0]} at {files[0][1]}"
    request = graphql_request(about)
    owner, _, name = repo.partition("/")
    variables = {"owner": owner, "name": name}
    variables |= {f"ref{n}": ref for n, ref in enumerate(refs)}
    variables |= {f"file{n}": f"{ref}:{path}" for n, (path, ref) in enumerate(files)}
    try:
        answer = client.graphql(_query(len(refs), len(files)), variables, about)
        objects = decode(_Answer, answer, request).repository
        if variables.keys() - {"owner", "name"} != objects.keys():
            raise OddAnswer(request, "odd answer from GitHub: not one object for each file")
    except GitHubFailure as failure:
        return dict.fromkeys(files, Unread(unread=str(failure)))
    unseen = {ref for n, ref in enumerate(refs) if objects[f"ref{n}"] is None}
    works = [
        partial(_text, client, repo, file, objects[f"file{n}"], file[1] in unseen, request)
        for n, file in enumerate(files)
    ]
    return dict(zip(files, side_by_side(works), strict=True))


def _query(refs: int, files: int) -> str:
    names = [*(f"ref{n}" for n in range(refs)), *(f"file{n}" for n in range(files))]
    declared = "".join(f", ${name}: String!" for name in names)
    asked = "".join(
        f"    {name}: object(expression: ${name}) "
        f"{{ __typename oid{' ... on Blob { text }' if name.startswith('file') else ''} }}\n"
        for name in names
    )
    return (
        f"query Texts($owner: String!, $name: String!{declared}) {{\n"
        f"  repository(owner: $owner, name: $name) {{\n{asked}  }}\n}}\n"
    )


def _text(
    client: GitHubClient, repo: str, file: Wanted, found: _Object | None, unseen: bool, request: str
) -> Text:
    path, ref = file
    if found is None and unseen:
        reason = f"{ref} cannot be seen; check that the token may read contents"
        return Unread(unread=f"{request}: {reason}")
    if found is None:
        return None
    if found.type != "Blob":
        return Unread(unread=f"{request}: {path} is no file at {ref}")
    # Of a symbolic link the text is where it leads, a line without an end.
    if found.text is not None and "\n" in found.text and _blob_id(found) == found.oid:
        return found.text
    return unless_failing(lambda: _read_singly(client, repo, file))


def _blob_id(found: _Object) -> str:
    """Git's id of the text."""
    content = (found.text or "").encode("utf-8", "surrogatepass")
    algorithm = hashlib.sha1 if len(found.oid) == 40 else hashlib.sha256
    return algorithm(b"blob %d\0" % len(content) + content).hexdigest()


def _read_singly(client: GitHubClient, repo: str, file: Wanted) -> Text:
    path, ref = file
    content = read_file(client, repo, path, ref)
    try:
        return None if content is None else content.decode()
    except UnicodeDecodeError:
        return Unread(unread=f"{path} at {ref} is not UTF-8 text; save it as UTF-8")
