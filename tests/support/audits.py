"""Hand-made audits for the faces: single rows, a realistic report, and very large ones."""

from __future__ import annotations

from datetime import date, timedelta
from hashlib import sha1, sha256
from typing import Any

from support.verdicts import check

from signoff_bot.audit.report import (
    CLASSES,
    Change,
    Class,
    PullRow,
    Report,
    RepositoryRow,
    TrendPoint,
    counted,
)
from signoff_bot.verdict import CheckReport, LinkReport

REPO = "SemiAnalysisAI/InferenceX"
AS_OF = "2026-06-25T05:00:00Z"
OUTCOME = {"ready": "pass", "merged-ok": "pass", "pending": "pending", "not-judged": None}


def row(name: Class = "rejected", pr: int = 1, **fields: Any) -> PullRow:
    repo = fields.get("repo", REPO)
    url = f"https://github.com/{repo}/pull/{pr}"
    given: dict[str, Any] = {
        "repo": repo,
        "pr": pr,
        "title": f"Change {pr}",
        "author": "bram-ito",
        "class": name,
        "verdict": OUTCOME.get(name, "fail"),
        "head_sha": f"{pr:040x}",
        "signer": "octavia-chen",
        "signed_at": "2026-06-24T18:03:11Z",
        "signoff_url": f"{url}#issuecomment-1",
        "merged_at": "2026-06-24T20:00:00Z" if name.startswith("merged") else None,
        "failing": (),
        "reasons": (),
        "fixable_by": (),
        "url": url,
        "changed": None,
        "age_days": 1,
        "checks": (),
        "evidence_digest": "sha256:" + "2" * 64,
    }
    return PullRow(**{**given, **fields})


def report(*rows: PullRow, **fields: Any) -> Report:
    names = sorted({row.repo for row in rows} or {REPO})
    pulls = tuple(sorted(rows, key=lambda row: (row.repo.casefold(), row.pr)))
    given: dict[str, Any] = {
        "tool_version": "0.1.0",
        "as_of": AS_OF,
        "complete": True,
        "notes": (),
        "counts": counted(pulls),
        "repos": tuple(repository(name, pulls=sum(r.repo == name for r in rows)) for name in names),
        "pulls": pulls,
        "trend": (),
    }
    return Report(**{**given, **fields})


def repository(repo: str = REPO, **fields: Any) -> RepositoryRow:
    given = {"id": 1, "status": "ok", "message": None, "private": False, "pulls": 0}
    return RepositoryRow(repo=repo, **{**given, **fields})


def trend(*points: tuple[str, dict[Class, int]]) -> tuple[TrendPoint, ...]:
    return tuple(
        TrendPoint(as_of=f"{day}T05:00:00Z", counts=dict.fromkeys(CLASSES, 0) | counts)
        for day, counts in points
    )


_TITLES = (
    "Add GPT-OSS 120B configs for MI355X",
    "Bump the vLLM image for H200 to 0.19.1",
    "DeepSeek-R1 FP4 on GB200 with disaggregated prefill",
    "Retire the Llama 3.1 70B lanes",
    "Fix the concurrency sweep of Qwen3.5 on B300",
    "Kimi K2 thinking: raise the sequence length",
)
_REPOS = (REPO, "octo-works/engine", "octo-works/recipes")
_OWNERS = ("@octavia-chen", "@kiri-lund", "@octo-works/runners", "@bram-ito", "@mara-okafor")
_WHY = {
    "sweep": (
        "no commit in the pull request carries an executed, all-green sweep",
        "run a full sweep on a commit that is in the pull request now",
    ),
    "eval": (
        "gsm8k of DeepSeek-R1 is 0.912, below 0.930",
        "find out what lowers the accuracy, then run the evaluation again",
    ),
    "recipe": (
        "the sign-off links no public recipe",
        "link the merged recipe in vllm-project/recipes",
    ),
    "codeowner": (
        "bram-ito owns none of the 4 changed paths",
        "ask an owner of .github/configs to sign",
    ),
    "fresh": (
        "2 commits are newer than the sign-off",
        "look at the new commits and sign again",
    ),
}
_FAILING: dict[Class, tuple[tuple[str, ...], ...]] = {
    "rejected": (("sweep",), ("eval", "recipe"), ("recipe",), ("sweep", "eval", "recipe")),
    "stale": (("fresh",),),
    "merged-unsigned": (("codeowner",),),
    "merged-rejected": (("recipe",), ("eval",)),
}
_CLASSES: tuple[Class, ...] = (
    *("ready", "rejected", "pending", "ready", "stale", "merged-ok", "rejected", "merged-ok"),
    *("pending", "merged-unsigned", "ready", "merged-ok", "merged-rejected", "pending", "ready"),
    *("not-judged", "rejected"),
)
_CHANGES: tuple[Change | None, ...] = (None, "head-moved", None, None, "new", "signoff-edited")


