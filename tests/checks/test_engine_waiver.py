"""The check `engine-patch`: which waiver covers a patch, and who may clear what is doubtful."""

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any

import pytest
from support.build import HEAD, REPO, account, changed, comment, pull
from support.scripts import judged, linked, script_case

from signoff_bot.checks.acks import find_acks, with_acks
from signoff_bot.checks.base import Finding
from signoff_bot.evidence.base import MissingEvidence
from signoff_bot.evidence.pull import Push
from signoff_bot.evidence.repository import Access

SCRIPT = "benchmarks/single_node/dsv4_fp4_b200_sglang.sh"
PATH = "docs/waiver/7.md"
PAGE = f"https://github.com/{REPO}"
BLOB = f"{PAGE}/blob/main/{PATH}"
APPLIES = "git apply /fix.diff\n"
APPLIED = f"{SCRIPT}:1: git applies a patch: git apply /fix.diff"
SECTIONS = {
    "What is patched": f"The MoE kernel of the image, by {SCRIPT}, before it launches.",
    "Why": "The image of this release hangs with expert parallelism of eight.",
    "Upstream change": "Merged there: https://github.com/sgl-project/sglang/pull/31001 last week.",
    "Removal plan": "Taken out with the next release, which holds the upstream change.",
}
WAIVER = "".join(f"## {title}\n\n{text}\n\n" for title, text in SECTIONS.items())


def found(
    waiver: Any = WAIVER,
    urls: Sequence[str] = (BLOB,),
    *,
    path: str = PATH,
    script: Any = APPLIES,
    **fields: Any,
) -> Finding:
    case = linked(script_case({SCRIPT: script, path: waiver}), *urls)
    evidence = case.evidence.model_copy(update={"pull": pull(**fields)})
    return judged("engine-patch", replace(case, evidence=evidence))


def test_a_filled_in_and_linked_waiver_passes_and_shows_what_it_covers() -> None:
    finding = found()
    assert finding.status == "pass", finding
    assert finding.summary == "a waiver covers 1 place that patch the engine"
    assert finding.details == (APPLIED,)
    assert [(link.label, link.url) for link in finding.links] == [("waiver", BLOB)]


@pytest.mark.parametrize(
    "url",
    [
        f"{PAGE}/blob/{'a' * 40}/{PATH}",
        f"{PAGE}/blob/feature/with/parts/{PATH}#why",
        f"{PAGE}/raw/main/{PATH}",
        f"{PAGE}/blame/main/{PATH}",
        f"https://raw.githubusercontent.com/{REPO}/main/{PATH}",
        f"https://github.com/kiri-lund/InferenceX/blob/feature/{PATH}",
        f"{PAGE}/pull/7/files#diff-{sha256(PATH.encode()).hexdigest()}",
        f"{PAGE}/pull/7/changes/{'a' * 40}#diff-{sha256(PATH.encode()).hexdigest()}R3",
    ],
)
def test_any_link_that_leads_to_the_waiver_counts(url: str) -> None:
    finding = found(urls=["https://github.com/x/y", url], head_repo="kiri-lund/InferenceX")
    assert finding.status == "pass", finding
    assert [link.url for link in finding.links] == [url]


@pytest.mark.parametrize(
    "url",
    [
        f"{PAGE}/blob/main/docs/waiver/8.md",
        f"{PAGE}/blob/{PATH}",
        f"http://github.com/{REPO}/blob/main/{PATH}",
        f"https://github.com/other/repo/blob/main/{PATH}",
        f"https://example.com/{REPO}/blob/main/{PATH}",
        f"{PAGE}/pull/7/files",
        f"{PAGE}/pull/8/files#diff-{sha256(PATH.encode()).hexdigest()}",
        f"{PAGE}/pull/7#issuecomment-1",
    ],
)
def test_a_link_that_leads_elsewhere_does_not(url: str) -> None:
    finding = found(urls=[url])
    assert finding.status == "fail"
    assert finding.details == (APPLIED, f"the sign-off does not link {PATH}")
    assert finding.links == ()


def test_without_a_signoff_nothing_links_the_waiver() -> None:
    case = script_case({SCRIPT: APPLIES, PATH: WAIVER}, signed_at=None)
    finding = judged("engine-patch", case)
    assert finding.details == (APPLIED, f"the sign-off does not link {PATH}")


@pytest.mark.parametrize(
    ("path", "waiver"),
    [
        ("docs/waiver/8.md", WAIVER),
        ("docs/waiver/7.txt", WAIVER),
        ("old/docs/waiver/7.md", WAIVER),
        (PATH, (WAIVER, None)),
    ],
    ids=["of another pull request", "another ending", "in another folder", "removed"],
)
def test_the_pull_request_must_hold_a_waiver_of_its_own_number(path: str, waiver: Any) -> None:
    finding = found(waiver, path=path)
    assert finding.status == "fail"
    assert finding.details == (APPLIED, f"{PATH}: the pull request holds no such waiver")
    assert finding.fix == (
        f"take the patch out; or fill in {PATH} in this pull request, and link it in the "
        "sign-off's additional details"
    )
    assert finding.links == ()


