"""Writes the comments of typical pull requests beside itself: `python tests/golden/build.py`.

Each comment is that of one case of a shipped pack. Digests and the version are left out, since
they change with every word of the pack.
"""

from __future__ import annotations

import re
from pathlib import Path

from signoff_bot import __version__
from signoff_bot.evaluate import evaluate
from signoff_bot.packs.cases import cases_folder, load_cases
from signoff_bot.packs.load import load_named
from signoff_bot.packs.shipped import shipped_folder
from signoff_bot.render.comment import render_comment

PACK = "inferencex"
CASES = {
    "pass.md": "pull/passing",
    "near-miss.md": "signoffs-phrases/phrase-missing",
    "stale-sweep.md": "sweep/commit-left",
    "recipe-mismatch.md": "recipe/other-backend",
}
FOLDER = Path(__file__).parent
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")


def comments() -> dict[str, str]:
    """The comments by the name of their file."""
    rules = load_named(PACK)
    folder = cases_folder(shipped_folder() / f"{PACK}.yaml", PACK)
    cases = {case.name: case.evidence for case in load_cases(folder, rules)}
    return {
        file: _comment(render_comment(evaluate(cases[case], rules), cases[case], context, PACK))
        for context in (rules.publish.context,)
        for file, case in CASES.items()
    }


def _comment(text: str) -> str:
    return _DIGEST.sub("sha256:...", text).replace(__version__, "VERSION")


if __name__ == "__main__":
    for name, text in comments().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
