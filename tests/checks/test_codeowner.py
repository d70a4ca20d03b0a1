import pytest
from support.build import account, changed
from support.judging import case, judged, said, signed

from signoff_bot.checks.codeowner import KIND
from signoff_bot.checks.needs import Needs
from signoff_bot.evidence.base import MissingEvidence, Unread
from signoff_bot.evidence.repository import RepositoryFile, Team

AMD = ".github/configs/amd-master.yaml"
NVIDIA = ".github/configs/nvidia-master.yaml"
OWNERS = f"""\
* @octo-org/core
{AMD} @Octavia-Chen @bram-ito
{NVIDIA} @octo-org/green
"""
UNREAD = Unread(unread="GitHub refused")


def owners(text, **fields):
    given = {"path": ".github/CODEOWNERS", "at": "base", "ref": "refs/heads/main"} | fields
    return RepositoryFile(text=text, **given)


def found(*paths, text=OWNERS, by="octavia-chen", teams=(), combine=False, also=(), **parameters):
    at = case(
        signed(by=by),
        signers=(account(by), *map(account, also)),
        files=tuple(changed(path) for path in paths),
        codeowners=owners(text),
        teams=teams,
        combine=combine,
    )
    return judged(KIND, at, **parameters)


def team(name, *logins):
    return Team(name=name, members=tuple(map(account, logins)))


def test_an_owner_of_every_path_passes():
    finding = found(AMD)
    assert finding.status == "pass"
    assert finding.summary == f"octavia-chen owns {AMD}"
    assert finding.links[0].url == (
        "https://github.com/SemiAnalysisAI/InferenceX/blob/main/.github/CODEOWNERS#L2"
    )


def test_a_strangers_failure_names_path_line_and_owners():
    finding = found(AMD, by="marlow-quist")
    assert finding.status == "fail"
    assert finding.summary == (f"marlow-quist does not own {AMD} (line 2: @Octavia-Chen @bram-ito)")
    assert finding.details == (
        f"line 2: {AMD}; owned by @Octavia-Chen @bram-ito",
        "CODEOWNERS lists no @marlow-quist",
    )
    assert finding.fix == "a sign-off is needed from @Octavia-Chen or @bram-ito"
    assert finding.links[0].label == "CODEOWNERS line 2"


def test_the_last_matching_line_decides():
    text = f"{AMD} @octavia-chen\n.github/ @bram-ito\n"
    assert found(AMD, text=text).status == "fail"
    assert found(AMD, text=text, by="bram-ito").status == "pass"


def test_the_former_name_of_a_renamed_file_needs_its_owner_too():
    files = (changed("notes.md", previous_path=AMD, status="renamed"),)
    at = case(signed(by="kiri-lund"), files=files, codeowners=owners(f"{OWNERS}*.md @kiri-lund\n"))
    finding = judged(KIND, at)
    assert finding.status == "fail"
    assert AMD in finding.summary


def test_a_member_of_an_owning_team_passes():
    assert found(NVIDIA, by="ines-varga", teams=(team("octo-org/green", "ines-varga"),)).status == (
        "pass"
    )


def test_somebody_outside_the_owning_team_fails():
    assert found(NVIDIA, teams=(team("octo-org/green", "ines-varga"),)).status == "fail"


def test_an_unread_team_is_an_error_where_it_alone_decides():
    with pytest.raises(MissingEvidence, match="GitHub refused"):
        found(NVIDIA, teams=(Team(name="octo-org/green", members=UNREAD),))


def test_an_unread_team_does_not_hide_a_certain_failure():
    teams = (Team(name="octo-org/green", members=UNREAD),)
    assert found(NVIDIA, AMD, by="marlow-quist", teams=teams).status == "fail"


