"""The HTML page: it stands alone, shows everything, and nothing on it can act."""

import base64
import hashlib
import re

import pytest
from support.build import account, changed, comment, evidence, job, pull, run
from support.hostile import HOSTILE
from support.html_page import Page
from support.verdicts import PAGE, RUN, check, rejected, signoff, verdict

from signoff_bot.evidence.base import Unread
from signoff_bot.evidence.pull import Commit
from signoff_bot.evidence.repository import RepositoryFile
from signoff_bot.evidence.upstream import UpstreamPull, UpstreamState
from signoff_bot.packs.model import Publication, Rules
from signoff_bot.reading.settings import SignoffRules
from signoff_bot.render.html import render_html
from signoff_bot.verdict import LinkReport, RulesStamp

PHRASE = "As a reviewer I have reviewed this and have"
TAGS = {
    *("html", "head", "meta", "title", "style", "body", "header", "main", "footer", "h1", "h2"),
    *("h3", "p", "span", "strong", "a", "code", "dl", "div", "dt", "dd", "time", "ul", "ol", "li"),
    *("details", "summary", "table", "thead", "tbody", "tr", "th", "td"),
}


def rules(description="A pack."):
    publish = Publication(context="test")
    signoff_rules = SignoffRules(phrase=PHRASE)
    return Rules("test", description, signoff_rules, publish, "UTC", (), {}, "sha256:0")


def page(judged=None, pack=None, **facts):
    return Page(render_html(judged or rejected(), evidence(**facts), pack or rules()))


def test_the_page_shows_verdict_checks_and_fixes():
    text = " ".join(" ".join(page().texts).split())
    for part in (
        "✗ FAIL",
        "Not ready to merge: checks 1 (sweep) and 3 (recipe) fail; check 2 (eval) is blocked.",
        "Check 1 sweep FAIL",
        "no commit in the pull request carries an executed, all-green sweep",
        "Fix run a full sweep",
        "run 28130510662 on the head executed nothing",
        "sha256:" + "2" * 64,
    ):
        assert part in text
    assert RUN in page().links
    assert f"{PAGE}#issuecomment-4821" in page().links


def test_the_page_needs_nothing_but_itself():
    source = render_html(rejected(), evidence(), rules())
    parsed = Page(source)
    assert set(parsed.tags) <= TAGS
    assert not {"src", "action", "srcset", "background"} & {
        name for _, name, _ in parsed.attributes
    }
    assert "@import" not in source
    assert "url(" not in source


def test_the_policy_allows_the_pages_own_style_and_nothing_else():
    source = render_html(rejected(), evidence(), rules())
    style = re.search(r"<style>(.*?)</style>", source, re.DOTALL)[1]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    assert ("meta", "content", policy) in Page(source).attributes


def test_it_reads_in_the_dark_on_a_phone_and_by_ear():
    source = render_html(rejected(), evidence(), rules())
    assert "prefers-color-scheme: dark" in source
    assert 'content="width=device-width, initial-scale=1"' in source
    assert {"header", "main", "footer", "h1", "h2", "h3"} <= set(Page(source).tags)
    assert Page(source).tags.count("h1") == 1


def test_the_evidence_stands_in_tables():
    parsed = page(
        comments=(
            comment(f"{PHRASE}:\n- [x] Verified\n\nSigned: octavia-chen", id=1),
            comment(f"Please post {PHRASE}", "bram-ito", id=2),
        ),
        files=(changed("new.md", previous_path="old.md", status="renamed"), changed("docs/a.md")),
        codeowners=RepositoryFile(
            path="CODEOWNERS", ref="refs/heads/main", text="*.md @octo/writers\ndocs/\n"
        ),
        runs=(run(900, job("single-node / a"), job("eval / b", "failure")),),
        upstream=(
            UpstreamPull(
                repo="vllm-project/recipes",
                number=5,
                found=UpstreamState(
                    base_repo="vllm-project/recipes",
                    state="closed",
                    draft=False,
                    merged_at="2026-06-24T10:00:00Z",
                    title="x",
                ),
            ),
            UpstreamPull(repo="vllm-project/recipes", number=6, found=None),
            UpstreamPull(repo="vllm-project/recipes", number=7, found=Unread(unread="HTTP 500")),
        ),
    )
    texts = [text.strip() for text in parsed.texts if text.strip()]
    for expected in (
        *("Sign-offs considered (2)", "completed", "Changed files (3)", "previous name"),
        *("old.md", "@octo/writers", "1: *.md", "2: docs/", "Workflow runs (1)"),
        *("1 failure, 1 success", "Jobs of run 900 (2)", "single-node / a"),
        *("merged 2026-06-24T10:00:00Z", "not found", "HTTP 500"),
    ):
        assert expected in texts, expected
    assert "https://github.com/vllm-project/recipes/pull/5" in parsed.links


def test_what_could_not_be_read_says_why():
    gone = Unread(unread="GET /x: GitHub failed (HTTP 500)")
    parsed = page(comments=gone, files=gone, commits=gone, runs=gone, head_runs=gone)
    assert sum("HTTP 500" in text for text in parsed.texts) == 5
    parsed = page(runs=(run(900, jobs=gone),), codeowners=gone)
    assert sum("HTTP 500" in text for text in parsed.texts) == 1
    assert "not known" in parsed.texts


def test_what_no_rule_asked_for_is_left_out():
    assert not any("Workflow runs" in text for text in page().texts)


def test_a_very_long_table_is_cut_with_a_count():
    commits = tuple(
        Commit(sha=f"{n:040x}", parents=(), author=None, committer=None) for n in range(1200)
    )
    parsed = page(commits=commits)
    assert "200 more are in the evidence bundle" in parsed.texts


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_is_only_shown(text):
    judged = verdict(
        "fail",
        repo=text,
        url=text,
        rules=RulesStamp(name=text, digest=text),
        signoff=signoff(author=text, url=text, problems=(text,), completed=False),
        checks=(
            check(
                1,
                "fail",
                title=text,
                summary=text,
                details=(text,),
                fix=text,
                links=(LinkReport(label=text, url=text),),
            ),
        ),
    )
    source = render_html(
        judged,
        evidence(
            pull=pull(title=text, head_ref=text, base_ref=text, url=text),
            files=(changed(text),),
            comments=(comment(f"{PHRASE} {text}", account(text), url=text),),
            runs=(run(900, job(text, url=text), workflow_path=text, url=text),),
        ),
        rules(text),
    )
    parsed = Page(source)
    assert set(parsed.tags) <= TAGS
    assert not [name for _, name, _ in parsed.attributes if name.startswith("on")]
    assert not [url for url in parsed.links if "evil" in url or not url.startswith("https://")]
    for line in source.split("\n"):
        assert line.isprintable(), repr(line)
