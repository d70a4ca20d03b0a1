"""The check `engine-patch`: what patches the serving stack, and what does not."""

from dataclasses import replace
from typing import Any

import pytest
from support.build import changed
from support.scripts import judged, parameters, script_case

from signoff_bot.checks.base import Finding
from signoff_bot.checks.needs import ContentNeed
from signoff_bot.evidence.base import MissingEvidence, Unread

SCRIPT = "benchmarks/single_node/dsv4_fp4_b200_sglang.sh"
RECIPE = "benchmarks/multi_node/recipes/dsv4.yaml"
SITE = "/usr/lib/python3/dist-packages/sglang"
LAUNCH = "python3 -m sglang.launch_server --tp 8\n"
FIX = (
    "take the patch out; or fill in docs/waiver/7.md in this pull request, and link it in the "
    "sign-off's additional details"
)
LOOK = "a person must decide whether this changes the serving stack, and whether a waiver covers it"
LACKS = (
    "docs/waiver/7.md: the pull request holds no such waiver",
    "the sign-off does not link docs/waiver/7.md",
)


def found(text: Any, path: str = SCRIPT, **changes: Any) -> Finding:
    return judged("engine-patch", script_case({path: text}), **changes)


PATCHES = [
    ("patch -p1 < /fix", "patch applies a patch"),
    ("git apply /tmp/fix.diff", "git applies a patch"),
    ("git -C /sgl-workspace/sglang am /tmp/fix", "git applies a patch"),
    ("sudo patch -p1 -i /fix", "patch applies a patch"),
    ("git -C /sgl-workspace/sglang checkout v9", "git checkout changes sources of the image"),
    (f"sed -i 's/a/b/' {SITE}/moe.py", "sed edits a file in place"),
    (f"find {SITE} -name '*.py' -exec sed -i 's/a/b/' {{}} +", "sed edits a file in place"),
    (f"sudo find {SITE} /x -exec sed -i s/a/b/ {{}} +", "sed edits a file in place"),
    (f"perl -pi -e 's/a/b/' {SITE}/moe.py", "perl edits a file in place"),
    (f"cp moe.py {SITE}/moe.py", "cp writes over the image"),
    (f"ln -sf /tmp/moe.py {SITE}/", "ln writes over the image"),
    (f"cat > {SITE}/moe.py <<EOF\nx\nEOF", "a redirection writes over the image"),
    (f"echo x | tee -a {SITE}/moe.py", "tee writes over the image"),
    (f"curl -o {SITE}/moe.py https://x/moe.py", "curl writes over the image"),
    (f"truncate -s 0 {SITE}/moe.py", "truncate writes over the image"),
    (f"mount --bind /x/moe.py {SITE}/moe.py", "mount writes over the image"),
    (f"ed -s {SITE}/moe.py < /x/steps", "ed writes over the image"),
    (f"patchelf --add-needed x.so {SITE}/ops.so", "patchelf writes over the image"),
    ("pip install sglang==9.9", "sglang==9.9 is installed over the image"),
    ("pip install -U https://x/vllm-1.0-py3-none-any.whl", "is installed over the image"),
    ("pip install git+https://github.com/kiri-lund/vllm@fast", "is installed over the image"),
    ("python3 -m pip install --no-deps -e /sgl-workspace/sglang", "is installed over the image"),
    ("pip uninstall -y aiter", "aiter is taken out of the image"),
    (f"docker run -v /tmp/moe.py:{SITE}/moe.py image", "something is mounted over"),
    (f"srun --container-mounts=/a:/b,/c:{SITE} x", "something is mounted over"),
    (
        "python3 - <<'EOF'\nimport sglang.srt\nsglang.srt.moe = 4\nEOF",
        "Python that bends the engine while it runs",
    ),
    (
        "python3 - <<'EOF'\nimport vllm\nfrom pathlib import Path\n"
        "p = Path(vllm.__file__)\np.write_text(p.read_text().replace('a', 'b'))\nEOF",
        "Python that rewrites what is installed",
    ),
    (
        'S=$(python3 -c "import sglang; print(sglang.__path__[0])")\nsed -i s/a/b/ "$S/moe.py"',
        "sed edits a file in place",
    ),
]


