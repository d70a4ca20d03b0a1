"""CODEOWNERS as GitHub reads it: which line owns a path, and what is wrong with the others."""

from signoff_bot.reading.codeowners.file import Codeowners, parse_codeowners
from signoff_bot.reading.codeowners.parser import Line, SkippedLine
from signoff_bot.reading.codeowners.problems import LineProblem
from signoff_bot.reading.codeowners.text import (
    LOCATIONS,
    CodeownersFile,
    UnusableCodeowners,
    decode_codeowners,
)

__all__ = [
    "LOCATIONS",
    "Codeowners",
    "CodeownersFile",
    "Line",
    "LineProblem",
    "SkippedLine",
    "UnusableCodeowners",
    "decode_codeowners",
    "parse_codeowners",
]