@pytest.mark.parametrize(
    ("policy", "by", "status"),
    [
        ("any-owner", "octavia-chen", "pass"),
        ("any-owner", "bram-ito", "pass"),
        ("any-owner", "marlow-quist", "fail"),
        ("owner", "octavia-chen", "fail"),
        ("owner", "ines-varga", "pass"),
    ],
)
def test_the_rules_say_who_signs_for_a_catch_all_path(policy, by, status):
    teams = (team("octo-org/core", "ines-varga"), team("octo-org/green"))
    assert found("README.md", by=by, teams=teams, catch_all=policy).status == status


def test_a_failure_speaks_of_the_named_path_before_the_catch_all():
    teams = (team("octo-org/core"), team("octo-org/green"))
    finding = found("a.sh", AMD, "z.sh", by="marlow-quist", teams=teams, catch_all="any-owner")
    assert finding.summary == (
        f"marlow-quist does not own {AMD} (line 2: @Octavia-Chen @bram-ito) nor 2 other paths"
    )
    assert finding.details[:2] == (
        f"line 2: {AMD}; owned by @Octavia-Chen @bram-ito",
        "line 1 (*): a.sh, z.sh; owned by @octo-org/core",
    )
    assert [link.label for link in finding.links] == ["CODEOWNERS line 2"]


def test_a_pass_tells_owned_paths_from_open_ones():
    finding = found("a.sh", AMD, "z.sh", catch_all="any-owner")
    assert finding.summary == (
        f"octavia-chen owns {AMD}; any listed owner may sign for the other 2 paths"
    )
    assert [link.label for link in finding.links] == ["CODEOWNERS line 2"]


def test_a_pass_on_open_paths_alone_says_why():
    finding = found("a.sh", catch_all="any-owner")
    assert finding.summary == ("octavia-chen is a listed owner, and any of them may sign for a.sh")
    assert [link.label for link in finding.links] == ["CODEOWNERS line 1"]
    both = found("a.sh", "b.sh", catch_all="any-owner", also=("bram-ito",))
    assert both.summary == (
        "octavia-chen and bram-ito are listed owners, and any of them may sign for 2 changed paths"
    )


@pytest.mark.parametrize("text", [f"{AMD} @octavia-chen\n", "* @octavia-chen\nREADME.md\n"])
@pytest.mark.parametrize(("policy", "status"), [("any-owner", "pass"), ("fail", "fail")])
def test_the_rules_say_who_signs_for_a_path_that_nobody_owns(text, policy, status):
    assert found("README.md", text=text, unowned=policy).status == status


def test_a_path_that_nobody_owns_says_so():
    finding = found("README.md", text=f"{AMD} @octavia-chen\n", unowned="fail")
    assert finding.summary == (
        "octavia-chen does not own README.md (no line of CODEOWNERS matches it)"
    )
    assert finding.details == ("no line matches README.md",)
    assert finding.links == ()
    assert finding.fix == "name an owner for these paths in CODEOWNERS on the base branch"
    named_nobody = found("README.md", text="* @octavia-chen\nREADME.md\n", unowned="fail")
    assert "(line 2: nobody)" in named_nobody.summary


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "the base branch has no CODEOWNERS file, so nobody owns what changed\n"),
        ("", "the base branch has a CODEOWNERS without owners, so nobody owns what changed\n"),
        ("", "\nname the owners in CODEOWNERS on the base branch"),
        ("# nothing\n", "has a CODEOWNERS without owners"),
        ("[section] @octavia-chen\n", "GitHub skips line 1"),
    ],
)
def test_without_owners_nobody_can_sign(text, words):
    finding = found(AMD, text=text)
    assert finding.status == "fail"
    assert words in said(finding)


def test_an_unread_codeowners_is_an_error():
    with pytest.raises(MissingEvidence, match="GitHub refused"):
        judged(KIND, case(signed(), codeowners=UNREAD))
    with pytest.raises(MissingEvidence, match="GitHub refused"):
        judged(KIND, case(signed(), codeowners=owners(UNREAD)))


def test_unread_files_are_an_error():
    with pytest.raises(MissingEvidence, match="GitHub refused"):
        judged(KIND, case(signed(), files=UNREAD))