@pytest.mark.parametrize(("text", "says"), PATCHES)
def test_what_changes_the_serving_stack_fails_with_its_line(text: str, says: str) -> None:
    finding = found(f"#!/bin/bash\n{text}\n{LAUNCH}")
    assert finding.status == "fail", finding
    assert finding.summary.startswith(f"{SCRIPT}:")
    assert says in finding.summary
    assert finding.summary.endswith(" (and 2 more issues)")
    assert finding.details[-2:] == LACKS
    assert finding.fix == FIX


def test_a_failure_shows_place_kind_and_line() -> None:
    finding = found("#!/bin/bash\n\n  git apply /tmp/fix.diff # see the ticket\n" + LAUNCH)
    where = f"{SCRIPT}:3: git applies a patch: git apply /tmp/fix.diff # see the ticket"
    assert finding.summary == f"{where} (and 2 more issues)"
    assert finding.details == (where, *LACKS)
    assert finding.links == ()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# git apply /tmp/fix.diff\n",
        'echo "git apply /tmp/fix.diff"\n',
        "pip install aiperf 'numpy<3' -q\n",
        "pip install --upgrade pip uv\n",
        "cd $GITHUB_WORKSPACE && git apply fix.diff\n",
        'sed -i "s/a/b/" "$GITHUB_WORKSPACE/utils/replay.py"\n',
        "sed 's/a/b/' /sgl-workspace/sglang/moe.py\n",
        'sed -i "s/a/b/" /tmp/recipe.yaml\n',
        "find /tmp/x -name '*.py' -exec sed -i s/a/b/ {} +\n",
        f"cp {SITE}/moe.py /tmp/\n",
        "rm -rf /tmp/x ~/.cache/x; mv /tmp/a /tmp/b\n",
        f"cat {SITE}/moe.py > /tmp/moe.py\n",
        f"ls {SITE}; grep -rn x {SITE}\n",
        'cp out.json "$RESULT_DIR/out.json"\n',
        "git checkout -q v1\n",
        'export PYTHONPATH="$GITHUB_WORKSPACE/utils:$PYTHONPATH"\n',
        'python3 - <<"EOF"\nimport vllm\nprint(vllm.__file__)\nEOF\n',
        "docker run -v /tmp/models:/models -v /tmp:/workspace image\n",
    ],
)
def test_the_benchmarks_own_work_passes(text: str) -> None:
    finding = found(text + LAUNCH)
    assert (finding.status, finding.details, finding.fix, finding.links) == ("pass", (), None, ())
    assert finding.summary == f"nothing in {SCRIPT} patches the engine"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("pip install left-pad", "left-pad is installed, and may be of the serving stack"),
        ("pip install -r extra.txt", "-r extra.txt is installed, and may be of the serving stack"),
        ("sed -i s/a/b/ $(find_it)/x.py", "sed edits a file in place"),
        ("ls | xargs sed -i s/a/b/", "sed edits a file in place"),
        ("cp x.py $(find_it)/x.py", "cp writes to a place that only a run would tell"),
        ("export PYTHONPATH=/elsewhere", "PYTHONPATH names /elsewhere"),
        ("LD_PRELOAD=/x.so run", "LD_PRELOAD names /x.so"),
        ("cp x /opt/sitecustomize.py", "cp writes sitecustomize.py, which Python runs by itself"),
        (f"rm -f {SITE}/ops.so", "rm takes files out of the image"),
        (f"unlink {SITE}/ops.so", "unlink takes files out of the image"),
        (f"mv {SITE}/ops.so /tmp/", "mv takes files out of the image"),
        ("make install", "something is built and installed"),
        ("bash /opt/patch_it.sh", "runs patch_it.sh, which is not in this pull request"),
        ("python3 /opt/moe_patch.py", "runs moe_patch.py, which is not in this pull request"),
    ],
)
def test_what_only_a_run_would_tell_is_for_a_person(text: str, says: str) -> None:
    finding = found(f"#!/bin/bash\n{text}\n{LAUNCH}")
    assert finding.status == "review", finding
    assert finding.summary == f"{SCRIPT}:2: {says}: {text}"
    assert finding.details == (finding.summary,)
    assert finding.fix == LOOK


