"""Whether the sign-off is newer than the last change of the pull request.

**What it checks.** A review, or a comment on a line of the diff, that was made on the current head
and never edited is fresh. Any other sign-off must have been given (or last edited by its author)
later than the push that made the head what it is; a push in the same second makes it stale.

**Why it exists.** Somebody who signs and then sees other code merged has signed nothing.

**What it reads.** GitHub's own record of the last push to the branch, and the times of the
sign-off. The dates in commits are their authors' claims and are never used.

**When a person must look.** Never. Where GitHub does not tell when the head was pushed, the check
is an error.

**How to fix a failure.** Look at what changed since, and post the sign-off again.
"""

from __future__ import annotations

from signoff_bot.checks.base import Case, CheckKind, Finding, Parameters, Reference
from signoff_bot.checks.needs import Needs
from signoff_bot.evidence.base import MissingEvidence, known
from signoff_bot.evidence.pull import Push
from signoff_bot.reading.links import server_of
from signoff_bot.reading.wording import short


class FreshParameters(Parameters):
    """There is nothing to choose."""


def needs(_: FreshParameters) -> Needs:
    """When the head was pushed."""
    return Needs(push=True)


def judge(case: Case, _: FreshParameters) -> Finding:
    """Compares the sign-off with the push that made the head."""
    signoff, pull = case.signoff, case.evidence.pull
    if signoff is None:
        return Finding("blocked", "nobody has signed off yet")
    made_on, edited = signoff.comment.commit_sha, signoff.at != signoff.comment.created_at
    if made_on == pull.head_sha and not edited:
        return Finding("pass", f"the sign-off was made on the head {short(pull.head_sha)}")
    push = known(case.evidence.push)
    if push.sha != pull.head_sha:
        raise MissingEvidence(
            f"the last push on record is {short(push.sha)}, but the head is {short(pull.head_sha)}"
        )
    if made_on is not None and not edited:
        return _stale(case, push, f"the sign-off was made on {short(made_on)}")
    if signoff.at <= push.at:
        return _stale(case, push, f"the sign-off dates from {signoff.at}")
    return Finding("pass", f"the sign-off of {signoff.at} came after the last push, of {push.at}")


def _stale(case: Case, push: Push, signed: str) -> Finding:
    evidence = case.evidence
    by = f" by @{push.actor.login}" if push.actor else ""
    page = f"{server_of(evidence.pull.url)}/{evidence.repository.full_name}/commit/{push.sha}"
    return Finding(
        "fail",
        f"{signed}, and the head {short(push.sha)} was pushed{by} at {push.at}",
        fix="look at what changed since, then post the sign-off again",
        links=(Reference(f"commit {short(push.sha)}", page),),
    )


KIND = CheckKind(
    name="fresh",
    doc=__doc__,
    parameters=FreshParameters,
    needs=needs,
    judge=judge,
    needs_signoff=True,
    each_signer=True,
)
