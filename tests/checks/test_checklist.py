"""The checklist against the template: what must be there, ticked, or reasoned."""

import pytest
from support.build import comment, evidence

from signoff_bot.checks.base import Case, Finding, Reference
from signoff_bot.checks.checklist import KIND, ChecklistParameters
from signoff_bot.evidence.base import MissingEvidence, Unread
from signoff_bot.evidence.repository import RepositoryFile
from signoff_bot.reading.candidates import find_signoffs
from signoff_bot.reading.settings import SignoffRules

PHRASE = "I approve this change and have"
FILE = "docs/REVIEW.md"
ITEMS = (
    "Verified that this is the latest version of [REVIEW.md](https://e.example/REVIEW.md)",
    "Verified that the code quality does not get any worse.",
    "Verified that this PR passes evals.  Please link to the workflow that shows this.",
    "Verified that speculative decoding uses chat templates",
    "Verified that single-node recipes are like the official [recipes](https://e.example/):",
    "If any of the above criteria cannot be satisfied, I have given reasons below.",
)
NESTED = "I linked the merged upstream PR with 2 approvals"


def form(*lines: str, details: str = "- insert any additional info here") -> str:
    listed = "\n".join(lines)
    return (
        f"{PHRASE}:\n{listed}\n\n### Additional detail section:\n{details}\n\nSigned: `YOUR_NAME`\n"
    )


def boxed(states: str, changes: dict[int, str] | None = None) -> list[str]:
    """The items with `x` or a space as their mark, then the nested one; `-` leaves one out."""
    texts = [*ITEMS[:5], NESTED, ITEMS[5]]
    for index, text in (changes or {}).items():
        texts[index] = text
    return [
        f"{'  ' if index == 5 else ''}- [{state}] {text}"
        for index, (state, text) in enumerate(zip(states, texts, strict=True))
        if state != "-"
    ]


PAGE = f"https://github.com/SemiAnalysisAI/InferenceX/blob/main/{FILE}"
LINKS = (Reference("checklist template", PAGE),)
COPY_AGAIN = (
    f"copy the form from {FILE} again, tick what you verified, and give a reason below it for "
    "every item that does not apply"
)
TEMPLATE = "# Review\n\n```\n" + form(*boxed(" " * 7)) + "```\n"


def judge(body, at_base=TEMPLATE, parameters=None, **rules):
    given = SignoffRules(**({"phrase": PHRASE, "template_file": FILE} | rules))
    file = RepositoryFile(path=FILE, ref="refs/heads/main", text=at_base)
    said = comment(body.replace("YOUR_NAME", "octavia-chen"))
    (signoff,) = find_signoffs([said], given)
    case = Case(evidence(comments=(said,), contents=(file,)), given, signoff, (signoff.author,))
    return KIND.judge(case, parameters or ChecklistParameters())


def test_a_complete_and_current_form_passes_and_links_the_template():
    finding = judge(form(*boxed("xxxxxxx")))
    assert (finding.status, finding.details, finding.fix) == ("pass", (), None)
    assert finding.summary == "all 7 items of the current template are answered for"
    assert finding.links == LINKS


SAME = {
    "letter case and punctuation": {1: "verified that the code quality does not get any worse"},
    "typographic apostrophes and markup": {3: "Verified that **speculative** `decoding` uses chat"
                                           " templates."},
    "request answered by a link": {2: "Verified that this PR passes evals: [](https://e.example/9)"},
    "request kept beside the link": {2: ITEMS[2] + " [Run 305, attempt 2](https://e.example/9)"},
    "bare address": {2: "Verified that this PR passes evals https://e.example/9"},
    "remark": {3: ITEMS[3] + ", see the run of Monday"},
    "continued on the next line": {3: ITEMS[3] + "\n  and their tests"},
    "a word less": {1: "Verified that the code quality does not get worse."},
    "remark in another script": {3: ITEMS[3] + " \u89c1\u4e0a, 3\u4e2a"},
    "a word before it": {3: "I verified that speculative decoding uses chat templates"},
    "letters in the wrong order": {3: "Verfiied that speculative deocding uses chat templates"},
    "letter lost": {3: "Verified that speculative decoding uses chat tmplates"},
    "letter doubled": {3: "Verified that speculative decodding uses chat templates"},
    "letter mistaken": {3: "Verified that speculatove decoding uses chat templates"},
    "misspelt and remarked on": {3: "Verifed that speculative decoding uses chat templates: run 9"},
    "singular": {3: "Verified that speculative decoding uses chat template"},
    "article and auxiliary": {5: "I have linked a merged upstream PR with the 2 approvals"},
    "full width": {3: "Verified that \uff53peculative decoding uses chat templates"},
}  # fmt: skip