def test_a_patch_beside_a_doubt_fails_and_shows_both() -> None:
    finding = found("pip install left-pad\ngit apply /fix\n")
    assert finding.status == "fail"
    assert finding.details[0] == f"{SCRIPT}:2: git applies a patch: git apply /fix"
    assert finding.details[-1].startswith(f"to be looked at: {SCRIPT}:1: left-pad is installed")


@pytest.mark.parametrize("path", ["benchmarks/moe.patch", "runners/moe.diff"])
def test_a_patch_file_fails_whatever_it_holds(path: str) -> None:
    finding = found("+ sed -i s/a/b/ x\n+ pip install left-pad\n", path)
    assert finding.status == "fail"
    assert finding.details == (f"{path}: a patch file", *LACKS)


def test_a_patch_file_is_not_read_and_one_elsewhere_is_not_searched() -> None:
    case = script_case({"benchmarks/moe.patch": "x"})
    unread = replace(case, evidence=case.evidence.model_copy(update={"contents": ()}))
    assert judged("engine-patch", unread).status == "fail"
    assert found("x", "docs/moe.patch").status == "na"


def test_a_patch_file_that_is_taken_away_is_none() -> None:
    case = script_case({"benchmarks/moe.patch": ("x", None), SCRIPT: LAUNCH})
    assert judged("engine-patch", case).status == "pass"


@pytest.mark.parametrize(
    ("path", "text", "line", "says"),
    [
        (RECIPE, "pre: |\n  cd /model\n  git apply /fix.diff\n", 3, "git applies a patch"),
        (RECIPE, "x: 1\nrun: 'pip install vllm==9'\n", 2, "installed over the image"),
        ("Dockerfile", "FROM x\nRUN git apply /fix.diff\n", 2, "git applies a patch"),
        ("docker/Dockerfile", "FROM x\nRUN git apply /fix.diff\n", 2, "git applies a patch"),
        ("docker/Dockerfile", f"FROM x\nCOPY moe.py {SITE}/moe.py\n", 2, "writes over the image"),
        ("benchmarks/run.py", "import vllm.x\nvllm.x.y = 1\n", 2, "Python that bends the engine"),
        ("runners/sitecustomize.py", "import os\nimport vllm\n", 2, "Python runs this file"),
        ("runners/x.pth", "import sglang\n", 1, "Python runs this file by itself"),
    ],
)
def test_recipes_dockerfiles_and_programs_are_searched(
    path: str, text: str, line: int, says: str
) -> None:
    finding = found(text, path)
    assert finding.status == "fail", finding
    assert finding.summary.startswith(f"{path}:{line}: ")
    assert says in finding.summary


def test_a_hook_that_speaks_of_no_engine_is_for_a_person() -> None:
    finding = found("import os\n", "runners/sitecustomize.py")
    assert finding.status == "review"
    assert finding.summary == (
        "runners/sitecustomize.py:1: Python runs this file by itself: import os"
    )


def test_a_setup_script_of_another_repository_is_for_a_person() -> None:
    recipe = "backend:\n  setup_script: vllm-setup.sh\n"
    finding = found(recipe, RECIPE)
    assert finding.status == "review"
    assert finding.summary.startswith(
        f"{RECIPE}:2: setup_script names vllm-setup.sh, which is not in this pull request: "
    )
    here = script_case({RECIPE: recipe, "benchmarks/vllm-setup.sh": "echo ready\n"})
    assert judged("engine-patch", here).status == "pass"


def test_a_patch_script_of_the_pull_request_is_read_instead_of_doubted() -> None:
    calls, patch = "bash benchmarks/x/patch_it.sh\n", "benchmarks/x/patch_it.sh"
    case = script_case({SCRIPT: calls, patch: "echo nothing\n"})
    assert judged("engine-patch", case).status == "pass"
    removed = script_case({SCRIPT: calls, patch: ("echo nothing\n", None)})
    assert judged("engine-patch", removed).status == "review"


