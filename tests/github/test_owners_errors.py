"""What GitHub answers about CODEOWNERS, taken apart."""

from __future__ import annotations

import pytest
from support.http_stub import Reply, Stub

from signoff_bot.github.client import GitHubClient
from signoff_bot.github.failures import OddAnswer
from signoff_bot.github.owners import read_complaints
from signoff_bot.reading.codeowners.complaints import Complaint

PATH = "/repos/octo/anvil/codeowners/errors"
ERROR = {
    "line": 3,
    "column": 1,
    "kind": "Invalid pattern",
    "source": "***/*.rb @kiri-lund",
    "suggestion": "Did you mean `**/*.rb`?",
    "message": "Invalid pattern on line 3: Did you mean `**/*.rb`?\n\n  ***/*.rb @kiri-lund\n  ^",
    "path": ".github/CODEOWNERS",
}


def test_complaints_are_read_for_the_branch(stub: Stub, client: GitHubClient) -> None:
    stub.scripts[PATH] = lambda _: Reply({"errors": [ERROR]})
    assert read_complaints(client, "octo/anvil", "refs/heads/feature/x") == (
        Complaint(3, "Invalid pattern", ERROR["message"]),
    )
    assert stub.seen[0].query == {"ref": "feature/x"}


@pytest.mark.parametrize("data", [[], {}, {"errors": [{}]}, {"errors": None}])
def test_an_odd_answer_is_not_taken_for_no_complaints(
    stub: Stub, client: GitHubClient, data: object
) -> None:
    stub.scripts[PATH] = lambda _: Reply(data)
    with pytest.raises(OddAnswer):
        read_complaints(client, "octo/anvil", "refs/heads/main")