@pytest.mark.parametrize("title", SECTIONS)
@pytest.mark.parametrize("text", ["", "TODO", "<what and where it is patched, in one line>", "n/a"])
def test_every_section_must_be_filled_in(title: str, text: str) -> None:
    finding = found(WAIVER.replace(SECTIONS[title], text))
    assert finding.status == "fail"
    assert len(finding.details) == 2
    assert finding.details[1].startswith(f"{PATH}: it leaves the section on ")
    assert finding.details[1].endswith(" empty")


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("What is patched", "what is patched"),
        ("Why", "why the image cannot run as it is"),
        ("Upstream change", "the upstream change"),
        ("Removal plan", "its removal"),
    ],
)
def test_a_section_that_is_not_there_is_named(title: str, name: str) -> None:
    finding = found(WAIVER.replace(f"## {title}\n", ""))
    assert f"{PATH}: it has no section on {name}" in finding.details


def test_the_section_on_the_upstream_change_must_link_it() -> None:
    finding = found(WAIVER.replace("https://github.com/sgl-project/sglang/pull/31001", "#31001"))
    assert finding.details == (
        APPLIED,
        f"{PATH}: it links nothing in the section on the upstream change",
    )


def test_everything_that_a_waiver_lacks_is_told_with_the_patch() -> None:
    finding = found("# Waiver\n", urls=[])
    assert finding.status == "fail"
    assert finding.summary == f"{APPLIED} (and 5 more issues)"
    assert len(finding.details) == 6
    assert finding.details[-1] == f"the sign-off does not link {PATH}"


def test_a_waiver_that_does_not_name_the_patching_file_is_for_a_person() -> None:
    finding = found(WAIVER.replace(SCRIPT, "a script"))
    assert finding.status == "review"
    assert finding.summary == f"{APPLIED}; {PATH} does not name it"
    assert finding.details == (finding.summary,)
    assert [link.url for link in finding.links] == [BLOB]


def test_a_waiver_that_names_one_of_two_files_covers_only_that_one() -> None:
    other = "benchmarks/single_node/other.sh"
    case = script_case({SCRIPT: APPLIES, other: APPLIES, PATH: WAIVER})
    finding = judged("engine-patch", linked(case, BLOB))
    assert finding.status == "review"
    assert finding.details == (
        f"{other}:1: git applies a patch: git apply /fix.diff; {PATH} does not name it",
    )
    both = WAIVER.replace(SCRIPT, f"{SCRIPT} and other.sh")
    case = script_case({SCRIPT: APPLIES, other: APPLIES, PATH: both})
    finding = judged("engine-patch", linked(case, BLOB))
    assert finding.status == "pass"
    assert finding.summary == "a waiver covers 2 places that patch the engine"
    assert len(finding.details) == 2


def test_a_waiver_may_name_a_file_without_a_folder() -> None:
    case = script_case({"Dockerfile": "FROM x\nRUN git apply /fix.diff\n", PATH: WAIVER})
    assert judged("engine-patch", linked(case, BLOB)).status == "review"
    named = script_case(
        {
            "Dockerfile": "FROM x\nRUN git apply /fix.diff\n",
            PATH: WAIVER.replace(SCRIPT, "Dockerfile"),
        }
    )
    assert judged("engine-patch", linked(named, BLOB)).status == "pass"


def test_a_doubt_stays_one_beside_a_patch_that_is_waived() -> None:
    finding = found(script=APPLIES + "pip install left-pad\n")
    assert finding.status == "review"
    assert finding.summary.startswith(f"{SCRIPT}:2: left-pad is installed")
    assert finding.details == (finding.summary, APPLIED)


def test_a_waiver_without_a_patch_is_not_judged() -> None:
    assert found("# empty\n", script="echo\n").summary == f"nothing in {SCRIPT} patches the engine"
    assert judged("engine-patch", script_case({PATH: WAIVER})).status == "na"


def test_a_waiver_that_could_not_be_read_is_missing_evidence() -> None:
    case = linked(script_case({SCRIPT: APPLIES}, files=(changed(PATH, status="added"),)), BLOB)
    with pytest.raises(MissingEvidence, match=PATH):
        judged("engine-patch", case)


@pytest.mark.parametrize(
    ("script", "by", "status"),
    [
        ("pip install left-pad\n", "ines-varga", "pass"),
        ("pip install left-pad\n", "kiri-lund", "review"),
        ("pip install left-pad\n", "octavia-chen", "review"),
        (APPLIES, "ines-varga", "fail"),
    ],
    ids=["a maintainer", "the author", "the signer", "a failure"],
)
def test_a_maintainer_clears_a_doubt_and_never_a_patch(script: str, by: str, status: str) -> None:
    case = script_case({SCRIPT: script})
    said = comment("/signoff-ack engine-patch\n", by, created_at="2026-08-21T19:00:00Z")
    facts = {
        "comments": (said,),
        "push": Push(sha=HEAD, at="2026-08-21T17:00:00Z", actor=account("kiri-lund")),
        "access": (Access(id=account(by).id, login=by, permission="write"),),
    }
    case = replace(case, evidence=case.evidence.model_copy(update=facts))
    names = ("engine-patch", "10")
    finding = judged("engine-patch", case)
    finding = with_acks(finding, names, find_acks(case.evidence), case, checks=names)
    assert finding.status == status
