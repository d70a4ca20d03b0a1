"""Reads a shell script or YAML file as its lines of code, each with the branch it belongs to.

Only the plain shapes that scripts use are told apart: `if`/`elif`/`else`/`fi` and `case` arms, a
keyword at the start of its line; and, in YAML, the nearest key around a value that names a worker's
role. Comments are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_ARM = re.compile(r"\(?([^()\s\"'$][^()]*|\"[^\"]*\"|'[^']*')\)(?:\s+(.*)|$)")
# A condition with what depends on it in the same line.
_INLINE = re.compile(r"(?:if\s+)?(\[[^&|;]*\])\s*(?:&&|;\s*then\b)")
_CASE = re.compile(r"case\s+[\"']?\$\{?(\w+)")
_YAML_KEY = re.compile(r"\s*(?:- +)?[\"']?([\w.-]+)[\"']?:(?:\s|$)")


@dataclass(frozen=True, slots=True)
class CodeLine:
    """One line of code. Lines of the same branch share `branch`."""

    number: int
    code: str
    branch: str
    eval_only: bool = False
    """Whether it runs for accuracy evaluations only."""
    subject: str | None = None
    """The variable that chooses the innermost `case` arm, if any."""
    label: str | None = None
    """That arm's pattern."""


@dataclass(slots=True)
class _Frame:
    """An open `if` or `case`, and the branch of it that is being read."""

    subject: str | None
    evals: bool | None
    """Whether the branch is for evaluations only (True), for all but them (False), or neither."""
    branch: int = 0
    label: str | None = None


@dataclass(slots=True)
class _Shell:
    eval_variable: str
    stack: list[_Frame] = field(default_factory=list)
    count: int = 0

    def enter(self, code: str) -> bool:
        """Takes a line that opens, turns or closes a branch; False for any other."""
        word = re.match(r"[a-z]*", code)
        keyword = word[0] if word else ""
        if keyword == "if" and not re.search(r";\s*fi\b", code):
            self._push(_Frame(None, self._polarity(code)))
        elif keyword == "case" and "esac" not in code:
            subject = _CASE.match(code)
            self._push(_Frame(subject[1] if subject else "", None))
        elif keyword in ("fi", "esac") and self.stack:
            self.stack.pop()
        elif keyword == "elif" and self.stack:
            self._turn(self._polarity(code))
        elif keyword == "else" and self.stack:
            evals = self.stack[-1].evals
            self._turn(None if evals is None else not evals)
        else:
            return False
        return True

    def arm(self, code: str) -> str:
        """What remains of a line after the pattern of a `case` arm."""
        if not self.stack or self.stack[-1].subject is None:
            return code
        found = _ARM.match(code)
        if found is None:
            return code
        self._turn(None)
        self.stack[-1].label = found[1].strip()
        return found[2] or ""

    def line(self, number: int, code: str) -> CodeLine:
        """The line in the branch that is open."""
        arms = [frame for frame in self.stack if frame.label is not None]
        condition = _INLINE.match(code)
        inline = self._polarity(condition[1]) if condition else None
        return CodeLine(
            number,
            code,
            "/".join(str(frame.branch) for frame in self.stack),
            eval_only=bool(inline) or any(frame.evals for frame in self.stack),
            subject=arms[-1].subject if arms else None,
            label=arms[-1].label if arms else None,
        )

    def _push(self, frame: _Frame) -> None:
        self.stack.append(frame)
        self._turn(frame.evals)

    def _turn(self, evals: bool | None) -> None:
        self.count += 1
        self.stack[-1].branch = self.count
        self.stack[-1].evals = evals

    def _polarity(self, condition: str) -> bool | None:
        if not re.search(rf"\$\{{?{self.eval_variable}\b", condition):
            return None
        if re.search(r"&&|\|\||\s-[ao]\s", condition):
            return None
        if "!=" in condition:
            return False
        return True if re.search(r"={1,2}\s*[\"']?true\b", condition) else None


def shell_lines(text: str, eval_variable: str) -> Iterator[CodeLine]:
    """The code of a shell script; `eval_variable` is `true` when only evaluations run."""
    shell = _Shell(eval_variable)
    for number, line in enumerate(text.split("\n"), 1):
        code = without_comment(line)
        if code and not shell.enter(code):
            rest = shell.arm(code)
            if rest:
                yield shell.line(number, rest)


def yaml_lines(text: str, roles: tuple[str, ...]) -> Iterator[CodeLine]:
    """The code of a YAML file; the branch of a line is the role in the keys around it."""
    around: list[tuple[int, str]] = []
    for number, line in enumerate(text.split("\n"), 1):
        code = without_comment(line)
        if not code:
            continue
        found = _YAML_KEY.match(line)
        indent = len(line) - len(line.lstrip())
        if code.startswith("- "):  # an item may stand as far left as the key that it belongs to
            indent += 1
        while around and around[-1][0] >= indent:
            around.pop()
        if found:
            around.append((indent, found[1]))
        named = [role for _, key in around for role in roles if role in key]
        yield CodeLine(number, code, named[-1] if named else "")


def without_comment(line: str) -> str:
    """The code of a line, trimmed: a `#` outside of quotes after white space starts a comment."""
    if "#" not in line:
        return line.strip()
    quote = ""
    for index, character in enumerate(line):
        if quote:
            quote = "" if character == quote and line[index - 1] != "\\" else quote
        elif character in "\"'" and (index == 0 or line[index - 1] != "\\"):
            quote = character
        elif character == "#" and (index == 0 or line[index - 1].isspace()):
            return line[:index].strip()
    return line.strip()
