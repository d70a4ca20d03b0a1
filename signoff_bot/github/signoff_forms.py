"""Which of the comments might be sign-offs: only they make us ask GitHub for more."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from signoff_bot.evidence.conversation import SignoffRef
from signoff_bot.github.conversation import Written
from signoff_bot.reading.candidates import own_form
from signoff_bot.reading.signoff import Form


@dataclass(frozen=True, slots=True)
class SignoffForm:
    """A comment that might be a sign-off, read as a form."""

    written: Written
    form: Form

    @property
    def login(self) -> str:
        """Who wrote it."""
        author = self.written.comment.author
        return author.login if author else ""


def signoff_forms(
    written: Iterable[Written], phrase: str, asked: SignoffRef | None
) -> list[SignoffForm]:
    """The comments that might be sign-offs, the likeliest to count first.

    That is the one asked about, then completed ones, then the newest.
    """
    found = [
        SignoffForm(one, form)
        for one in written
        if (form := own_form(one.comment, phrase)) is not None
    ]

    def likelihood(one: SignoffForm) -> tuple[bool, bool, str, int]:
        comment = one.written.comment
        is_asked = asked is not None and (comment.kind, comment.id) == (asked.kind, asked.id)
        return is_asked, one.form.shape == "complete", comment.created_at, comment.id

    return sorted(found, key=likelihood, reverse=True)


def urls_in(forms: Iterable[SignoffForm]) -> list[str]:
    """The addresses that the forms link, in order."""
    return [link.url for one in forms for link in one.form.links]
