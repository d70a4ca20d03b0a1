"""Nothing innocent fails: the real configurations and the two real pull requests."""

import json
import re
from functools import cache

import pytest
from support.build import changed
from support.standard import FACTS, SHARED, case_of, entry, judged

from signoff_bot.checks.base import Finding

KINDS = ("image", "deprecated", "golden-al", "append-only")
AUGUST = SHARED / "base-2026-08-21" / "configs"
JUNE = SHARED / "base-2026-06-24" / ".github" / "configs"
NEIGHBOURS = entry("minimaxm3-fp8-mi355x-vllm", prefix="minimaxm3", runner="mi355x")


def pull_request(number: str) -> dict[str, Finding]:
    files = json.loads((FACTS / f"pr-{number}.json").read_text())
    config = next(f for f in files if f["path"].endswith("amd-master.yaml"))
    log = next(f for f in files if f["path"] == "perf-changelog.yaml")
    added = "\n".join(x[1:] for x in config["patch"].split("\n") if x.startswith("+")) + "\n"
    others = [
        changed(f["path"], status=f["status"])
        for f in files
        if f["path"] not in (config["path"], log["path"])
    ]
    texts: dict[str, tuple[str | None, str | None]] = {
        config["path"]: (NEIGHBOURS, NEIGHBOURS + added)
    }
    texts |= {f.path: (None if f.status == "added" else "#", "# a script") for f in others}
    case = case_of(texts, log=log["patch"], signed_at="2026-06-25T18:00:00Z")
    return {kind: judged(kind, case) for kind in KINDS}


@pytest.mark.parametrize(
    ("number", "kind", "status"),
    [
        ("1865", "image", "pass"),
        ("1865", "deprecated", "pass"),
        ("1865", "golden-al", "na"),
        ("1865", "append-only", "na"),
        ("1914", "image", "review"),
        ("1914", "deprecated", "pass"),
        ("1914", "golden-al", "na"),
        ("1914", "append-only", "na"),
    ],
)
def test_the_founding_pull_requests(number: str, kind: str, status: str) -> None:
    assert pull_request(number)[kind].status == status


def test_1914_is_in_doubt_only_for_an_engine_that_the_standard_does_not_list() -> None:
    finding = pull_request("1914")["image"]
    assert len(finding.details) == 1
    assert "vllm-disagg is an engine the rules do not know" in finding.summary


@cache
def _submitted_anew(folder: str, day: str) -> dict[str, Finding]:
    """Every real entry, as if a pull request brought them all."""
    directory = AUGUST if folder == "august" else JUNE
    texts: dict[str, tuple[str | None, str | None]] = {
        f"configs/{path.name}": ("", path.read_text()) for path in directory.glob("*-master.yaml")
    }
    case = case_of(texts, signed_at=f"{day}T18:00:00Z")
    return {kind: judged(kind, case) for kind in KINDS}


def failing(finding: Finding) -> list[str]:
    lines = [line for line in finding.details if not line.startswith("to be looked at")]
    return lines if finding.status == "fail" else []


real = pytest.mark.skipif(not SHARED.exists(), reason="the real files are not at hand")


@real
@pytest.mark.parametrize(
    ("folder", "day", "kind"),
    [
        ("august", "2026-08-21", "golden-al"),
        ("august", "2026-08-21", "append-only"),
        ("june", "2026-06-24", "golden-al"),
        ("june", "2026-06-24", "append-only"),
    ],
)
def test_no_real_entry_fails_these_checks(folder: str, day: str, kind: str) -> None:
    assert failing(_submitted_anew(folder, day)[kind]) == []


@real
@pytest.mark.parametrize(
    ("folder", "day", "kind", "keys"),
    [
        ("august", "2026-08-21", "image", set()),
        ("june", "2026-06-24", "deprecated", set()),
        (
            "june",
            "2026-06-24",
            "image",
            {"dsv4-fp4-mi355x-sglang-agentic", "gptoss-fp4-gb200-dynamo-trt"},
        ),
        (
            "august",
            "2026-08-21",
            "deprecated",
            {
                "glm5.1-fp8-b200-tilert",
                "kimik3-fp4-b200-dynamo-vllm-agentic",
                "kimik3-fp4-b200-dynamo-vllm-agentic-dspark",
                "kimik3-fp4-gb200-dynamo-vllm-agentic-dspark-mooncake-tp8pp2",
                "kimik3-fp4-gb200-dynamo-vllm-agentic-mooncake-dcp16-agg",
                "kimik3-fp4-gb300-dynamo-vllm-agentic-mooncake-dcp8-agg",
            },
        ),
    ],
)
def test_submitted_anew_only_entries_that_break_the_rules_fail(
    folder: str, day: str, kind: str, keys: set[str]
) -> None:
    lines = failing(_submitted_anew(folder, day)[kind])
    assert {found[1] for line in lines if (found := re.search(r"\((\S+)\): ", line))} == keys


@real
@pytest.mark.parametrize("change", [("conc-list: [", "conc-list: [3, "), ("\n", "\n# note\n")])
def test_an_innocent_change_of_every_real_entry_fails_nothing_of_its_image(change) -> None:
    texts: dict[str, tuple[str | None, str | None]] = {
        f"configs/{path.name}": (path.read_text(), path.read_text().replace(*change))
        for path in AUGUST.glob("*-master.yaml")
    }
    finding = judged("image", case_of(texts))
    assert finding.status == ("na" if "note" in change[1] else "review")