@pytest.mark.parametrize("changes", SAME.values(), ids=SAME)
def test_small_changes_of_words_leave_an_item_the_same(changes):
    assert judge(form(*boxed("xxxxxxx", changes))).status == "pass"


ALTERED = {
    "negation lost": ({1: "Verified that the code quality does get any worse."}, "was lost"),
    "negation added": ({2: "Verified that this PR not passes evals."}, "negation was added"),
    "contraction added": ({4: "Verified that single-node recipes aren't like the official recipes"},
                          "negation was added"),
    "negation moved": ({1: "Verified that not the code quality does get any worse."}, "was moved"),
    "failure to": ({3: "Verified that speculative decoding fails to use chat templates"},
                   "negation was added"),
    "all but": ({3: "Verified that all but speculative decoding uses chat templates"},
                "negation was added"),
    "claim taken back": ({3: "Unverified that speculative decoding uses chat templates"},
                         "`unverified` stands for `verified`"),
    "word turned round": ({3: "Verified that speculative decoding misuses chat templates"},
                          "`misuses` stands for `uses`"),
    "lesser claim": ({3: "Assumed that speculative decoding uses chat templates"},
                     "`assumed` stands for `verified`"),
    "another form of the claim": ({3: "Verify that speculative decoding uses chat templates"},
                                  "`verify` stands for `verified`"),
    "another state": ({5: "I linked the opened upstream PR with 2 approvals"},
                      "`opened` stands for `merged`"),
    "word at the end": ({2: "Verified that this PR passes lint"}, "it lacks `evals`"),
    "word lost": ({4: "Verified that single-node recipes are like the recipes"},
                  "it lacks `official`"),
    "words that changed places": ({3: "Verified that chat decoding uses speculative templates"},
                                  "stands for"),
    "short word misspelt into another": ({1: "Verified that the cope quality does not get any"
                                             " worse."}, "`cope` stands for `code`"),
    "another ending": ({3: "Verified that speculative decoder uses chat templates"},
                       "`decoder` stands for `decoding`"),
    "pronoun for what was not said": ({4: "Verified that they are like the official recipes"},
                                      "it lacks `single node recipes`"),
    "number changed": ({5: "I linked the merged upstream PR with 1 approvals"}, "number was"),
    "other significant word": ({3: "Verified that speculative decoding uses test templates, chat"
                                " aside and much else instead"}, "outdated or altered"),
    "invisible character": ({3: "Verified that specu\u200blative decoding uses chat templates"},
                            "U+200B ZERO WIDTH SPACE"),
    "foreign letter": ({3: "Verified that speculative decoding uses ch\u0430t templates"},
                       "U+0430 CYRILLIC SMALL LETTER A"),
}  # fmt: skip


@pytest.mark.parametrize(("changes", "says"), ALTERED.values(), ids=ALTERED)
def test_a_change_of_meaning_fails_with_the_item_and_its_line(changes, says):
    finding = judge(form(*boxed("xxxxxxx", changes)))
    (index,) = changes
    assert finding.status == "fail"
    assert finding.summary == "of 7 items, 1 outdated or altered"
    (detail,) = finding.details
    assert detail.startswith(f"item {index + 1} is outdated or altered on line {index + 2}")
    assert says in detail
    assert "None" not in detail
    assert (finding.fix, finding.links) == (COPY_AGAIN, LINKS)


