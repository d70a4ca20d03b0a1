"""Finds the sign-offs among everything that was written on a pull request.

Only a person's own words count: not those of apps, of deleted accounts, of a comment that somebody
else edited, that was minimized, or of a review that was dismissed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from signoff_bot.evidence.base import Timestamp
from signoff_bot.evidence.conversation import Comment
from signoff_bot.evidence.pull import Account
from signoff_bot.reading.own_words import author_of, standing
from signoff_bot.reading.phrase import odd_characters
from signoff_bot.reading.settings import SignoffRules
from signoff_bot.reading.signoff import Form, Problem, read_form

_PLACEHOLDER = re.compile(r"<?[A-Z][A-Z0-9]*([_ -][A-Z0-9]+)+>?")


@dataclass(frozen=True, slots=True)
class Signoff:
    """A comment that is, or was meant to be, a sign-off."""

    comment: Comment
    author: Account
    form: Form
    at: Timestamp
    """When it was given: the last edit by its author, else when it was posted."""
    problems: tuple[Problem, ...]
    unread: str | None
    """Why its history could not be learnt; such a sign-off decides nothing."""

    @property
    def completed(self) -> bool:
        """Whether it stands as a sign-off: complete, and no problem voids it."""
        voided = any(problem.voids for problem in self.problems)
        return self.form.shape == "complete" and not voided and self.unread is None


def own_form(comment: Comment, phrase: str) -> Form | None:
    """The comment read as a form, or None when it can be no sign-off whatever its history says."""
    if author_of(comment) is None:
        return None
    form = read_form(comment.body, phrase)
    return None if form.shape == "none" else form


def find_signoffs(comments: Iterable[Comment], rules: SignoffRules) -> tuple[Signoff, ...]:
    """All sign-offs, completed or not, oldest first (ties by comment id)."""
    found = (_read(comment, rules) for comment in comments)
    return tuple(
        sorted(
            (signoff for signoff in found if signoff is not None),
            key=lambda signoff: (signoff.at, signoff.comment.id, signoff.comment.kind),
        )
    )


def _read(comment: Comment, rules: SignoffRules) -> Signoff | None:
    author, form = author_of(comment), own_form(comment, rules.phrase)
    since = None if form is None else standing(comment)
    if author is None or form is None or since is None:
        return None
    problems = form.problems + _signature_problems(form, author)
    if comment.review_state == "CHANGES_REQUESTED":
        problems += (Problem(1, "the review requests changes; sign off in one that does not"),)
    if since.edited and since.unread is None and rules.own_edits == "void":
        problems += (Problem(1, "edited after it was posted; post the sign-off anew"),)
    return Signoff(comment, author, form, since.at, problems, since.unread)


def _signature_problems(form: Form, author: Account) -> tuple[Problem, ...]:
    if form.shape == "mention" or form.signed is None or form.signed_line is None:
        return ()
    if form.signed.isascii() and form.signed.lower() == author.login.lower():
        return ()
    if not form.signed:
        said = "names nobody"
    elif _PLACEHOLDER.fullmatch(form.signed):
        said = f"still holds the placeholder {form.signed}"
    else:
        odd = odd_characters(form.signed)
        holds = f" (which holds {', '.join(odd)})" if odd else ""
        said = f"names {form.signed!r}{holds}, but the comment is by {author.login}"
    return (Problem(form.signed_line, f"`Signed:` {said}; write `Signed: {author.login}`"),)
