"""Whether every review thread is resolved.

**What it checks.** Each conversation on lines of the diff is marked as resolved, whoever began it:
a reviewer or a review bot.

**Why it exists.** An open finding is a question that nobody has answered yet. Whoever merges over
it decides alone what was meant to be decided together.

**What it reads.** The review threads as GitHub keeps them, outdated ones included. Comments outside
of the diff cannot be resolved, and are no threads.

**When a person must look.** Never: a thread is resolved, or it is not.

**How to fix a failure.** Answer each thread, and resolve it once the answer is agreed on.
"""

from __future__ import annotations

from pydantic import Field

from signoff_bot.checks.base import Case, CheckKind, Finding, Parameters, Reference
from signoff_bot.checks.needs import Needs
from signoff_bot.evidence.base import known
from signoff_bot.evidence.conversation import ReviewThread
from signoff_bot.reading.wording import count

MOST_THREADS = 10
"""Threads spoken of one by one."""


class ThreadsParameters(Parameters):
    """Whether open threads matter."""

    enabled: bool = Field(
        default=True, description="Whether an unresolved thread fails the check; else it is `na`."
    )


def needs(parameters: ThreadsParameters) -> Needs:
    """The review threads, where they matter."""
    return Needs(threads=parameters.enabled)


def judge(case: Case, parameters: ThreadsParameters) -> Finding:
    """Looks for threads that nobody resolved."""
    if not parameters.enabled:
        return Finding("na", "these rules do not ask for threads to be resolved")
    threads = known(case.evidence.threads)
    unresolved = [thread for thread in threads if not thread.resolved]
    if not unresolved:
        number = count(len(threads), "review thread")
        return Finding("pass", f"{number}, none unresolved" if threads else "no review thread")
    shown = [f"begun by {_by(thread)}: {thread.url}" for thread in unresolved[:MOST_THREADS]]
    rest = len(unresolved) - len(shown)
    return Finding(
        "fail",
        f"{count(len(unresolved), 'review thread')} unresolved",
        details=(*shown, *([f"and {rest} more"] if rest else [])),
        fix="answer each thread, and resolve it once the answer is agreed on",
        links=tuple(
            Reference(f"thread by {_by(thread)}", thread.url)
            for thread in unresolved[:MOST_THREADS]
        ),
    )


def _by(thread: ReviewThread) -> str:
    return thread.author.login if thread.author else "an account that is gone"


KIND = CheckKind(
    name="threads",
    doc=__doc__,
    parameters=ThreadsParameters,
    needs=needs,
    judge=judge,
    needs_signoff=False,
)
