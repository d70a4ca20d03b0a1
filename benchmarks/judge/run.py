"""How long judging a large bundle takes, against parsing its JSON: `benchmarks/judge/run.py`.

The bundle is that of a passing pull request of the pack `inferencex`, grown to 300 jobs, 300
changed files (among them 10 launch scripts) and 1,000 comments (among them three sign-offs). Both
are measured in turns in one run, each time on a bundle with other texts, so that nothing that is
remembered of one helps with the next; the fastest of each counts, in processor time.

The limit is set against reading a bundle, which is what parsing means here: its JSON, read
strictly, the digest of its canonical form, and the model. Against `json.loads` alone, C code that
checks nothing, there is no limit: the canonical JSON of which every verdict carries the digest
takes twice as long before anything is judged. That ratio is printed all the same. Exit status 1 if
judging takes over three times as long as reading.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import Any

from signoff_bot.evaluate import evaluate
from signoff_bot.evidence.bundle import Bundle, read_bundle, write_bundle
from signoff_bot.evidence.model import Evidence
from signoff_bot.packs.cases import cases_folder, load_cases
from signoff_bot.packs.load import load_named
from signoff_bot.packs.model import Rules
from signoff_bot.packs.shipped import shipped_folder
from signoff_bot.verdict import Verdict

PACK, CASE = "inferencex", "pull/passing"
JOBS, FILES, SCRIPTS, COMMENTS = 300, 300, 10, 1000
ROUNDS = 7
MOST = 3.0

TALK = """\
Thanks, that makes sense. I ran it again on two machines (`{n}` and the one beside it):

| concurrency | tokens/s | median TTFT |
|---:|---:|---:|
| 4 | {n}12.4 | 0.{n} |
| 16 | {n}48.9 | 0.{n} |

- [the log](https://example.com/logs/{n}) shows **no** errors
- as @bram-ito said in #{n}, the cache is the likely cause

> What about the larger batch?

Not yet; see `benchmarks/single_node/script_{n}.sh`, and

```sh
bash benchmarks/single_node/script_{n}.sh --conc {n} 2>&1 | tee /tmp/log-{n}.txt
```
"""


def passing(rules: Rules) -> dict[str, Any]:
    """The evidence of the passing pull request, as plain data."""
    cases = load_cases(cases_folder(shipped_folder() / f"{PACK}.yaml", PACK), rules)
    found = next(case.evidence for case in cases if case.name == CASE)
    data: dict[str, Any] = found.model_dump(mode="json")
    return data


def large(rules: Rules, number: int) -> Evidence:
    """The same with many jobs, files and comments, and with texts of its own."""
    data = passing(rules)
    for content in data["contents"]:
        if content["text"] is not None:
            content["text"] += f"# {number}\n"
    grow_jobs(data["runs"][0]["jobs"])
    grow_files(data)
    grow_comments(data["comments"])
    data["pull"]["changed_files"] = len(data["files"])
    return Evidence.model_validate_json(json.dumps(data))


def grow_jobs(jobs: list[dict[str, Any]]) -> None:
    lane = next(job for job in jobs if job["name"].startswith("single-node"))
    for n in range(JOBS - len(jobs)):
        name = f"single-node 8k1k / / p{n} | dsv4 fp4 b200 sgl TP8 mtp c{n}"
        jobs.append({**lane, "id": 10_000_000 + n, "name": name})


def grow_files(data: dict[str, Any]) -> None:
    script = next(c for c in data["contents"] if c["path"].endswith(".sh"))
    for n in range(FILES - len(data["files"])):
        launch = n < SCRIPTS
        path = f"benchmarks/single_node/script_{n}.sh" if launch else f"utils/plots/part_{n}.py"
        patch = "@@ -0,0 +1,20 @@\n" + "".join(f"+value_{k} = {n}\n" for k in range(20))
        text = script["text"].replace("$PORT", str(30_000 + n))
        data["files"].append(
            {"path": path, "previous_path": None, "status": "added", "patch": patch}
        )
        if launch:
            data["contents"].append({**script, "path": path, "text": text})


def grow_comments(comments: list[dict[str, Any]]) -> None:
    signed = comments[0]
    for n in range(COMMENTS - len(comments)):
        own = {"id": 900_000 + n, "url": f"{signed['url']}{n}"}
        body = signed["body"] if n in (300, 600) else TALK.format(n=n)
        comments.append({**signed, **own, "body": body})


def spent(run: Callable[[], object]) -> float:
    """The processor time that something takes, in seconds."""
    start = time.process_time()
    run()
    return time.process_time() - start


def measure(rules: Rules, number: int) -> tuple[float, float, float]:
    """Parsing the JSON of a bundle, reading the bundle, and judging it."""
    evidence = large(rules, number)
    content = write_bundle(Bundle(evidence, rules.data))
    judged: list[Verdict] = []
    times = (
        spent(lambda: json.loads(content)),
        spent(lambda: read_bundle(content, "bundle")),
        spent(lambda: judged.append(evaluate(evidence, rules))),
    )
    if judged[0].verdict != "pass":
        sys.exit(f"the large pull request does not pass:\n{judged[0].to_json()}")
    return times


def main() -> int:
    rules = load_named(PACK)
    measure(rules, 0)  # imports what is imported late
    times = zip(*(measure(rules, number) for number in range(1, ROUNDS + 1)), strict=True)
    parsing, reading, judging = (min(of_one) for of_one in times)
    print(f"{JOBS} jobs, {FILES} files with {SCRIPTS} scripts, {COMMENTS} comments:")
    print(f"  JSON alone    {parsing * 1000:8.1f} ms")
    print(f"  bundle read   {reading * 1000:8.1f} ms")
    print(f"  judged        {judging * 1000:8.1f} ms")
    print(f"judged / read:  {judging / reading:8.2f}  (at most {MOST})")
    print(f"judged / JSON:  {judging / parsing:8.2f}")
    return int(judging > MOST * reading)


if __name__ == "__main__":
    sys.exit(main())