def test_an_altered_item_is_told_beside_what_the_template_says():
    (detail,) = judge(form(*boxed("xxxxxxx", {2: "Verified that this PR passes lint"}))).details
    assert detail == (
        f"item 3 is outdated or altered on line 4 (it lacks `evals`); the template says: {ITEMS[2]}"
    )


def test_a_long_remark_is_shown_as_far_as_a_person_needs():
    remark = f"{ITEMS[3]}, but not on {'x' * 400}"
    (detail,) = judge(form(*boxed("xxxxxxx", {3: remark}))).details
    assert detail.endswith(f": {remark[:299]}…")


def test_what_passes_as_the_same_item_is_a_parameter():
    body = form(*boxed("xxxxxxx", {1: "Verified that the code quality does not get worse."}))
    assert judge(body).status == "pass"
    finding = judge(body, parameters=ChecklistParameters(similarity=1.0))
    assert finding.status == "fail"
    where = "item 2 is outdated or altered on line 3"
    assert finding.details == (f"{where}; the template says: {ITEMS[1]}",)


@pytest.mark.parametrize("index", range(7))
def test_each_item_left_out_is_named(index):
    states = ["x"] * 7
    states[index] = "-"
    finding = judge(form(*boxed("".join(states))))
    assert (finding.status, finding.summary) == ("fail", "of 7 items, 1 missing")
    assert finding.details[0].startswith(f"item {index + 1} is missing: ")


@pytest.mark.parametrize("index", range(6))
def test_each_item_left_unticked_without_a_reason_is_named(index):
    states = ["x"] * 7
    states[index] = " "
    finding = judge(form(*boxed("".join(states))))
    assert finding.status == "fail"
    assert finding.summary == "of 7 items, 1 not ticked and not reasoned"
    assert f"item {index + 1} on line {index + 2} is not ticked" in finding.details[0]


REASONS = {
    "two words of the item": "There is no speculative decoding here.",
    "two words, plural aside": "- The template of the chat is fixed upstream.",
    "label": "Decoding: none in this change",
    "label of several words": "**Chat templates**: none",
    "number": "item 4 does not apply, documentation only",
    "number with a hash": "Point #4: documentation only",
    "among other lines": "Thanks!\n\nSee below.\n\n- no speculative decoding",
    "with a link": "no speculative decoding, see [this](https://e.example/)",
}


@pytest.mark.parametrize("details", REASONS.values(), ids=REASONS)
def test_an_unticked_item_with_a_reason_below_passes_and_shows_it(details):
    finding = judge(form(*boxed("xxx xxx"), details=details))
    assert finding.status == "pass"
    assert finding.summary == "of 7 items, 1 left open for a stated reason and the others ticked"
    assert finding.details[0].startswith("item 4 is not ticked, for the reason on line ")


NO_REASONS = {
    "placeholder": "- insert any additional info here",
    "bare link": "https://e.example/speculative/decoding",
    "link target only": "[see](https://e.example/speculative-decoding-chat)",
    "one word of the item": "The decoding is fine.",
    "about another item": "The code quality got worse.",
    "label without words after it": "Chat templates:",
    "the item over again": ITEMS[3],
    "number without words after it": "item 4",
    "another number": "item 14 does not apply here",
    "quoted": "> no speculative decoding",
    "in code": "`x`\n```\nno speculative decoding\n```",
    "hidden": "<!-- no speculative decoding -->",
    "address that looks like a label": "https://e.example/ is all there is",
    "copied heading": "### Additional detail section:",
}


@pytest.mark.parametrize("details", NO_REASONS.values(), ids=NO_REASONS)
def test_other_lines_are_no_reason(details):
    finding = judge(form(*boxed("xxx xxx"), details=details))
    assert (finding.status, finding.summary) == (
        "fail",
        "of 7 items, 1 not ticked and not reasoned",
    )


def test_a_line_that_the_template_holds_already_is_no_reason():
    hint = "Speculative decoding needs chat templates."
    template = "```\n" + form(*boxed(" " * 7), details=hint) + "```\n"
    assert judge(form(*boxed("xxx xxx"), details=hint), template).status == "fail"