def sample(number: int = 34) -> Report:
    """An audit as a maintainer would meet it in the morning, `number` pull requests large."""
    rows = tuple(map(_sample_row, range(number)))
    days = [f"{date(2026, 5, 2) + timedelta(days=day)}" for day in range(54)]
    past = trend(*((day, _past(index)) for index, day in enumerate(days)))
    return report(
        *rows,
        complete=number < 1000,
        notes=("Team membership is that of today, also for merged pull requests.",),
        trend=past,
        repos=(
            *(repository(n, pulls=sum(r.repo == n for r in rows)) for n in _REPOS),
            repository(
                "octo-works/attic",
                status="unreadable",
                message="HTTP 403: the App has no access; install it on this repository",
                private=True,
            ),
            repository(
                "octo-works/recipes-next",
                status="renamed",
                message="was octo-works/cookbook; use the new name in the list of repositories",
            ),
        ),
    )


def _past(day: int) -> dict[Class, int]:
    wave = day * day * 7 % 11 // 4
    return {
        "rejected": 3 + wave + day // 20,
        "stale": max(0, 6 - day // 8 + wave // 2),
        "merged-unsigned": 4 if day < 15 else 1 + (day > 40),
        "merged-rejected": 1 + (day > 25),
        "merged-ok": 2 + day // 9,
        "pending": 4 + day * 5 % 7 // 2,
        "ready": 4 + day // 12 + wave,
        "not-judged": 9 if day == 30 else 0,
    }


def _sample_row(n: int) -> PullRow:
    name = _CLASSES[n % len(_CLASSES)]
    choices = _FAILING.get(name, ((),))
    failing = choices[n // len(_CLASSES) % len(choices)]
    unsigned = name in ("pending", "merged-unsigned", "not-judged")
    reasons = tuple(_WHY[check][0] for check in failing)
    if name == "not-judged":
        reasons = ("the artifacts of run 27996171132 expired on 2026-06-20",)
    fixers = tuple(_OWNERS[(n * 3 + k) % len(_OWNERS)] for k in range(1 + n % 2))
    return row(
        name,
        1700 + n * 5,
        repo=_REPOS[n % 7 % len(_REPOS)],
        title=_TITLES[n % len(_TITLES)],
        signer=None if unsigned else ("octavia-chen", "kiri-lund", "bram-ito")[n % 3],
        signed_at=None if unsigned else f"2026-06-{24 - n % 20:02}T18:03:11Z",
        signoff_url=None if unsigned else f"https://github.com/{REPO}/pull/{n}#issuecomment-{n}",
        failing=failing,
        reasons=reasons,
        fixable_by=() if name in ("ready", "merged-ok") else fixers,
        head_sha=sha1(str(n).encode()).hexdigest(),
        evidence_digest=f"sha256:{sha256(str(n).encode()).hexdigest()}",
        changed=_CHANGES[n % len(_CHANGES)],
        age_days=1 + n % 20,
        checks=() if name == "not-judged" else _checks(failing, unsigned=unsigned),
    )


_FINE = {
    "codeowner": "the signer owns every changed path",
    "sweep": "run 27996171132 executed all 12 lanes on the head, and all are green",
    "eval": "all 4 results reach their thresholds",
    "recipe": "the sign-off links vllm-project/recipes#512, which is merged",
    "reuse": "no earlier sweep is reused",
    "checklist": "all 6 items are ticked",
    "fresh": "nothing changed after the sign-off",
}


def _checks(failing: tuple[str, ...], *, unsigned: bool) -> tuple[CheckReport, ...]:
    return tuple(
        _check(number, title, failing=title in failing, unsigned=unsigned)
        for number, title in enumerate(_FINE)
    )


def _check(number: int, title: str, *, failing: bool, unsigned: bool) -> CheckReport:
    fields: dict[str, Any] = {"id": title, "title": title, "summary": _FINE[title]}
    if failing:
        summary, fix = _WHY[title]
        details = ("run 28130510662 on the head executed nothing",) if title == "sweep" else ()
        return check(
            number, "fail", **fields | {"summary": summary, "fix": fix, "details": details}
        )
    if unsigned and title != "sweep":
        return check(number, "blocked", **fields | {"summary": "nobody has signed off yet"})
    if title == "reuse":
        return check(number, "na", **fields)
    run = LinkReport(
        label="run 27996171132", url=f"https://github.com/{REPO}/actions/runs/27996171132"
    )
    return check(number, **fields, links=(run,) if title in ("sweep", "eval") else ())
