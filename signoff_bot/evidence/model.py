"""The evidence: every fact that one verdict rests on."""

from __future__ import annotations

from pydantic import Field

from signoff_bot.evidence.actions import CheckRun, RequiredCheck, Run
from signoff_bot.evidence.base import Fact, Timestamp, Unordered, Unread, not_collected
from signoff_bot.evidence.conversation import Comment, ReviewThread, SignoffRef
from signoff_bot.evidence.pull import (
    Account,
    ChangedFile,
    Commit,
    EarlierChange,
    Pull,
    Push,
    Repository,
)
from signoff_bot.evidence.repository import Access, Place, RepositoryFile, Team
from signoff_bot.evidence.upstream import UpstreamPull


class Evidence(Fact):
    """One pull request, as it stood at `collected_at`.

    A fact is its value, or an `Unread` that says why it could not be read. Lists are complete: one
    that could not be read to its end is `Unread`. Its order carries no meaning.
    """

    collected_at: Timestamp
    """The verdict's "now"."""
    signoff: SignoffRef | None
    """The sign-off the user asked about; None asks about all of them."""
    repository: Repository
    pull: Pull
    comments: Unordered[Comment] | Unread
    """Conversation comments, review summaries and line comments together."""
    threads: Unordered[ReviewThread] | Unread = Field(default=not_collected("the review threads"))
    files: Unordered[ChangedFile] | Unread = Field(default=not_collected("the changed files"))
    commits: Unordered[Commit] | Unread = Field(default=not_collected("the commits"))
    push: Push | Unread = Field(default=not_collected("the time of the last push"))
    """The push that made the head what it is."""
    pushes: Unordered[Push] | Unread = Field(default=not_collected("the pushes"))
    """The newest pushes to the head branch, up to a hundred."""
    earlier_changes: Unordered[EarlierChange] = ()
    """What was changed when a sign-off was given, where something was pushed since."""
    codeowners: RepositoryFile | Unread = Field(default=not_collected("CODEOWNERS"))
    """The first of .github/CODEOWNERS, CODEOWNERS, docs/CODEOWNERS at the base; `text` is None
    when there is none."""
    contents: Unordered[RepositoryFile] = ()
    """Other files, each where the rules look at it, such as the checklist template at the base."""
    teams: Unordered[Team] = ()
    """The owning teams that decide whether a signer owns a path."""
    access: Unordered[Access] = ()
    """Of those who gave a command that takes write access."""
    runs: Unordered[Run] | Unread = Field(default=not_collected("the workflow runs"))
    """Runs of the evidence workflows on the pull request's branch, and runs a sign-off links."""
    head_runs: Unordered[Run] | Unread = Field(default=not_collected("the runs on the head"))
    """Runs of all workflows on the head commit, with their jobs."""
    required_checks: Unordered[RequiredCheck] | Unread | None = Field(
        default=not_collected("the required checks")
    )
    """None where the token may not read what the base branch demands."""
    check_runs: Unordered[CheckRun] | Unread = Field(
        default=not_collected("the check runs on the head")
    )
    upstream: Unordered[UpstreamPull] = ()

    def content(self, path: str, at: Place = "base") -> RepositoryFile | Unread:
        """A file as it stands somewhere, or an `Unread` when it was not collected."""
        for file in self.contents:
            if (file.path, file.at) == (path, at):
                return file
        unread: Unread = not_collected(f"{path} at the {at}")
        return unread

    def earlier(self, sha: str) -> tuple[ChangedFile, ...] | Unread:
        """What the pull request changed when the commit was its head, or an `Unread`."""
        for change in self.earlier_changes:
            if change.sha == sha:
                return change.files
        unread: Unread = not_collected(f"what was changed at {sha}")
        return unread

    def may_write(self, account: Account) -> bool | Unread:
        """Whether somebody may write to the repository, or an `Unread`."""
        for access in self.access:
            if access.id == account.id:
                return access.may_write
        unread: Unread = not_collected(f"what {account.login} may do in the repository")
        return unread

    def team(self, name: str) -> tuple[Account, ...] | Unread:
        """The members of a team named `org/slug` (any case), or an `Unread`."""
        for team in self.teams:
            if team.name == name.lower():
                return team.members
        unread: Unread = not_collected(f"the members of @{name}")
        return unread
