"""Takes the comments out of a file, so that only what takes effect is searched.

Lines keep their numbers. In a shell script a `#` is a comment only where the shell takes it for
one; in other files, and in what a script feeds to other programs, it is one after white space and
outside of the quotes of its line.
"""

from __future__ import annotations

from functools import lru_cache

from signoff_bot.reading.branches import without_comment
from signoff_bot.reading.shell.lexer import MAX_LENGTH, lex
from signoff_bot.reading.shell.source import Source
from signoff_bot.reading.shell.words import Operator

SHELL_SUFFIXES = (".sh", ".bash", ".slurm", ".sbatch")


def is_shell(path: str, text: str) -> bool:
    """Whether a file is a shell script, by its name or its first line."""
    if path.endswith(SHELL_SUFFIXES):
        return True
    first = text.split("\n", 1)[0]
    return first.startswith("#!") and first.split("/")[-1].split()[-1:] in (["bash"], ["sh"])


@lru_cache(maxsize=64)
def code_of(path: str, text: str) -> str:
    """The file without its comments; remembered, since several checks search the same files."""
    if is_shell(path, text) and len(text) <= MAX_LENGTH:
        return _shell_code(text)
    return "\n".join(_code_line(line) for line in text.split("\n"))


def _code_line(line: str) -> str:
    indent = line[: len(line) - len(line.lstrip())]
    return indent + without_comment(line)


def _shell_code(text: str) -> str:
    lexer = lex(Source(text))
    pieces: list[str] = []
    at = 0
    for start, end in lexer.comments:
        pieces.append(text[at:start])
        at = end
    lines = "".join((*pieces, text[at:])).split("\n")
    for token in lexer.tokens:
        document = token.document if isinstance(token, Operator) else None
        if document is not None:
            first = document.line - 1
            for index in range(first, first + document.text.count("\n")):
                lines[index] = _code_line(lines[index])
    return "\n".join(lines)
