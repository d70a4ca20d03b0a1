"""One machine for all runs of workflows, and a GitHub for each."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from action.runner import Runner
from support.wire_default import PASSING, REPO, passing_default
from support.world import PullRequest, Repository
from wire.loopback.server import Loopback


class Scene:
    """A served pull request that passes."""

    def __init__(self, github: Loopback) -> None:
        self.github = github
        self.repo: Repository = github.world.repositories[REPO]
        self.pull: PullRequest = self.repo.pulls[PASSING]

    @property
    def states(self) -> list[tuple[str, str]]:
        """Every status that was set: on which commit, and what."""
        return [(status.sha, status.state) for status in self.repo.statuses]

    @property
    def writes(self) -> list[str]:
        """Every request that changed something."""
        found = [seen for seen in self.github.seen if seen.method != "GET"]
        return [f"{seen.method} {seen.path}" for seen in found if seen.path != "/graphql"]


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Runner:
    return Runner(tmp_path_factory.mktemp("runner"), REPO)


@pytest.fixture
def scene() -> Iterator[Scene]:
    with Loopback(passing_default()) as github:
        yield Scene(github)
    assert not github.violations, "\n".join(github.violations)
