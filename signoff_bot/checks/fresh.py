"""Whether the sign-off is newer than the last change of the pull request.

**What it checks.** A review, or a comment on a line of the diff, that was made on the current head
and never edited is fresh. Any other sign-off must have been given (or last edited by its author)
later than the push that made the head what it is; a push in the same second makes it stale. What
was pushed after the sign-off is excused only if it changes nothing: the pull request changes the
same files as at the signed head, each with the same content and the same diff, as after a clean
merge of the base branch.

**Why it exists.** Somebody who signs and then sees other code merged has signed nothing. Somebody
who signs again for every update from the base branch reads nothing any more.

**What it reads.** GitHub's own record of the pushes to the branch, the times of the sign-off, and
the changed files at the head and at the signed head, both set against the base branch. The dates
and parents of commits are their authors' claims and are never used.

**When a person must look.** Never. Where GitHub does not tell when the head was pushed, the check
is an error; where it does not show that nothing changed, something did. That is so too where the
base branch changed a file that the pull request changes.

**How to fix a failure.** Look at what changed since, and post the sign-off again.
"""

from __future__ import annotations

from signoff_bot.checks.base import Case, CheckKind, Finding, Parameters, Reference
from signoff_bot.checks.needs import Needs
from signoff_bot.evidence.base import MissingEvidence, Unread
from signoff_bot.evidence.pull import Push
from signoff_bot.reading.candidates import Signoff
from signoff_bot.reading.freshness import head_push, made_on, signed_head
from signoff_bot.reading.links import server_of
from signoff_bot.reading.same_change import difference
from signoff_bot.reading.wording import short


class FreshParameters(Parameters):
    """There is nothing to choose."""


def needs(_: FreshParameters) -> Needs:
    """When the head was pushed, and what was changed before."""
    return Needs(push=True, files=True, earlier_changes=True)


def judge(case: Case, _: FreshParameters) -> Finding:
    """Compares the sign-off with the push that made the head, then what they speak of."""
    signoff, head = case.signoff, case.evidence.pull.head_sha
    if signoff is None:
        return Finding("blocked", "nobody has signed off yet")
    tied = made_on(signoff)
    if tied == head:
        return Finding("pass", f"the sign-off was made on the head {short(head)}")
    push = head_push(case.evidence)
    if tied is None and signoff.at > push.at:
        return Finding(
            "pass", f"the sign-off of {signoff.at} came after the last push, of {push.at}"
        )
    doubt = _doubt(case, signoff)
    if doubt is not None:
        return _stale(case, push, signoff, doubt)
    return Finding(
        "pass",
        f"pushed again at {push.at}, after the sign-off; what the pull request changes is the "
        "same as before, file by file",
    )


def _doubt(case: Case, signoff: Signoff) -> str | None:
    """Why the change may be another one than the signed one; None when it is proven not to be."""
    evidence, pushes = case.evidence, case.evidence.pushes
    signed = signed_head(signoff, () if isinstance(pushes, Unread) else pushes)
    if signed is None:
        why = pushes.unread if isinstance(pushes, Unread) else "no push before it is on record"
        return f"what the head was then is not known: {why}"
    try:
        found = difference(evidence.earlier(signed), evidence.files)
    except MissingEvidence as missing:
        return f"whether that changed anything is not known: {missing}"
    return f"the change is not the same as at {short(signed)}: {found}" if found else None


def _stale(case: Case, push: Push, signoff: Signoff, doubt: str) -> Finding:
    evidence, tied = case.evidence, made_on(signoff)
    signed = f"was made on {short(tied)}" if tied else f"dates from {signoff.at}"
    by = f" by @{push.actor.login}" if push.actor else ""
    page = f"{server_of(evidence.pull.url)}/{evidence.repository.full_name}/commit/{push.sha}"
    return Finding(
        "fail",
        f"the sign-off {signed}, and the head {short(push.sha)} was pushed{by} at {push.at}",
        details=(doubt,),
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
