"""Nobody is their own second pair of eyes."""

import pytest
from support.build import BASE, HEAD, account, pull
from support.judging import case, judged, signed

from signoff_bot.checks.base import Finding
from signoff_bot.checks.four_eyes import KIND, FourEyesParameters
from signoff_bot.evidence.base import MissingEvidence, Unread
from signoff_bot.evidence.pull import Commit, Push

SIGNER, OTHER = account("octavia-chen"), account("kiri-lund")
UNREAD = Unread(unread="HTTP 502")


def commit(author=OTHER, committer=OTHER, sha=HEAD):
    return Commit(sha=sha, parents=(BASE,), author=author, committer=committer)


def push(actor=OTHER, sha=HEAD):
    return Push(sha=sha, at="2026-06-25T08:00:00Z", actor=actor)


def judge(**facts):
    given = {"commits": (commit(),), "push": push(), "pull": pull(author=OTHER)} | facts
    return judged(KIND, case(signed(), **given))


def test_a_signer_with_no_hand_in_the_change_passes():
    finding = judge()
    assert (finding.status, finding.fix) == ("pass", None)
    assert finding.summary == "octavia-chen had no hand in the change"


@pytest.mark.parametrize(
    ("facts", "role"),
    [
        ({"pull": pull(author=SIGNER)}, "the author of the pull request"),
        ({"commits": (commit(), commit(SIGNER, sha=BASE))}, "an author of its commits"),
        ({"commits": (commit(), commit(OTHER, SIGNER))}, "a committer of its commits"),
        ({"push": push(SIGNER)}, "who pushed last"),
        (
            {"pull": pull(author=SIGNER), "push": push(SIGNER)},
            "the author of the pull request and who pushed last",
        ),
    ],
)
def test_whoever_made_the_change_cannot_sign_it(facts, role):
    finding = judge(**facts)
    assert finding.status == "fail"
    assert finding.summary == (
        f"octavia-chen is {role}, and cannot be their own second pair of eyes"
    )
    assert finding.fix == "let somebody sign who did not work on the change"


def test_a_role_is_named_once_however_many_commits_there_are():
    mine = [commit(SIGNER, sha=c * 40) for c in "abc"]
    assert judge(commits=tuple(mine)).summary.count("an author") == 1


def test_accounts_are_compared_by_id_and_not_by_name():
    renamed = account("octavia-chen", id=1)
    assert judge(pull=pull(author=renamed)).status == "pass"
    assert judge(pull=pull(author=account("new-name", id=SIGNER.id))).status == "fail"


def test_a_commit_of_nobody_known_needs_a_persons_look():
    finding = judge(commits=(commit(), commit(None, sha=BASE)))
    assert finding.status == "review"
    assert "1 commit may be anybody's: bbbbbbb" in finding.summary
    assert finding.details == (f"no account is known for the author of {BASE}",)
    assert finding.fix == "a person must make sure that the signer made none of them"
    many = tuple(commit(None, sha=f"{n:040}") for n in range(12))
    assert len(judge(commits=many).details) == 10
    assert judge(commits=(commit(None), commit(SIGNER, sha=BASE))).status == "fail"


def test_a_committer_of_nobody_known_needs_a_persons_look():
    finding = judge(commits=(commit(committer=None), commit(sha=BASE)))
    assert finding.status == "review"
    assert finding.details == (f"no account is known for the committer of {HEAD}",)


def test_a_last_push_that_did_not_make_the_head_decides_nothing():
    with pytest.raises(MissingEvidence, match=f"is {BASE[:7]}, but the head is {HEAD[:7]}"):
        judge(push=push(sha=BASE))


def test_who_is_gone_is_not_the_signer():
    gone = {"pull": pull(author=None), "push": push(None)}
    assert judge(**gone).status == "pass"


@pytest.mark.parametrize("name", ["commits", "push"])
def test_what_could_not_be_read_decides_nothing(name):
    with pytest.raises(MissingEvidence, match="502"):
        judge(**{name: UNREAD})


def test_it_judges_each_signer_by_commits_and_the_last_push():
    needs = KIND.needs(FourEyesParameters())
    assert (needs.commits, needs.push) == (True, True)
    assert (KIND.needs_signoff, KIND.each_signer) == (True, True)
    assert judged(KIND, case()) == Finding("blocked", "nobody has signed off yet")