def test_an_email_owner_is_never_proven():
    finding = found(AMD, text=f"* @kiri-lund\n{AMD} octavia-chen@example.com\n")
    assert finding.status == "fail"
    assert (
        "line 2: octavia-chen@example.com is an e-mail address, which cannot be proven to be "
        "anybody's here; list the login instead"
    ) in finding.details


def test_a_skipped_line_that_was_meant_for_the_path_is_a_warning():
    finding = found(AMD, text=f"{AMD} @octavia-chen\n!{AMD} @bram-ito\n")
    assert finding.status == "pass"
    assert finding.details[-1].startswith(
        "warning: GitHub skips line 2 of CODEOWNERS, so it grants nothing: "
    )


def test_several_signers_cover_the_paths_together():
    text = f"{AMD} @octavia-chen\n{NVIDIA} @bram-ito\n"
    assert found(AMD, NVIDIA, text=text).status == "fail"
    finding = found(AMD, NVIDIA, text=text, also=("bram-ito",), combine=True)
    assert finding.status == "pass"
    assert finding.summary == "octavia-chen and bram-ito together own 2 changed paths"


def test_the_fix_names_those_who_can_help():
    text = f"{AMD} @octavia-chen @kiri-lund\n{NVIDIA} @bram-ito @kiri-lund\n"
    assert found(AMD, NVIDIA, text=text).fix == "a sign-off is needed from @kiri-lund"
    alone = found(AMD, NVIDIA, text=f"{AMD} @octavia-chen\n{NVIDIA} @bram-ito\n")
    assert alone.fix == "a sign-off is needed from somebody who owns all of the changed paths"
    either = found(AMD, NVIDIA, text=text, by="marlow-quist", combine=True)
    assert either.fix == "a sign-off is needed from @kiri-lund"
    text = f"{AMD} @octavia-chen\n{NVIDIA} @bram-ito @kiri-lund\na @bram-ito @Octavia-Chen\n"
    both = found(AMD, NVIDIA, "a", text=text, by="marlow-quist", combine=True)
    assert both.fix == "sign-offs are needed from @bram-ito or @kiri-lund, and from @octavia-chen"


def test_a_combined_sign_off_by_somebody_who_owns_nothing_gives_way_to_an_owners():
    text = f"{AMD} @octavia-chen\n{NVIDIA} @kiri-lund\n"
    finding = found(AMD, text=text, by="kiri-lund", also=("octavia-chen",), combine=True)
    assert finding.status == "fail"
    assert finding.summary == (
        "kiri-lund owns nothing of what changed; the sign-offs of octavia-chen cover it"
    )
    assert finding.fix == "none: a sign-off of an owner is judged in its place"
    assert found(AMD, text=text, also=("kiri-lund",), combine=True).status == "pass"


def test_where_sign_offs_combine_only_those_are_asked_for_that_lack():
    text = f"{AMD} @octavia-chen\n{NVIDIA} @bram-ito\n"
    assert found(AMD, NVIDIA, text=text, combine=True).fix == "a sign-off is needed from @bram-ito"


def test_an_unread_team_matters_where_it_alone_makes_the_author_of_a_combined_sign_off_an_owner():
    unread = (Team(name="octo-org/green", members=UNREAD),)
    text = f"{AMD} @bram-ito @octo-org/green\n{NVIDIA} @octavia-chen\n"
    together = {"text": text, "teams": unread, "also": ("bram-ito",), "combine": True}
    with pytest.raises(MissingEvidence, match="GitHub refused"):
        found(AMD, **together)
    assert found(AMD, NVIDIA, **together).status == "pass"


def test_hundreds_of_paths_stay_readable():
    finding = found(*(f"src/{n}.py" for n in range(300)), text="src/ @bram-ito\n")
    assert finding.summary.endswith("nor 299 other paths")
    assert len(said(finding)) < 500
    assert "and 297 more" in said(finding)


