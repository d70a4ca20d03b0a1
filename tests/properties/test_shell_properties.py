"""Whatever a script holds, it is read without failing; what is known of it is what bash does."""

import re
import shutil
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from signoff_bot.reading.code_text import code_of
from signoff_bot.reading.shell import known, read_shell
from signoff_bot.reading.shell.lexer import Lexer
from signoff_bot.reading.shell.source import Source

PIECES = st.sampled_from(
    [
        *"'\"`$(){}[]<>|&;!#\\=*?~ \n\t",
        *(
            "$(",
            "${",
            "$((",
            "))",
            "<<EOF\n",
            "\nEOF\n",
            "<<<",
            "[[",
            "]]",
            ";;",
            "&&",
            "||",
            "\\\n",
        ),
        *(
            "if ",
            "then ",
            "else ",
            "elif ",
            "fi ",
            "case ",
            " in ",
            "esac ",
            "for ",
            "while ",
            "do ",
        ),
        *(
            "done ",
            "function f ",
            "f()",
            "x=",
            "x+=(",
            "${x:-",
            "${x[@]}",
            "$x",
            "$'",
            "<(",
            "export ",
        ),
        *("eval ", "bash -c ", "cat ", "run a ", "2>", "local ", "exit ", "\r\n", "\0", "é", "-x"),
    ]
)
SCRIPTS = st.one_of(st.text(max_size=200), st.lists(PIECES, max_size=60).map("".join))


@given(SCRIPTS)
@settings(max_examples=400, deadline=None)
def test_any_text_is_read_and_its_lines_are_those_of_the_text(text: str) -> None:
    script = read_shell(text, {"x": known("1 2")})
    last = text.count("\n") + 1
    assert all(1 <= line <= last for line in script.problems)
    for command in script.commands:
        assert 1 <= command.line <= command.end <= last
        assert all(0 <= line <= last for word in command.texts for line in word.lines)


@given(SCRIPTS)
@settings(max_examples=200, deadline=None)
def test_reading_is_the_same_every_time(text: str) -> None:
    assert read_shell(text) == read_shell(text)


@given(SCRIPTS)
@settings(max_examples=200, deadline=None)
def test_every_character_of_a_script_belongs_to_a_token_or_a_comment(text: str) -> None:
    lexer = Lexer(Source(text))
    lines = [token.line for token in lexer.tokens]
    assert lines == sorted(lines)
    assert all(text[start] == "#" and "\n" not in text[start:end] for start, end in lexer.comments)


@given(SCRIPTS, st.sampled_from(["a.sh", "a.yaml", "a.py"]))
@settings(max_examples=200, deadline=None)
def test_taking_comments_out_keeps_the_lines(text: str, path: str) -> None:
    assert code_of(path, text).count("\n") == text.count("\n")


NAMES = st.sampled_from(["A", "B", "C"])
PLAIN = st.text(st.sampled_from("ab1 -=/.:,}[]\"'\\$#*"), max_size=6)


def _single(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def _double(text: str) -> str:
    return '"' + re.sub(r'(["\\$`])', r"\\\1", text) + '"'


WORDS = st.one_of(
    PLAIN.map(_single),
    PLAIN.map(_double),
    st.text(st.sampled_from("ab1-=/.,"), min_size=1, max_size=5),
    NAMES.map(lambda name: f'"${name}"'),
    NAMES.map(lambda name: f"${{{name}}}"),
    NAMES.map(lambda name: f'"${{{name}[@]}}"'),
    st.tuples(NAMES, PLAIN).map(lambda made: f'"${{{made[0]}:-{_double(made[1])}}}"'),
    st.tuples(NAMES, PLAIN).map(lambda made: f"${{{made[0]}:+{_single(made[1])}}}"),
)
ASSIGNMENTS = st.one_of(
    st.tuples(NAMES, st.sampled_from(["=", "+="]), WORDS).map("".join),
    st.tuples(NAMES, st.sampled_from(["=", "+="]), st.lists(WORDS, max_size=3)).map(
        lambda made: f"{made[0]}{made[1]}({' '.join(made[2])})"
    ),
)
TESTS = st.one_of(
    st.tuples(WORDS, st.sampled_from(["==", "!="]), WORDS).map(
        lambda made: f"[[ {_quoted(made[0])} {made[1]} {_quoted(made[2])} ]]"
    ),
    st.tuples(st.sampled_from(["-n", "-z"]), NAMES).map(lambda made: f'[ {made[0]} "${made[1]}" ]'),
    st.sampled_from(["true", "false", "! true"]),
)


def _quoted(word: str) -> str:
    return word if word.startswith(('"', "'")) and "@" not in word else '"x"'


def _branch(made: tuple[str, str, str]) -> str:
    return f"if {made[0]}; then {made[1]}; else {made[2]}; fi"


STATEMENTS = st.one_of(
    ASSIGNMENTS,
    st.tuples(TESTS, ASSIGNMENTS, ASSIGNMENTS).map(_branch),
    st.tuples(TESTS, st.sampled_from([" && ", " || "]), ASSIGNMENTS).map("".join),
    st.tuples(NAMES, ASSIGNMENTS).map(lambda made: f"case ${made[0]} in a*) {made[1]};; esac"),
    NAMES.map(lambda name: f"unset {name}"),
)


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash to compare with")
@given(st.lists(STATEMENTS, max_size=5), st.lists(WORDS, min_size=1, max_size=4))
@settings(max_examples=150, deadline=None)
def test_words_that_are_known_for_certain_are_those_of_bash(
    statements: list[str], words: list[str]
) -> None:
    # Only what the strategies above are made of is run: assignments, tests and a printf.
    lines = ["A=a B='b  c'", "C=(1 '2 3')", *statements, f"run {' '.join(words)}"]
    script = read_shell("\n".join(lines))
    (command,) = (c for c in script.commands if c.argv and c.argv[0].text == "run")
    certain = all(len(slot) == 1 for slot in command.words)
    if not certain or not all(text.certain for text in command.texts):
        return
    shell = 'set -f\nrun() { for w in "$@"; do printf \'%s\\0\' "$w"; done; }\n'
    ran = subprocess.run(
        ["bash", "--norc", "-c", shell + "\n".join(lines)], capture_output=True, check=True, env={}
    )
    assert [text.text for text in command.argv[1:]] == ran.stdout.decode().split("\0")[:-1]