def test_the_closing_item_may_stay_open_when_all_others_are_ticked():
    assert judge(form(*boxed("xxxxxx "))).status == "pass"


def test_the_closing_item_must_be_ticked_when_others_are_open():
    finding = judge(form(*boxed("xxx xx "), details="no speculative decoding"))
    assert finding.status == "fail"
    assert any("item 7 on line 8 must be ticked" in detail for detail in finding.details)


def test_a_closing_item_in_the_middle_of_the_list_still_looks_at_all_others():
    template = f"{PHRASE}\n- [ ] I ran it\n- [ ] {ITEMS[5]}\n- [ ] I read it\n"
    body = f"{PHRASE}\n- [x] I ran it\n- [ ] {ITEMS[5]}\n- [ ] I read it\n"
    finding = judge(body, template)
    assert finding.summary == "of 3 items, 2 not ticked and not reasoned"
    assert judge(body.replace("[ ] I read", "[x] I read"), template).status == "pass"


def test_a_closing_item_has_no_reason_of_its_own():
    details = "No criteria had to be satisfied; no speculative decoding."
    assert judge(form(*boxed("xxx xx "), details=details)).status == "fail"
    details = "no speculative decoding\n\nitem 7 does not apply here"
    assert judge(form(*boxed("xxx xx "), details=details)).status == "fail"


def test_without_a_closing_item_in_the_rules_every_item_needs_its_tick():
    parameters = ChecklistParameters(closing_item=None)
    assert judge(form(*boxed("xxxxxx ")), parameters=parameters).status == "fail"


def test_a_negation_in_the_remark_of_a_ticked_item_is_for_a_person_to_read():
    finding = judge(form(*boxed("xxxxxx ", {3: ITEMS[3] + ", but not on MI355X"})))
    assert finding.status == "review"
    assert finding.summary == "words added to 1 ticked item may take it back"
    assert finding.fix == "move remarks from the items to the detail section"
    assert finding.links == LINKS
    assert "line 5" in finding.details[0]
    assert "but not on MI355X" in finding.details[0]


@pytest.mark.parametrize("remark", [" TODO", " (WIP)", ", exact date TBD", " - nope", "? Nope."])
def test_a_ticked_item_that_is_said_to_be_undone_is_for_a_person_to_read(remark):
    assert judge(form(*boxed("xxxxxx ", {3: ITEMS[3] + remark}))).status == "review"


def test_words_added_within_a_ticked_item_are_for_a_person_to_read():
    finding = judge(form(*boxed("xxxxxx ", {4: "Verified that most single-node recipes are like the"
                                               " official recipes"})))  # fmt: skip
    assert finding.status == "review"
    assert "item 5 on line 6 is ticked, but `most` was added" in finding.details[0]


def test_a_failure_outweighs_what_a_person_must_read():
    finding = judge(form(*boxed("x xxxxx", {3: ITEMS[3] + ", but not on MI355X"})))
    assert finding.status == "fail"
    assert len(finding.details) == 2


def test_an_item_ticked_in_one_place_and_open_in_another_is_not_ticked():
    finding = judge(form(*boxed("xxxxxxx"), f"- [ ] {ITEMS[3]}"))
    assert finding.status == "fail"
    assert "item 4 on line 9 is not ticked" in finding.details[0]


def test_a_broken_box_is_no_tick():
    body = form(*boxed("xxxxxxx")).replace("- [x] Verified that spec", "- [ x] Verified that spec")
    finding = judge(body)
    assert finding.status == "fail"
    assert "item 4 on line 5" in finding.details[0]


def test_items_that_the_template_does_not_hold_are_named_but_do_no_harm():
    finding = judge(form(*boxed("xxxxxxx"), "- [ ] Verified the weather"))
    assert finding.status == "pass"
    assert finding.details == ("line 9 is no item of the current template: Verified the weather",)


def test_a_nested_item_without_its_box_is_missing():
    lines = boxed("xxxxx-x")
    lines.insert(5, f"  - {NESTED}")
    assert judge(form(*lines)).details[0].startswith("item 6 is missing")


