"""The configuration checks ask for what they read, and pass nothing that they could not read."""

from dataclasses import replace

import pytest
from support.build import changed
from support.standard import GOLDEN, case_of, entry, golden_base, judged, parameters

from signoff_bot.checks import KINDS
from signoff_bot.checks.base import Case
from signoff_bot.checks.needs import ContentNeed
from signoff_bot.evidence.base import MissingEvidence, Unread

CONFIG = "configs/nvidia-master.yaml"
AMD = "configs/amd-master.yaml"
SCRIPT = "benchmarks/single_node/agentic/qwen3.5_fp4_b200_sglang_mtp.sh"
OPEN = entry("a", prefix="dsr1", space=("{ tp: 8, conc-list: [4] }",))
VENDOR = entry("b", prefix="dsr1", framework="trt", image="nvcr.io/nvidia/trt:1")
LAUNCH = (
    "export SGLANG_SIMULATE_ACC_LEN=3.39\n"
    "serve --speculative-algorithm EAGLE --speculative-num-draft-tokens 4\n"
)
LOG = """\
@@ -1,1 +1,5 @@
   pr-link: A
+- config-keys:
+    - a
+  append-only: true
+  pr-link: B
"""


def passing(kind: str) -> Case:
    if kind == "golden-al":
        return case_of({SCRIPT: (None, LAUNCH)})
    if kind == "append-only":
        return case_of({CONFIG: (OPEN, OPEN.replace("[4]", "[4, 8]"))}, log=LOG)
    if kind == "image":
        return case_of({"configs/b-master.yaml": (None, VENDOR)}, base={CONFIG: OPEN})
    return case_of({}, log=LOG, base={CONFIG: OPEN})


KINDS_HERE = ("image", "deprecated", "golden-al", "append-only")
READ = {
    "image": {("configs/b-master.yaml", "head"), (CONFIG, "base"), (AMD, "base")},
    "deprecated": {("MODELS.md", "base"), (CONFIG, "base"), (AMD, "base")},
    "golden-al": {
        (SCRIPT, "head"),
        *((path, "base") for path in golden_base()),
    },
    "append-only": {(CONFIG, "head"), (CONFIG, "merge base"), (AMD, "base")},
}


@pytest.mark.parametrize("kind", KINDS_HERE)
@pytest.mark.parametrize("gone", [True, False], ids=["not collected", "unreadable"])
def test_taking_away_any_file_never_leaves_a_pass_that_rested_on_it(kind: str, gone: bool) -> None:
    case = passing(kind)
    finding = judged(kind, case)
    assert finding.status == "pass", finding
    for file in case.evidence.contents:
        rest = [other for other in case.evidence.contents if other is not file]
        unread = file.model_copy(update={"text": Unread(unread="it is gone")})
        contents = tuple(rest) if gone else (*rest, unread)
        poorer = replace(case, evidence=case.evidence.model_copy(update={"contents": contents}))
        if (file.path, file.at) in READ[kind]:
            with pytest.raises(MissingEvidence, match="not collected" if gone else "it is gone"):
                judged(kind, poorer)
        else:
            assert judged(kind, poorer) == finding


@pytest.mark.parametrize("kind", KINDS_HERE)
def test_without_the_changed_files_nothing_is_judged(kind: str) -> None:
    case = passing(kind)
    unread = case.evidence.model_copy(update={"files": Unread(unread="no list")})
    with pytest.raises(MissingEvidence, match="no list"):
        judged(kind, replace(case, evidence=unread))


@pytest.mark.parametrize("kind", KINDS_HERE)
def test_a_pull_request_that_changes_nothing_of_this_is_not_concerned(kind: str) -> None:
    case = case_of({}, files=(changed("README.md"), changed("utils/x.py")))
    assert judged(kind, case).status == "na"


@pytest.mark.parametrize("kind", KINDS_HERE)
def test_a_check_asks_for_every_file_that_it_reads(kind: str) -> None:
    needs = KINDS[kind].needs(parameters(kind))
    assert needs.files
    assert ContentNeed("configs/*-master.yaml", "head") in needs.contents
    assert ContentNeed("configs/*-master.yaml", "merge base") in needs.contents
    at_base = {need.pattern for need in needs.contents if need.at == "base"}
    assert (
        at_base
        == {
            "image": {CONFIG, "configs/amd-master.yaml"},
            "deprecated": {
                *(CONFIG, "configs/amd-master.yaml"),
                *("MODELS.md", "docs/MODELS.md", "inferencex-e2e/docs/MODELS.md"),
            },
            "golden-al": {GOLDEN},
            "append-only": {CONFIG, "configs/amd-master.yaml"},
        }[kind]
    )


@pytest.mark.parametrize("kind", KINDS_HERE)
def test_a_check_documents_itself(kind: str) -> None:
    doc = KINDS[kind].doc
    for heading in ("What it checks", "Why it exists", "What it reads", "must look", "How to fix"):
        assert heading in doc


@pytest.mark.parametrize("kind", KINDS_HERE)
def test_the_order_of_evidence_does_not_matter(kind: str) -> None:
    case = passing(kind)
    shuffled = case.evidence.model_copy(
        update={
            "contents": tuple(reversed(case.evidence.contents)),
            "files": tuple(reversed(case.evidence.files)),
        }
    )
    assert judged(kind, replace(case, evidence=shuffled)) == judged(kind, case)
