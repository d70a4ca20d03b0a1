"""The rules in force at each base branch of a repository, read once for all its pull requests."""

from __future__ import annotations

from dataclasses import dataclass, field

from signoff_bot.errors import InvalidInput
from signoff_bot.github.client import GitHubClient
from signoff_bot.github.collect import DEFAULT_PACK
from signoff_bot.github.failures import GitHubFailure
from signoff_bot.github.repository import read_file
from signoff_bot.packs.load import REPOSITORY_PACK, load_named, load_text
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
    given: Rules | None
    """Rules that stand in for all of them."""
    _found: dict[str, Rules | NoRules] = field(default_factory=dict)

    def __call__(self, branch: str) -> Rules | NoRules:
        """The rules for open pull requests into a branch."""
        if self.given is not None:
            return self.given
        if branch not in self._found:
            self._found[branch] = self._read(branch)
        return self._found[branch]

    def _read(self, branch: str) -> Rules | NoRules:
        source = f"{REPOSITORY_PACK} of {self.repo} at {branch}"
        try:
            content = read_file(self.client, self.repo, REPOSITORY_PACK, f"refs/heads/{branch}")
            if content is None:
                return load_named(DEFAULT_PACK)
            return load_text(content.decode(), source)
        except UnicodeDecodeError:
            return NoRules(f"{source} is not UTF-8 text; save it as UTF-8", broken=True)
        except InvalidInput as problem:
            return NoRules(f"the rules are invalid: {problem}", broken=True)
        except GitHubFailure as failure:
            return NoRules(f"the rules could not be read: {failure}", broken=False)
