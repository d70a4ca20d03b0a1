"""The check `recipe`: launch scripts are followed with what the entries that run them say."""

import pytest
from support.recipes import CONFIG, LAUNCH, RECIPE, SCRIPT, SERVER, recipe_case
from support.scripts import judged
from support.standard import entry

from signoff_bot.checks.recipe_arguments import MAX_SETTINGS


@pytest.mark.parametrize(
    ("launch", "space", "status", "says"),
    [
        ('--tp "$TP"', "tp: 8", "pass", ""),
        ('--tp "$TP"', "tp: 4", "fail", "--tp 4: the recipe has it as 8"),
        ('--tp "$TP"', "ep: 8", "review", "--tp $TP cannot be told from the script"),
        ('--tp 8 --model-path "$MODEL"', "tp: 8", "pass", ""),
        ('--tp 8 --pp "$PP"', "tp: 8", "pass", ""),
        ('--tp 8 --pp "$PP"', "tp: 8, pp: 2", "fail", "--pp 2: the recipe does not have it"),
        (
            '--tp 8 $([ "$DP_ATTENTION" = x ])',
            "tp: 8",
            "review",
            '$([ "$DP_ATTENTION" = x ]) may stand for any arguments',
        ),
    ],
)
def test_variables_are_what_the_entries_say_that_run_the_script(
    launch: str, space: str, status: str, says: str
) -> None:
    text = f"{SERVER} {launch}\n"
    config = entry(space=(f"{{ {space}, conc-list: [4] }}",))
    for texts, more in (
        ({CONFIG: (None, config), SCRIPT: text}, {}),
        ({SCRIPT: text}, {"base": {CONFIG: config}}),
    ):
        finding = judged("recipe", recipe_case(texts, RECIPE, **more))
        assert finding.status == status, finding
        assert not says or finding.summary == f"{SCRIPT}:1: {says}"


@pytest.mark.parametrize("word", ["true", "false"])
@pytest.mark.parametrize("value", ["true", "false"])
def test_switches_of_an_entry_are_words_of_the_script(value: str, word: str) -> None:
    text = f'if [ "$DP_ATTENTION" = {word} ]; then A=--tp=8; else A=--tp=4; fi\n{SERVER} $A\n'
    config = entry(space=(f"{{ tp: 8, dp-attn: {value}, conc-list: [4] }}",))
    finding = judged("recipe", recipe_case({SCRIPT: text}, RECIPE, base={CONFIG: config}))
    assert finding.status == ("pass" if value == word else "fail"), finding


def test_every_setting_that_runs_a_script_is_compared() -> None:
    text = f'{SERVER} --tp "$TP"\n'
    space = tuple(f"{{ tp: {tp}, conc-list: [4] }}" for tp in (8, 4, 4))
    finding = judged(
        "recipe", recipe_case({SCRIPT: text}, RECIPE, base={CONFIG: entry(space=space)})
    )
    assert finding.details == (f"{SCRIPT}:1: --tp 4: the recipe has it as 8",)


@pytest.mark.parametrize(
    "other",
    [
        entry("x", framework="trt", space=("{ tp: 4, conc-list: [4] }",)),
        entry("x", multinode="true", space=("{ tp: 4, conc-list: [4] }",)),
        entry("x", prefix="dsr1", space=("{ tp: 4, conc-list: [4] }",)),
        entry("x", runner="b300", space=("{ tp: 4, conc-list: [4] }",)),
        entry("x", space=("{ tp: 4, conc-list: [4], spec-decoding: mtp }",)),
    ],
    ids=["another engine", "several nodes", "another model", "other hardware", "another script"],
)
def test_settings_of_other_entries_do_not_count(other: str) -> None:
    text = f'{SERVER} --tp "$TP"\n'
    config = entry(space=("{ tp: 8, conc-list: [4] }",)) + other
    assert (
        judged("recipe", recipe_case({SCRIPT: text}, RECIPE, base={CONFIG: config})).status
        == "pass"
    )


@pytest.mark.parametrize(
    ("number", "status"), [(MAX_SETTINGS, "pass"), (MAX_SETTINGS + 1, "review")]
)
def test_more_settings_than_are_followed_are_said(number: int, status: str) -> None:
    space = tuple(f"{{ tp: 8, ep: {n}, conc-list: [4] }}" for n in range(number))
    finding = judged(
        "recipe", recipe_case({SCRIPT: LAUNCH}, RECIPE, base={CONFIG: entry(space=space)})
    )
    assert finding.status == status
    if status == "review":
        assert finding.summary == (f"{SCRIPT}: over {MAX_SETTINGS} settings; not all were compared")


def test_a_variable_may_come_from_the_entry_itself() -> None:
    text = '#!/bin/bash\nsglang serve --model-path "$MODEL" --tp 8\n'
    for model, status in (("deepseek-ai/DeepSeek-V4-Pro", "pass"), ("deepseek-ai/other", "fail")):
        base = {CONFIG: entry(model=model)}
        assert judged("recipe", recipe_case({SCRIPT: text}, RECIPE, base=base)).status == status
