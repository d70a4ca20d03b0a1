"""The command `verify` on saved bundles: what it takes, prints, writes, and how it ends."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.build import comment, evidence, pull

from signoff_bot.cli import run
from signoff_bot.evidence.base import Unread
from signoff_bot.evidence.bundle import Bundle, write_bundle
from signoff_bot.packs.load import load_text
from signoff_bot.render.text import render_text
from signoff_bot.service import EXIT_STATUS, replay

PHRASE = "As a reviewer I have reviewed this and have"
SIGNED = f"{PHRASE}:\n- [x] Verified it\n\nSigned: octavia-chen\n"
RULES = f"""
schema: signoff-bot/rules/v1
name: mine
description: Asks for an owner.
signoff: {{phrase: "{PHRASE}"}}
publish: {{context: mine}}
checks:
  codeowner: {{kind: codeowner, number: 0}}
"""
OTHERS = RULES.replace("name: mine", "name: others")
URL = "https://github.com/SemiAnalysisAI/InferenceX/pull/7"


def bundle(rules=RULES, **facts):
    facts = {"comments": (comment(SIGNED), comment("Hello", "bram-ito", id=4002))} | facts
    return write_bundle(Bundle(evidence(**facts), load_text(rules, "pack").data))


@pytest.fixture
def saved(tmp_path, monkeypatch):
    """A saved bundle, in a folder of its own, with an environment that knows no GitHub."""
    for name in [n for n in os.environ if n.startswith(("GITHUB_", "GH_"))]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "bundle.json"
    path.write_bytes(bundle())
    return path


@pytest.fixture
def verify(saved, capsys):
    """Runs `verify` on the bundle: (exit status, stdout, stderr)."""

    def call(*argv, evidence=saved):
        status = run(["verify", *map(str, argv), "--evidence", str(evidence)])
        out, err = capsys.readouterr()
        return status, out, err

    return call


def test_a_bundle_replays_to_its_verdict(verify, saved):
    expected = replay(saved.read_bytes(), "bundle", None, None)
    assert verify("--format", "json") == (0, expected.verdict.to_json(), "")
    assert verify() == (0, render_text(expected.verdict), "")


@pytest.mark.parametrize(
    ("facts", "outcome", "status"),
    [
        ({}, "pass", 0),
        ({"comments": ()}, "pending", 1),
        (
            {"comments": (comment(SIGNED.replace("octavia-chen", "bram-ito"), "bram-ito"),)},
            "fail",
            1,
        ),
        ({"files": Unread(unread="HTTP 500")}, "error", 3),
        ({"comments": Unread(unread="HTTP 500")}, "error", 3),
    ],
)
def test_the_exit_status_follows_the_verdict_and_json_is_always_printed(
    verify, saved, facts, outcome, status
):
    saved.write_bytes(bundle(**facts))
    ended, out, err = verify("--format", "json")
    assert (json.loads(out)["verdict"], ended, err) == (outcome, status, "")
    assert EXIT_STATUS[outcome] == status


@pytest.mark.parametrize(
    ("face", "begins"),
    [
        ("text", "PASS  SemiAnalysisAI/InferenceX#7"),
        ("json", '{\n  "schema": "signoff-bot/verdict/v1"'),
        ("markdown", "<!-- mine sha=" + "a" * 40 + " signoff=issuecomment-4001 -->\n"),
        ("html", "<!doctype html>\n"),
    ],
)
def test_every_format_goes_to_stdout_or_to_a_file(verify, tmp_path, face, begins):
    _, out, _ = verify("--format", face)
    assert out.startswith(begins)
    assert verify("--format", face, "--output", tmp_path / "out") == (0, "", "")
    assert (tmp_path / "out").read_text(encoding="utf-8") == out


@pytest.mark.parametrize(
    "target",
    ["7", "SemiAnalysisAI/InferenceX#7", "semianalysisai/inferencex#7", URL, f"{URL}/files"],
)
def test_a_pull_request_may_be_named_if_it_is_the_bundles(verify, target):
    status, out, _ = verify(target)
    assert (status, out) == (0, verify()[1])


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (["8"], "holds the evidence of SemiAnalysisAI/InferenceX#7, not of #8"),
        (["o/r#7"], "not of o/r#7"),
        (["7", "--repo", "o/r"], "not of o/r#7"),
        ([f"{URL}#issuecomment-77"], "issuecomment-77 is no comment on"),
        ([URL, "--repo", "o/r"], "--repo says 'o/r'"),
        (["twelve"], "'twelve'"),
        (["--post"], "leave --evidence out"),
        (["--rules", "no-such-pack"], "no-such-pack"),
        (["--rules", "./none.yml"], "none.yml"),
        (["--save-evidence", "no/folder/x.json"], "cannot write no/folder/x.json"),
        (["--output", "no/folder/x.txt"], "cannot write no/folder/x.txt"),
        (["--format", "xml"], "xml"),
    ],
)
def test_what_does_not_fit_is_refused_in_a_sentence(verify, argv, says):
    status, out, err = verify(*argv)
    assert (status, out) == (2, "")
    assert says in err
    assert "Traceback" not in err


def test_the_address_of_a_signoff_selects_it(verify, saved):
    saved.write_bytes(bundle(comments=(comment(SIGNED, id=1), comment(f"About {PHRASE}", id=2))))
    assert json.loads(verify("--format", "json")[1])["signoff"]["id"] == 1
    status, out, _ = verify("--format", "json", f"{URL}#issuecomment-2")
    assert (status, json.loads(out)["signoff"]["id"]) == (1, 2)


@pytest.mark.parametrize(
    ("lost", "told"),
    [({"runs": Unread(unread="HTTP 500")}, False), ({}, True)],
    ids=["a fact that was asked for", "a fact that nobody asked for"],
)
def test_a_bundle_collected_for_other_rules_says_how_to_collect_it_again(
    verify, saved, tmp_path, lost, told
):
    needy = OTHERS + "  tidy: {kind: threads, number: 1}\n"
    (tmp_path / "needy.yml").write_text(needy if told else RULES)
    status, out, err = verify("--rules", "./needy.yml")
    assert ("Fix: collect the evidence again for these rules" in out) == told
    assert ("--rules ./needy.yml --save-evidence FILE" in err) == told
    assert (f"{saved} was collected for the rules mine" in err) == told
    assert status == (3 if told else 0)


@pytest.mark.parametrize(
    ("argv", "same"),
    [
        (["--save-evidence", "x", "--output", "./x"], "--save-evidence and --output"),
        (["--save-evidence", "new", "--output", "link-to-new"], "--save-evidence and --output"),
        (["--output", "hard"], "--evidence and --output"),
        (["--output", "soft"], "--evidence and --output"),
        (["--output", "bundle.json"], "--evidence and --output"),
        (["--save-evidence", "../{here}/bundle.json"], "--evidence and --save-evidence"),
    ],
)
def test_two_options_never_share_a_file(verify, saved, tmp_path, argv, same):
    (tmp_path / "hard").hardlink_to(saved)
    (tmp_path / "soft").symlink_to(saved)
    (tmp_path / "link-to-new").symlink_to("new")
    before, files = saved.read_bytes(), sorted(tmp_path.iterdir())
    status, out, err = verify(*(word.format(here=tmp_path.name) for word in argv))
    assert (status, out) == (2, "")
    assert same in err
    assert "own" in err
    assert (saved.read_bytes(), sorted(tmp_path.iterdir())) == (before, files)


def test_a_device_may_take_two_results(verify):
    status, out, err = verify("--save-evidence", "/dev/null", "--output", "/dev/null")
    assert (status, out, err) == (0, "", "")


def test_other_rules_judge_the_same_facts_again(verify, tmp_path):
    (tmp_path / "others.yml").write_text(OTHERS)
    status, out, _ = verify("--format", "json", "--rules", tmp_path / "others.yml")
    assert (status, json.loads(out)["rules"]["name"]) == (0, "others")
    assert (
        json.loads(out)["evidence_digest"]
        == json.loads(verify("--format", "json")[1])["evidence_digest"]
    )


def test_saving_the_evidence_again_gives_the_same_bytes(verify, saved, tmp_path):
    assert verify("--save-evidence", tmp_path / "again.json")[0] == 0
    assert (tmp_path / "again.json").read_bytes() == saved.read_bytes()


def test_writing_leaves_no_draft_and_an_old_file_intact_until_the_end(verify, tmp_path):
    (tmp_path / "real.json").write_text("old")
    (tmp_path / "link.json").symlink_to("real.json")
    verify("--save-evidence", tmp_path / "link.json")
    assert (tmp_path / "link.json").is_symlink()
    assert (tmp_path / "real.json").read_bytes() == (tmp_path / "bundle.json").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        *("bundle.json", "link.json", "real.json")
    ]


def test_a_device_is_written_to_and_not_replaced(verify):
    assert verify("--output", os.devnull)[0] == 0
    assert not Path(os.devnull).is_file()


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "not a complete JSON file"),
        (bundle()[:-40], "not a complete JSON file"),
        (bundle().replace(b"octavia-chen", b"bram-ito-000"), "was altered"),
        (bundle().replace(b"evidence/v1", b"evidence/v2"), "this version reads"),
        (b"[]", "not an evidence bundle"),
        (b"\xff\xfe", "not a complete JSON file"),
    ],
)
def test_a_damaged_bundle_is_refused(verify, saved, content, says):
    saved.write_bytes(content)
    status, out, err = verify()
    assert (status, out) == (2, "")
    assert says in err
    assert "bundle.json" in err


def test_a_missing_bundle_and_a_folder_are_refused(verify, tmp_path):
    for path in (tmp_path / "none.json", tmp_path):
        status, _, err = verify(evidence=path)
        assert status == 2
        assert f"cannot read {path}" in err


@pytest.mark.parametrize("option", ["--evidence", "--output", "--save-evidence"])
def test_a_file_without_a_name_is_refused_in_a_sentence(verify, option):
    status, out, err = verify(option, "") if option != "--evidence" else verify(evidence="")
    assert (status, out) == (2, "")
    assert "its name is empty" in err


@pytest.mark.parametrize(
    ("argv", "redirection", "says"),
    [
        (["verify", "--evidence", "bundle.json"], ">&-", "cannot write to stdout: it is closed"),
        (["verify", "--evidence", "bundle.json"], ">/dev/full", "No space left on device"),
        (["rules", "list"], ">&-", "cannot write to stdout: it is closed"),
        (["rules", "list"], ">/dev/full", "No space left on device"),
        (["owners", "--codeowners", "OWNERS", "-"], "<&-", "cannot read stdin: it is closed"),
    ],
)
def test_streams_that_are_closed_or_full_are_no_internal_error(saved, argv, redirection, says):
    (saved.parent / "OWNERS").write_text("* @kiri-lund\n", encoding="utf-8")
    done = subprocess.run(
        ["sh", "-c", f'exec "$@" {redirection}', "sh", sys.executable, "-m", "signoff_bot", *argv],
        cwd=saved.parent,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert says in done.stderr
    assert "internal error" not in done.stderr


def test_a_verdict_needs_no_stderr(saved):
    command = [sys.executable, "-m", "signoff_bot", "verify", "--evidence", "bundle.json"]
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" 2>&-', "sh", *command], cwd=saved.parent, capture_output=True
    )
    assert done.returncode == 0
    assert done.stdout


def test_messages_show_control_characters_instead_of_passing_them_on(verify):
    _, _, err = verify("\x1b[2J\u202e")
    assert "\x1b" not in err
    assert "\u202e" not in err


def test_a_verdict_reads_in_any_locale(saved):
    saved.write_bytes(bundle(pull=pull(title="日本語 é")))
    env = {
        "PATH": os.environ["PATH"],
        "LC_ALL": "C",
        "PYTHONUTF8": "0",
        "PYTHONIOENCODING": "ascii",
    }
    for face in ("text", "json", "markdown", "html"):
        done = subprocess.run(
            [sys.executable, "-m", "signoff_bot", "verify", "--evidence", saved, "--format", face],
            env=env,
            capture_output=True,
            check=True,
        )
        assert done.stdout.decode("utf-8")
        assert not done.stderr


@pytest.mark.parametrize(
    "argv",
    [["--version"], ["--help"], ["verify", "--help"], ["verify", "--evidence", "bundle.json"]],
    ids=" ".join,
)
def test_what_asks_nobody_loads_no_client(saved, argv):
    program = (
        "import sys; from signoff_bot.cli import run; status = run(sys.argv[1:]); "
        "sys.exit(status or 4 * bool({'github', 'requests'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *argv], cwd=saved.parent, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_without_evidence_a_pull_request_must_be_named(saved, capsys):
    assert run(["verify"]) == 2
    assert "which pull request?" in capsys.readouterr().err


def test_without_a_token_github_is_not_asked(saved, capsys):
    assert run(["verify", "o/r#1"]) == 3
    said = capsys.readouterr().err
    assert "GITHUB_TOKEN" in said
    assert "GH_TOKEN" in said


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (["1", "--repo", "x"], "'x' is no repository"),
        (["1"], "which repository?"),
        (["o/r#1", "--rules", "none"], "no rule pack 'none'"),
        (["o/r#1", "--rules", "bundle.json"], "the file of that name is ./bundle.json"),
    ],
)
def test_what_the_user_got_wrong_is_said_before_a_token_is_asked_for(saved, capsys, argv, says):
    assert run(["verify", *argv]) == 2
    assert says in capsys.readouterr().err