def test_hundreds_of_lines_stay_readable():
    text = "".join(f"src/{n:03}.py @bram-ito\n" for n in range(300))
    finding = found(*(f"src/{n:03}.py" for n in range(300)), text=text)
    assert "290 more lines with 290 paths" in finding.details
    assert len(finding.links) == 10


def test_links_lead_to_the_file_where_it_was_read():
    at = case(
        signed(),
        files=(changed("a"),),
        codeowners=owners("* @octavia-chen\n", path="docs/CODEOWNERS", ref="refs/heads/rel/1 x"),
    )
    url = judged(KIND, at).links[0].url
    assert url.endswith("/blob/rel/1%20x/docs/CODEOWNERS#L1")


def test_a_pull_request_without_files_needs_no_owner():
    finding = found()
    assert (finding.status, finding.summary) == (
        "na",
        "GitHub counts no changed file, so there is nothing to own",
    )


def test_several_strangers_are_told_together():
    finding = found(AMD, by="marlow-quist", also=("wren-dalgaard",))
    assert finding.summary.startswith("marlow-quist and wren-dalgaard do not own")
    assert "CODEOWNERS lists no @wren-dalgaard" in finding.details


def test_a_crowd_of_owners_is_counted():
    owned = " ".join(f"@owner-{n}" for n in range(6))
    six = found(AMD, text=f"{AMD} {owned}\n").fix
    assert six.endswith("@owner-4 or @owner-5")
    seven = found(AMD, text=f"{AMD} {owned} @owner-6\n").fix
    assert seven.endswith("@owner-5 or 1 other owner")
    eight = found(AMD, text=f"{AMD} {owned} @owner-6 @owner-7\n").fix
    assert eight.endswith("@owner-4 or @owner-5 or 2 other owners")


def test_by_default_a_catch_all_has_its_own_owners_and_unowned_paths_any():
    assert KIND.parameters() == KIND.parameters(catch_all="owner", unowned="any-owner")


def test_needs_are_the_files_and_their_owners():
    assert KIND.needs(KIND.parameters()) == Needs(files=True, codeowners=True)
    assert KIND.needs_signoff


def test_two_foreign_paths_are_told():
    assert found(AMD, NVIDIA, by="x", teams=(team("octo-org/green"),)).summary.endswith(
        "nor 1 other path"
    )


GATE = ("/.github/workflows/", "/CODEOWNERS")
SWEEP = ".github/workflows/run-sweep.yml"


def test_an_open_catch_all_does_not_open_the_gate():
    core = (team("octo-org/core", "ines-varga"),)
    for paths in ((SWEEP,), (AMD, SWEEP, "src/app.py")):
        opened = found(*paths, teams=core, catch_all="any-owner")
        assert opened.status == "pass"
        closed = found(*paths, teams=core, catch_all="any-owner", gate=GATE)
        assert closed.status == "fail"
        assert closed.summary == f"octavia-chen does not own {SWEEP} (line 1: @octo-org/core)"
    assert closed.fix == "a sign-off is needed from somebody who owns all of the changed paths"


def test_the_owners_of_the_gate_pass_it_alone_or_together():
    core = (team("octo-org/core", "ines-varga"),)
    mine = found(SWEEP, by="ines-varga", teams=core, catch_all="any-owner", gate=GATE)
    assert mine.status == "pass"
    ours = found(
        *(AMD, SWEEP, "src/app.py"),
        also=("ines-varga",),
        teams=core,
        combine=True,
        catch_all="any-owner",
        gate=GATE,
    )
    assert ours.status == "pass"
    assert "octavia-chen and ines-varga together own 2 changed paths" in ours.summary


def test_a_gate_that_nobody_owns_is_as_open_as_the_rules_say():
    text = f"{AMD} @octavia-chen\n"
    assert found(SWEEP, text=text, gate=GATE).status == "pass"
    assert found(SWEEP, text=text, gate=GATE, unowned="fail").status == "fail"