def test_a_patch_that_was_there_before_is_for_a_person() -> None:
    old = "#!/bin/bash\ngit apply /tmp/fix.diff\n" + LAUNCH * 5
    finding = found((old, f"{old}echo more\n"))
    assert finding.status == "review"
    assert finding.summary == (
        f"{SCRIPT}:2: git applies a patch: git apply /tmp/fix.diff (it was there before)"
    )


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("pip install left-pad", "pass"),
        ("cp x.py $(find_it)/x.py", "pass"),
        ("bash /opt/patch_it.sh", "review"),
    ],
)
def test_of_old_doubts_only_a_patch_scripts_run_is_kept(line: str, status: str) -> None:
    old = f"{line}\n" + LAUNCH * 5
    finding = found((old, f"{old}echo more\n"))
    assert finding.status == status
    assert status == "pass" or finding.summary.endswith(f"{line} (it was there before)")


def test_an_old_command_with_a_new_value_is_new() -> None:
    old = 'TO=/tmp/x\ncp moe.py "$TO/moe.py"\n' + LAUNCH * 5
    finding = found((old, old.replace("/tmp/x", SITE)))
    assert finding.status == "fail"


def test_a_patch_that_is_taken_out_passes() -> None:
    assert found((f"git apply /tmp/fix\n{LAUNCH}", LAUNCH)).status == "pass"


@pytest.mark.parametrize("patch", [None, "@@ -1,1 +1,1 @@\n-a\n+b", "no diff"])
def test_without_a_diff_that_fits_a_patch_is_for_a_person(patch: str | None) -> None:
    case = script_case({SCRIPT: ("", "git apply /fix\n")})
    unshown = (changed(SCRIPT, patch=patch),)
    case = replace(case, evidence=case.evidence.model_copy(update={"files": unshown}))
    finding = judged("engine-patch", case)
    assert finding.status == "review"
    assert finding.summary == f"{SCRIPT}:1: git applies a patch: git apply /fix"


@pytest.mark.parametrize("path", ["docs/x.sh", "benchmarks/README.md", "benchmarks/x.json"])
def test_files_that_cannot_patch_are_not_searched(path: str) -> None:
    finding = found("git apply /fix\n", path)
    assert (finding.status, finding.summary, finding.details) == (
        "na",
        "the pull request changes nothing that could patch the engine",
        (),
    )


def test_a_script_that_is_not_read_to_its_end_is_for_a_person() -> None:
    finding = found("X=aaaaaaaa\n" + 'X="$X$X"; patch-it $X > out\n' * 3000)
    assert finding.status == "review"
    assert finding.summary.startswith(f"{SCRIPT}:1: the script is not read to its end: ")


def test_a_place_that_is_found_twice_is_told_once_and_files_come_in_order() -> None:
    twice = "pip install left-pad && pip install left-pad\ngit apply /a; git apply /a\n"
    case = script_case({"runners/b.sh": twice, "benchmarks/a.sh": twice})
    finding = judged("engine-patch", case)
    assert [line.split(": ")[-3] for line in finding.details if "git applies" in line] == [
        "benchmarks/a.sh:2",
        "runners/b.sh:2",
    ]
    assert sum("left-pad is" in line for line in finding.details) == 2


def test_evidence_that_is_missing_is_named() -> None:
    case = script_case({SCRIPT: LAUNCH})
    for update in ({"contents": ()}, {"files": Unread(unread="not collected")}):
        lacking = replace(case, evidence=case.evidence.model_copy(update=update))
        with pytest.raises(MissingEvidence, match="not collected"):
            judged("engine-patch", lacking)


def test_needs_are_the_files_that_may_patch_and_the_waivers() -> None:
    from signoff_bot.checks.engine_patch import KIND

    needs = KIND.needs(parameters("engine-patch", files=["a/**"]))
    assert needs.files
    assert needs.contents == {
        ContentNeed("a/**", "head"),
        ContentNeed("/docs/waiver/*.md", "head"),
    }
    assert not KIND.needs_signoff
