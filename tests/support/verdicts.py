"""Hand-made verdicts for the faces and the publisher."""

from __future__ import annotations

from typing import Any

from signoff_bot.verdict import CheckReport, LinkReport, RulesStamp, SignoffReport, Verdict

HEAD = "a2e74391" + "0" * 32
PAGE = "https://github.com/SemiAnalysisAI/InferenceX/pull/1865"
RUN = "https://github.com/SemiAnalysisAI/InferenceX/actions/runs/27996171132"


def check(number: int = 0, status: str = "pass", **fields: Any) -> CheckReport:
    given = {
        "id": f"check-{number}",
        "number": number,
        "title": f"check-{number}",
        "status": status,
        "summary": "everything is in order",
        "details": (),
        "fix": None,
        "links": (),
    } | fields
    return CheckReport(**given)


def signoff(**fields: Any) -> SignoffReport:
    given = {
        "author": "octavia-chen",
        "kind": "comment",
        "id": 4821,
        "url": f"{PAGE}#issuecomment-4821",
        "at": "2026-06-24T18:03:11Z",
        "completed": True,
        "problems": (),
    } | fields
    return SignoffReport(**given)


def verdict(outcome: str = "pass", **fields: Any) -> Verdict:
    given = {
        "tool_version": "0.1.0",
        "rules": RulesStamp(name="inferencex-2026-06-24", digest="sha256:" + "1" * 64),
        "evidence_digest": "sha256:" + "2" * 64,
        "repo": "SemiAnalysisAI/InferenceX",
        "pr": 1865,
        "head_sha": HEAD,
        "url": PAGE,
        "signoff": signoff(),
        "verdict": outcome,
        "checks": (check(),),
    } | fields
    return Verdict(**given)


def rejected() -> Verdict:
    """A verdict like the second one of pull request 1865."""
    return verdict(
        "fail",
        checks=(
            check(
                0,
                title="codeowner",
                summary="octavia-chen owns .github/configs/amd-master.yaml (line 4); the other 7 "
                "paths fall under the catch-all `*`",
            ),
            check(
                1,
                "fail",
                title="sweep",
                summary="no commit in the pull request carries an executed, all-green sweep",
                details=(
                    "run 27996171132 is green, but ran on fa89765aa9c838c6143e1b2d16dd71bccac40cbc,"
                    " which is no longer in the pull request",
                    "run 28130510662 on the head executed nothing",
                ),
                fix="run a full sweep on a commit that is in the pull request now",
                links=(LinkReport(label="run 27996171132", url=RUN),),
            ),
            check(2, "blocked", title="eval", summary="depends on check 1 (sweep)"),
            check(
                3,
                "fail",
                title="recipe",
                summary="the sign-off links no public recipe; #1762 is a pull request of this "
                "repository",
                fix="link the recipe in vllm-project/recipes or sgl-project/sglang",
            ),
        ),
    )
