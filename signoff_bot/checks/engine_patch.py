"""Whether the engine runs as its image ships it, or a waiver covers what patches it.

**What it checks.** In the lines that the pull request adds to scripts, recipes, programs and
Dockerfiles, whatever changes the serving stack: patch files, `git apply` and `patch`, in-place
edits, copies and redirections into installed sources, Python that rewrites or bends them, packages
of the engine installed over the image, mounts over its files, hooks that Python runs by itself,
and setup scripts. Where there is any, the same pull request must hold a waiver that is named for
it, with its sections filled in, and the sign-off must link it.

**Why it exists.** Users can pull the image; a patched one they cannot. What a patch gains must not
stand as the engine's number, and a patch that is truly needed has to be written down.

**What it reads.** The changed files at the head, and their diffs, to tell new lines from old ones;
the waiver; and the sign-off's links. Nothing is run. The benchmark's own clients and files are
free to change.

**When a person must look.** A package that is neither of the engine nor of the clients; a place or
program that only a run would tell; a variable that slips other code in; a patch that was there
before; a setup or patch script that is not in the pull request; a waiver that does not name the
file that patches.

**How to fix a failure.** Take the patch out, or use an image that holds the change. If neither is
possible yet, fill in a waiver in this pull request, and link it in the sign-off.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from pydantic import Field

from signoff_bot.checks.base import Case, CheckKind, Finding, Parameters, Reference
from signoff_bot.checks.changed_text import ChangedText, changed_texts
from signoff_bot.checks.configs import conclude, content_needs
from signoff_bot.checks.needs import Needs
from signoff_bot.evidence.base import known
from signoff_bot.reading.engine_commands import Sign
from signoff_bot.reading.engine_paths import EngineRules
from signoff_bot.reading.engine_signs import engine_signs
from signoff_bot.reading.globs import Glob, matching
from signoff_bot.reading.links import server_of
from signoff_bot.reading.waiver import WaiverRules, leads_to, missing_parts
from signoff_bot.reading.wording import count, shorten, some


class EnginePatchParameters(Parameters):
    """Where patches may hide, what belongs to the engine, and what a waiver says."""

    files: tuple[Glob, ...] = Field(
        min_length=1,
        description="Scripts, recipes, programs, Dockerfiles and patch files that are searched.",
    )
    patch_files: tuple[Glob, ...] = Field(
        default=("*.patch", "*.diff"), description="Those of them that are patches themselves."
    )
    engine: EngineRules = Field(description="What belongs to the serving stack.")
    waiver: WaiverRules = Field(description="Where waivers are, and what they must say.")


def needs(parameters: EnginePatchParameters) -> Needs:
    """The changed files that may patch, and the waivers among the changed files."""
    waivers = parameters.waiver.path.replace("{pr}", "*")
    return Needs(files=True, contents=content_needs((*parameters.files, f"/{waivers}"), "head"))


def judge(case: Case, parameters: EnginePatchParameters) -> Finding:
    """Searches every changed file for patches; where there are any, asks for the waiver."""
    search = _Search(case, parameters)
    patches = search.patches()
    if not search.paths:
        return Finding("na", "the pull request changes nothing that could patch the engine")
    waiver = _Waiver(case, parameters.waiver)
    waived = bool(patches) and not waiver.lacks
    unnamed = [patch for patch, path in patches.items() if waived and not waiver.names(path)]
    patched = f"a waiver covers {count(len(patches), 'place')} that patch the engine"
    return conclude(
        failures=() if waived or not patches else (*patches, *waiver.lacks),
        doubts=(*search.doubts, *(f"{patch}; {waiver.path} does not name it" for patch in unnamed)),
        passed=patched if patches else f"nothing in {some(search.paths)} patches the engine",
        remarks=tuple(patches) if waived and not unnamed else (),
        fix=f"take the patch out; or fill in {waiver.path} in this pull request, and link it in "
        "the sign-off's additional details",
        look="a person must decide whether this changes the serving stack, and whether a waiver "
        "covers it",
        links=waiver.links if waived else (),
    )


@dataclass
class _Search:
    """What changes the serving stack. Texts name the place first, as `FILE:LINE`."""

    case: Case
    parameters: EnginePatchParameters
    doubts: list[str] = field(default_factory=list)

    @cached_property
    def present(self) -> tuple[str, ...]:
        """The changed files that are there at the head."""
        files = known(self.case.evidence.files)
        return tuple(sorted(file.path for file in files if file.status != "removed"))

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """Those of them that are searched."""
        return matching(self.present, self.parameters.files)

    def patches(self) -> Mapping[str, str]:
        """Each certain patch of this pull request, with the path of its file."""
        patch_files = matching(self.paths, self.parameters.patch_files)
        found = {f"{path}: a patch file": path for path in patch_files}
        names = frozenset(path.rsplit("/", 1)[-1] for path in self.present)
        texts = changed_texts(self.case, (*self.parameters.files, *self._without_patches))
        for file in sorted(texts, key=lambda file: file.path):
            for sign in engine_signs(file.path, file.text, names, self.parameters.engine):
                self._weigh(file, sign, found)
        return found

    @property
    def _without_patches(self) -> Sequence[str]:
        return [f"!{glob}" for glob in self.parameters.patch_files]

    def _weigh(self, file: ChangedText, sign: Sign, found: dict[str, str]) -> None:
        shown = file.lines[sign.line - 1].strip() if sign.line <= len(file.lines) else ""
        what = f"{file.path}:{sign.line}: {sign.says}: {shorten(shown)}"
        if not file.added(sign.lines):
            if sign.certain or sign.kept:
                self._doubt(f"{what} (it was there before)")
        elif sign.certain and not file.unclear:
            found.setdefault(what, file.path)
        else:
            self._doubt(what)

    def _doubt(self, what: str) -> None:
        if what not in self.doubts:
            self.doubts.append(what)


@dataclass(frozen=True)
class _Waiver:
    """The waiver of the pull request, as it holds it and as the sign-off links it."""

    case: Case
    rules: WaiverRules

    @property
    def path(self) -> str:
        """Where it must be."""
        return self.rules.path.replace("{pr}", str(self.case.evidence.pull.number))

    @cached_property
    def _text(self) -> str | None:
        """Its text at the head; None where the pull request does not hold it."""
        for file in known(self.case.evidence.files):
            if file.path == self.path and file.status != "removed":
                return known(known(self.case.evidence.content(self.path, "head")).text)
        return None

    @cached_property
    def lacks(self) -> tuple[str, ...]:
        """What keeps it from covering a patch."""
        missing = (
            [f"{self.path}: the pull request holds no such waiver"]
            if self._text is None
            else [f"{self.path}: it {what}" for what in missing_parts(self._text, self.rules)]
        )
        return (*missing, *(() if self.links else (f"the sign-off does not link {self.path}",)))

    @cached_property
    def links(self) -> tuple[Reference, ...]:
        """The signer's links that lead to it."""
        pull, signoff = self.case.evidence.pull, self.case.signoff
        repos = [self.case.evidence.repository.full_name, *filter(None, [pull.head_repo])]
        return tuple(
            Reference("waiver", link.url)
            for link in (signoff.form.links if signoff else ())
            if leads_to(
                link.url, self.path, server=server_of(pull.url), repos=repos, pr=pull.number
            )
        )

    def names(self, path: str) -> bool:
        """Whether it speaks of a file."""
        return path.rsplit("/", 1)[-1] in (self._text or "")


KIND = CheckKind(
    name="engine-patch",
    doc=__doc__,
    parameters=EnginePatchParameters,
    needs=needs,
    judge=judge,
    needs_signoff=False,
)