def test_an_altered_twin_of_an_item_does_no_harm_beside_the_right_one():
    finding = judge(form(*boxed("xxxxxxx"), "- [x] Verified that this PR not passes evals."))
    assert finding.status == "pass"
    assert "line 9 is no item of the current template" in finding.details[0]


def test_something_else_is_not_taken_for_an_item_that_is_missing():
    finding = judge(form("- [x] Fed the cat", *boxed("-xxxxxx")))
    assert finding.details[0].startswith("item 1 is missing")
    assert finding.details[1].startswith("line 2 is no item of the current template")


def test_a_number_kept_beside_a_remark_is_not_changed():
    finding = judge(form(*boxed("xxxxxxx", {5: NESTED + ", not 3"})))
    assert finding.status == "review"


SHORT = f"{PHRASE}\n- [ ] I ran it\n- [ ] Please read the guide. Please do so today.\n"


def test_short_items_and_mere_requests_are_compared_too():
    good = f"{PHRASE}\n- [x] So I ran it\n- [x] Please read the guide. Please do so today.\n"
    assert judge(good, SHORT).status == "pass"
    lost = judge(f"{PHRASE}\n- [x] I ran it\n- [x] Fine\n", SHORT)
    assert lost.details[0].startswith("item 2 is missing")


def test_items_may_come_in_another_order():
    assert judge(form(*reversed([line.strip() for line in boxed("xxxxxxx")]))).status == "pass"


@pytest.mark.parametrize("body", [f"{PHRASE}\n", f"Please begin with {PHRASE}, then the list.\n"])
def test_a_sign_off_without_any_checklist_fails_at_once(body):
    finding = judge(body)
    assert (finding.status, finding.details) == ("fail", ())
    assert "the template has 7 items" in finding.summary
    assert (finding.fix, finding.links) == (COPY_AGAIN, LINKS)


def test_before_anybody_signed_nothing_is_judged():
    file = RepositoryFile(path=FILE, ref="refs/heads/main", text=TEMPLATE)
    rules = SignoffRules(phrase=PHRASE, template_file=FILE)
    finding = KIND.judge(Case(evidence(contents=(file,)), rules, None, ()), ChecklistParameters())
    assert finding == Finding("blocked", "nobody has signed off yet")


@pytest.mark.parametrize("template", [None, "# Review\n\nNothing here.\n"])
def test_without_a_form_at_the_base_nothing_is_decided(template):
    finding = judge(form(*boxed("xxxxxxx")), template)
    assert finding.status == "error"
    assert finding.summary == f"there is no form to compare with in {FILE} at the base branch"
    assert finding.fix == (
        f"put one there: the line {PHRASE!r}, and under it items like `- [ ] ...`"
    )


def test_without_any_form_in_the_rules_nothing_is_decided():
    finding = judge(form(*boxed("xxxxxxx")), template_file=None)
    assert finding.status == "error"
    assert finding.summary == "there is no form to compare with in the rules"


def test_the_form_in_the_rules_serves_where_the_base_has_none():
    own = f"{PHRASE}\n- [ ] Verified it all\n"
    body = f"{PHRASE}\n- [x] Verified it all\n"
    assert judge(body, None, template=own).status == "pass"
    finding = judge(body, template=own, template_file=None)
    assert (finding.status, finding.links) == ("pass", ())
    assert judge(body, TEMPLATE, template=own).status == "fail"
    unticked = judge(body.replace("[x]", "[ ]"), template=own, template_file=None)
    assert "copy the form from the rules again" in unticked.fix


def test_an_unreadable_template_is_missing_evidence():
    with pytest.raises(MissingEvidence, match="refused"):
        judge(form(*boxed("xxxxxxx")), Unread(unread="GitHub refused (403)"))


def test_the_check_needs_the_template_and_a_sign_off():
    needs = KIND.needs(ChecklistParameters())
    assert (needs.template, needs.files, KIND.needs_signoff) == (True, False, True)
