"""The rules in force at each base branch of a repository, read once for all its pull requests."""

from __future__ import annotations

from dataclasses import dataclass, field

from signoff_bot.errors import InvalidInput
from signoff_bot.github.client import GitHubClient
from signoff_bot.github.collect import read_rules
from signoff_bot.github.failures import GitHubFailure
from signoff_bot.packs.model import Rules


@dataclass(frozen=True, slots=True)
class NoRules:
    """Why the rules of a branch cannot be used."""

    reason: str
    broken: bool
    """Whether they are invalid; else they could not be read."""


@dataclass(frozen=True, slots=True)
class RulesAt:
    """The rules of one repository, by base branch."""

    client: GitHubClient
    repo: str
    given: Rules | str | None
    """Rules that stand in for all of them, or the path of the file that holds them."""
    _found: dict[str, Rules | NoRules] = field(default_factory=dict)

    def __call__(self, branch: str) -> Rules | NoRules:
        """The rules for open pull requests into a branch."""
        if isinstance(self.given, Rules):
            return self.given
        if branch not in self._found:
            self._found[branch] = self._read(branch, self.given)
        return self._found[branch]

    def _read(self, branch: str, path: str | None) -> Rules | NoRules:
        try:
            return read_rules(self.client, self.repo, f"refs/heads/{branch}", path)
        except InvalidInput as problem:
            return NoRules(f"the rules are invalid: {problem}", broken=True)
        except GitHubFailure as failure:
            return NoRules(f"the rules could not be read: {failure}", broken=False)
