"""The Action's inputs, as the environment holds them: `SIGNOFF_<NAME>`, empty for the default."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from signoff_bot.errors import InvalidInput, Unavailable
from signoff_bot.target import Target, parse_repo, parse_target

FailOn = Literal["never", "error", "fail", "pending"]


@dataclass(frozen=True, slots=True)
class Inputs:
    """What the workflow asks for."""

    repo: str
    """`OWNER/REPO`, the repository that the workflow runs in."""
    token: str
    members_token: str | None
    """A token that may read teams."""
    rules: str | None
    """A pack's name, or the path of a file at the base."""
    target: Target | None
    """The pull request, or the sign-off on one, that the inputs name."""
    post_comment: bool
    set_status: bool
    fail_on: FailOn | None
    """None: `error`, where the event may write; else `never`."""
    save_evidence: str | None
    also_ours: tuple[int, ...]
    """Ids of the accounts that posted for us under another token."""

    @property
    def secrets(self) -> tuple[str, ...]:
        """The tokens, to keep them out of the evidence."""
        return tuple(token for token in (self.token, self.members_token) if token)


def read_inputs(environ: Mapping[str, str], server: str) -> Inputs:
    """The inputs of a workflow on the GitHub whose pages are at `server`.

    Raises:
        InvalidInput: one has a value that it cannot have.
        Unavailable: there is no token.
    """
    repo = environ.get("GITHUB_REPOSITORY", "")
    if not repo:
        raise InvalidInput("GITHUB_REPOSITORY is not set; run this in a workflow")
    repo = parse_repo(repo)
    return Inputs(
        repo=repo,
        token=_token(environ),
        members_token=_get(environ, "members-token") or None,
        rules=_get(environ, "rules") or None,
        target=_target(environ, repo, server),
        post_comment=_flag(environ, "post-comment"),
        set_status=_flag(environ, "set-status"),
        fail_on=_fail_on(environ),
        save_evidence=_get(environ, "save-evidence") or None,
        also_ours=_ids(environ, "also-ours"),
    )


def _get(environ: Mapping[str, str], name: str) -> str:
    return environ.get(f"SIGNOFF_{name.upper().replace('-', '_')}", "").strip()


def _token(environ: Mapping[str, str]) -> str:
    token = _get(environ, "github-token") or environ.get("GITHUB_TOKEN") or environ.get("GH_TOKEN")
    if not token:
        raise Unavailable("no token: give the input github-token, usually ${{ github.token }}")
    return token


def _flag(environ: Mapping[str, str], name: str) -> bool:
    given = _get(environ, name)
    if given not in ("", "true", "false"):
        raise InvalidInput(f"the input {name} is {given!r}; it may be true or false")
    return given != "false"


def _fail_on(environ: Mapping[str, str]) -> FailOn | None:
    given = _get(environ, "fail-on")
    for known in get_args(FailOn):
        if given == known:
            found: FailOn = known
            return found
    if given:
        raise InvalidInput(
            f"the input fail-on is {given!r}; it may be {', '.join(get_args(FailOn))}"
        )
    return None


def _ids(environ: Mapping[str, str], name: str) -> tuple[int, ...]:
    given = _get(environ, name).replace(",", " ").split()
    wrong = [text for text in given if not (text.isascii() and text.isdigit() and len(text) < 19)]
    if wrong:
        raise InvalidInput(
            f"the input {name} holds {wrong[0]!r}; it is a list of account ids, such as 41898282"
        )
    return tuple(int(text) for text in given)


def _target(environ: Mapping[str, str], repo: str, server: str) -> Target | None:
    pr, url = _get(environ, "pr"), _get(environ, "signoff-url")
    by_number = _of(repo, "pr", parse_target(pr, server)) if pr else None
    by_url = _of(repo, "signoff-url", parse_target(url, server)) if url else None
    if by_url is not None and by_url.signoff is None:
        raise InvalidInput(
            f"the input signoff-url is {url!r}, which names no comment; copy the link of the "
            "sign-off from its menu"
        )
    if by_number and by_url and by_number.number != by_url.number:
        raise InvalidInput(
            f"the inputs contradict each other: pr is {pr!r}, signoff-url is {url!r}"
        )
    return by_url or by_number


def _of(repo: str, name: str, target: Target) -> Target:
    """The target, which must be one of the repository: the token is for no other."""
    if (target.repo or repo).lower() != repo.lower():
        raise InvalidInput(
            f"the input {name} names a pull request of {target.repo}, not of {repo}; this workflow "
            "judges its own repository only"
        )
    return target
