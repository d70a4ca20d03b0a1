"""Whether the signer is somebody else than those who made the change.

**What it checks.** The signer neither opened the pull request, nor is the author or committer of
one of its commits, nor pushed its head.

**Why it exists.** A second pair of eyes sees what the first overlooked; nobody can be their own
second pair.

**What it reads.** The accounts behind the pull request, behind its commits, and behind the last
push, all as GitHub attributes them, and compared by id. Updating the branch makes one a committer
and the last pusher too. Whom only a `Co-authored-by` line in a commit's message names is not seen:
anybody can write such a line about anybody.

**When a person must look.** A commit whose author or committer GitHub knows by no account may be
anybody's, the signer's included.

**How to fix a failure.** Let somebody sign who did not work on the change. Who commits with an
e-mail address that GitHub does not know can add it to their account.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff_bot.checks.base import Case, CheckKind, Finding, Parameters
from signoff_bot.checks.needs import Needs
from signoff_bot.evidence.base import known
from signoff_bot.evidence.pull import Account, Commit
from signoff_bot.reading.freshness import head_push
from signoff_bot.reading.wording import count, listed, short, some


class FourEyesParameters(Parameters):
    """There is nothing to choose."""


def needs(_: FourEyesParameters) -> Needs:
    """Who made the commits, and who pushed last."""
    return Needs(commits=True, push=True)


def judge(case: Case, _: FourEyesParameters) -> Finding:
    """Looks for the signer among those who made the change."""
    if case.signoff is None:
        return Finding("blocked", "nobody has signed off yet")
    signer = case.signoff.author
    roles = [role for role, account in _makers(case) if account.id == signer.id]
    if roles:
        return Finding(
            "fail",
            f"{signer.login} is {listed(list(dict.fromkeys(roles)))}, and cannot be their own "
            "second pair of eyes",
            fix="let somebody sign who did not work on the change",
        )
    commits = known(case.evidence.commits)
    unknown = {c.sha: _nobody(c) for c in commits if c.author is None or c.committer is None}
    if unknown:
        return Finding(
            "review",
            f"{count(len(unknown), 'commit')} may be anybody's: {some(list(map(short, unknown)))}",
            details=tuple(f"no account is known for the {who}" for who in unknown.values())[:10],
            fix="a person must make sure that the signer made none of them",
        )
    return Finding("pass", f"{signer.login} had no hand in the change")


def _nobody(commit: Commit) -> str:
    return f"{'author' if commit.author is None else 'committer'} of {commit.sha}"


def _makers(case: Case) -> Iterator[tuple[str, Account]]:
    """Everybody who made the change, with what they are to it."""
    evidence = case.evidence
    commits, push = known(evidence.commits), head_push(evidence)
    roles = [("the author of the pull request", evidence.pull.author)]
    roles += [("an author of its commits", commit.author) for commit in commits]
    roles += [("a committer of its commits", commit.committer) for commit in commits]
    roles += [("who pushed last", push.actor)]
    return ((role, account) for role, account in roles if account is not None)


KIND = CheckKind(
    name="four-eyes",
    doc=__doc__,
    parameters=FourEyesParameters,
    needs=needs,
    judge=judge,
    needs_signoff=True,
    each_signer=True,
)
