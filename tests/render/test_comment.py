"""The verdict comment: its shape by contract 3, its limits, and hostile text in every place."""

import re

import pytest
from support.alive import alive, code_texts, html, kinds, links
from support.build import evidence, pull
from support.hostile import HOSTILE
from support.verdicts import HEAD, PAGE, RUN, check, rejected, signoff, verdict

from signoff_bot.render.comment import MAX_BYTES, marker, render_comment
from signoff_bot.verdict import LinkReport, RulesStamp

CONTEXT = "codeowner-signoff-verify"


def comment(judged, **facts):
    return render_comment(judged, evidence(**facts), CONTEXT)


def visible_part(text):
    return text.split("<details>")[0]


def test_the_first_line_is_the_marker_with_head_and_signoff():
    first = comment(rejected()).splitlines()[0]
    assert first == f"<!-- {CONTEXT} sha={HEAD} signoff=issuecomment-4821 -->"


@pytest.mark.parametrize(
    ("kind", "anchor"),
    [
        ("comment", "issuecomment-9"),
        ("review", "pullrequestreview-9"),
        ("review_comment", "discussion_r9"),
    ],
)
def test_the_marker_names_the_signoff_wherever_it_stands(kind, anchor):
    assert f"signoff={anchor} -->" in marker(verdict(signoff=signoff(kind=kind, id=9)), CONTEXT)


def test_what_a_reader_sees_first():
    assert visible_part(comment(rejected())).splitlines()[1:] == [
        "### ❌ Sign-off verdict: **FAIL**",
        "",
        "@octavia-chen Not ready to merge: checks 1 (sweep) and 3 (recipe) fail; check 2 (eval) is "
        "blocked.",
        "",
        "- ✅ Check 0 (codeowner): **PASS** — octavia-chen owns `.github/configs/amd-master.yaml` "
        "(line 4); the other 7 paths fall under the catch-all `` `*` ``",
        "- ❌ Check 1 (sweep): **FAIL** — no commit in the pull request carries an executed, "
        f"all-green sweep ([run `27996171132`]({RUN}))",
        "  - Fix: run a full sweep on a commit that is in the pull request now",
        "- ⏸️ Check 2 (eval): **BLOCKED** — depends on check 1 (sweep)",
        "- ❌ Check 3 (recipe): **FAIL** — the sign-off links no public recipe; `#1762` is a pull "
        "request of this repository",
        "  - Fix: link the recipe in `vllm-project/recipes` or `sgl-project/sglang`",
        "",
    ]


def test_a_pass_mentions_nobody():
    text = comment(verdict("pass"))
    assert "**PASS**" in visible_part(text)
    assert not alive(text)


def test_only_the_signer_is_mentioned():
    assert alive(comment(rejected())) == ["mention: @o"]


def test_a_signoff_that_is_none_says_why():
    judged = verdict(
        "fail",
        signoff=signoff(completed=False, problems=("line 7: no box is ticked", "line 9: no name")),
    )
    seen = visible_part(comment(judged))
    assert "@octavia-chen Not ready to merge: the comment is no completed sign-off." in seen
    assert "line 7: no box is ticked (1 more below)" in seen
    assert "- line 9: no name" in comment(judged)


def test_pending_and_error_can_be_shown_without_a_signoff():
    text = comment(verdict("pending", signoff=None, checks=(check(0, "blocked"),)))
    assert text.startswith(f"<!-- {CONTEXT} sha={HEAD} signoff=none -->")
    assert "**PENDING**\n\nNobody has signed off yet." in text
    assert not alive(text)


def test_a_fix_stands_only_where_something_is_to_be_fixed():
    checks = (check(0, "pass", fix="nothing"), check(1, "warn", fix="pin it"))
    text = comment(verdict(checks=checks))
    assert "nothing" not in text
    assert "  - Fix: pin it" in text


def test_details_and_provenance_are_folded_away():
    text = comment(rejected())
    folded = text.split("<details>")[1]
    assert "fa89765aa9c838c6143e1b2d16dd71bccac40cbc" not in visible_part(text)
    for fact in ("fa89765aa9c838c6143e1b2d16dd71bccac40cbc", "sha256:" + "2" * 64, HEAD, "0.1.0"):
        assert fact in code_texts(folded)
    assert "signoff-bot verify --evidence evidence.json" in folded
    assert f"signoff-bot verify '{PAGE}#issuecomment-4821'" in folded
    assert {"table_open", "fence"} <= kinds(folded)
    assert html(text)[-1].strip() == "</details>"


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_stays_inert_wherever_it_comes_from(text):
    judged = verdict(
        "fail",
        repo=text,
        url=text,
        tool_version=text,
        rules=RulesStamp(name=text, digest=text),
        evidence_digest=text,
        signoff=signoff(author=text, url=text, problems=(text, text), completed=False),
        checks=(
            check(
                1,
                "fail",
                title=text,
                summary=text,
                details=(text, f"{text} {text}"),
                fix=text,
                links=(LinkReport(label=text, url=text), LinkReport(label=text, url=RUN)),
            ),
        ),
    )
    out = comment(judged, pull=pull(base_ref=text, title=text, head_ref=text))
    plain = comment(rejected())
    assert kinds(out) <= kinds(plain) | {"code_inline", "softbreak"}
    assert links(out) == [RUN]
    assert [tag.split()[0] for tag in html(out)] == [tag.split()[0] for tag in html(plain)]
    assert len(re.findall("<!--", "".join(html(out)))) == 1
    assert alive(out) == []
    assert len(out.encode()) <= MAX_BYTES


def test_a_comment_never_exceeds_githubs_limit_and_says_what_is_cut():
    long = "@octo/" + "\u202e" * 5000
    checks = tuple(
        check(
            number,
            "fail",
            title=long,
            summary=long,
            fix=long,
            details=(long,) * 50,
            links=(LinkReport(label=long, url=RUN + "?" + "a" * 1500),) * 9,
        )
        for number in range(100)
    )
    out = comment(verdict("fail", checks=checks, signoff=signoff(problems=(long,) * 99)))
    assert 40_000 < len(out.encode()) <= MAX_BYTES
    shown = out.count("**FAIL** —")
    assert f"- {100 - shown} more checks do not fit here" in out
    assert html(out)[-1].strip() == "</details>"


def test_long_lists_are_cut_with_a_count():
    judged = verdict(
        "fail",
        checks=(
            check(
                1,
                "fail",
                details=tuple(f"path {n}" for n in range(12)),
                links=tuple(LinkReport(label=f"run {n}", url=RUN) for n in range(7)),
            ),
        ),
    )
    text = comment(judged)
    assert "- path 9\n- and 2 more" in text
    assert "and 2 more)" in text


def test_shipped_rules_are_named_in_the_command_that_judges_again():
    text = render_comment(rejected(), evidence(), CONTEXT, pack="inferencex")
    assert "issuecomment-4821' --rules inferencex --save-evidence" in text


def test_a_remark_on_a_completed_signoff_is_folded_away():
    text = comment(verdict("fail", signoff=signoff(problems=("line 5: empty link text",))))
    assert "empty link text" not in visible_part(text)
    assert "- line 5: empty link text" in text
