"""Cuts out of GitHub's published examples of webhook payloads what the tests drive the Action with.

    npm pack @octokit/webhooks-examples     # unpack it into a folder of its own
    python tests/facts/github/webhooks/extract.py FOLDER

Writes `examples.json`: for each event and action one example, without texts of no use here and
without addresses. Values are as they came, save that people have other logins.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

WANTED = {
    "issue_comment": ("created", "edited", "deleted"),
    "pull_request": ("opened", "reopened", "ready_for_review", "synchronize", "edited", "closed",
                     "converted_to_draft", "labeled", "unlabeled", "assigned"),
    "pull_request_review": ("submitted", "edited", "dismissed"),
    "pull_request_review_comment": ("created", "edited", "deleted"),
    "workflow_run": ("completed", "requested"),
    "workflow_dispatch": (None,),
    "merge_group": ("checks_requested",),
}  # fmt: skip
DROPPED = {
    *("description", "license", "topics", "permissions", "installation", "organization"),
    *("milestone", "assignee", "assignees", "requested_reviewers", "requested_teams"),
    *("gravatar_id", "head_commit", "referenced_workflows", "diff_hunk"),
}


def trimmed(value: Any, depth: int) -> Any:
    """The value without addresses, empty lists, and what lies too deep."""
    if isinstance(value, list):
        return [trimmed(item, depth - 1) for item in value[:2]] if depth else []
    if not isinstance(value, dict):
        return "somebody" if value == "Codertocat" else value
    kept = {
        key: trimmed(part, depth - 1)
        for key, part in value.items()
        if key not in DROPPED
        and not key.endswith(("_url", "_links", "_count", "reactions", "node_id"))
        and not (key == "url" and "pull_request" not in value)
    }
    return {k: v for k, v in kept.items() if depth > 0 or not isinstance(v, dict | list)}


def main(folder: str) -> None:
    source = json.loads((Path(folder) / "package/api.github.com/index.json").read_text("utf-8"))
    examples: dict[str, dict[str, Any]] = {}
    for event in source:
        for action in WANTED.get(event["name"], ()):
            found = [e for e in event["examples"] if e.get("action") == action]
            if found:
                name = action or event["name"]
                examples.setdefault(event["name"], {})[name] = trimmed(found[0], 4)
    text = json.dumps(examples, indent=1, sort_keys=True, ensure_ascii=True)
    Path(__file__).with_name("examples.json").write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
