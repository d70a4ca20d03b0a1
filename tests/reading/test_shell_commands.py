"""Which commands a shell script may run, and with which words."""

import pytest

from signoff_bot.reading.shell import ShellScript, known, read_shell
from signoff_bot.reading.shell.lexer import MAX_LENGTH


def shown(script: ShellScript, name: str = "run") -> list[list[str]]:
    """The words of each command of this name: `?` before what is open, `|` between alternatives."""
    return [
        [_slot(slot) for slot in command.words[1:]]
        for command in script.commands
        if command.argv and command.argv[0].text == name
    ]


def _slot(slot):
    return "|".join(
        " ".join(("" if text.known else "?") + text.text for text in fields) for fields in slot
    )


def words(text: str, **variables: str) -> list[list[str]]:
    return shown(read_shell(text, {name: known(value) for name, value in variables.items()}))


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("run a 'b c' \"d e\" f\\ g", ["a", "b c", "d e", "f g"]),
        ("run a \\\n  b\\\n c", ["a", "b", "c"]),
        ("run a # b", ["a"]),
        ("run a#b '#c' \"#d\"", ["a#b", "#c", "#d"]),
        ('run "a \\"b\\" \\$c \\d"', ['a "b" $c \\d']),
        ("run 'it''s' \"it's\"", ["its", "it's"]),
        ("run $'a\\tb\\'c'", ["a\tb'c"]),
        ("run '' \"\"", ["", ""]),
        ('X="a b"; run $X "$X" $X-c', ["a b", "a b", "a b-c"]),
        ("X=; run a$X $X b", ["a", "", "b"]),
        ('A=(1 \'2 3\'); run "${A[@]}" "${A[*]}" ${A[1]} $A', ["1", "2 3", "1 2 3", "2 3", "1"]),
        ('A=(); run "${A[@]}" x', ["x"]),
        ('A=(1)\nA+=(2\n# it\'s a comment\n 3)\nrun "${A[@]}"', ["1", "2", "3"]),
        ("A=1; A+=2; run $A", ["12"]),
        ('run ${X:-d} ${X-d} "${X:-a b}" ${X:-"a b"}', ["d", "d", "a b", "a b"]),
        ('X=; run "${X:-d}" "${X-d}"', ["d", ""]),
        ("X=1; run ${X:+set} ${X:-d}", ["set", "1"]),
        (': "${X:=d}"; run $X', ["d"]),
        ("run ${Y:-${X:-d}}", ["d"]),
        ("export A=1 B=2; declare C=3; readonly D=4; run $A $B $C $D", ["1", "2", "3", "4"]),
        ('declare -a A=(1 2); local B=(3); run "${A[@]}" "${B[@]}"', ["1", "2", "3"]),
        ('X=a; unset X; run "$X" ${X-d} "${X[@]}" ${X+set}', ["", "d", ""]),
        ('A=(1 2); X=("${A[@]}"); Y="${A[@]}"; run "$X" "$Y"', ["1", "1 2"]),
        ('A=(); X=(1 2); X=$A; run "${X[@]}"', ["", "2"]),
        ("A=(); run ${A-d} ${A:-d} ${A+set}", ["d", "d", ""]),
        ('A=(1 2 3); A=x; A+=y; run "${A[@]}"', ["xy", "2", "3"]),
        ('Y="1 2"; A=($Y 3); A=x; run "${A[@]}"', ["x", "2", "3"]),
        ("run ${X:-'a  b'} ${X:-a  b}", ["a  b", "a b"]),
        ("X=1 run $X", ["?$X"]),
        ("run a > out 2>&1 < in >> more", ["a"]),
        ("run a 2>/dev/null &", ["a"]),
        ("! time run a", ["a"]),
        ("run *.py ~/x {} '{a,b}' {a}", ["*.py", "~/x", "{}", "{a,b}", "{a}"]),
        ("run {a,b} x{1..3}", ["?{a,b}", "?x{1..3}"]),
    ],
)
def test_words_are_what_the_shell_makes_of_them(script: str, expected: list[str]) -> None:
    assert words(script) == [expected]


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("run $X", "?$X"),
        ("run a-$X", "?a-$X"),
        ("run $(date)", "?$(date)"),
        ("run `date`", "?`date`"),
        ("run $((1 << 2))", "?$((1 << 2))"),
        ('X=$(a); run "b$X"', "?b$(a)"),
        ("run ${X%.py}", "?${X%.py}"),
        ("run ${X//a/b}", "?${X//a/b}"),
        ("run ${!X}", "?${!X}"),
        ("run ${#X[@]}", "?${#X[@]}"),
        ("A=(1); A[0]=2; run ${A[0]}", "?$A"),
        ("A=(1); run ${A[9]}", ""),
        ("read X; run $X", "?$X"),
        ("read -r X < f; run $X", "?$X"),
        ("run $1", "?$1"),
        ('run "$@"', "?$@"),
        ("run <(a)", "?<(a)"),
    ],
)
def test_what_only_a_run_would_tell_is_left_open(script: str, expected: str) -> None:
    assert words(script) == [[expected]]


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ('if [ "$X" = 1 ]; then V=a; else V=b; fi; run $V', "a|b"),
        ('V=a; if [ "$X" = 1 ]; then V=b; fi; run $V', "b|a"),
        ("if foo; then V=a; elif bar; then V=b; else V=c; fi; run $V", "a|b|c"),
        ("if foo; then V=a; fi; run $V", "a|?$V"),
        ("V=a; foo && V=b; run $V", "b|a"),
        ("V=a; foo || V=b; run $V", "b|a"),
        ('case "$X" in a) V=1;; b|c) V=2;; *) V=3;; esac; run $V', "1|2|3"),
        ('V=0; case "$X" in a) V=1;; esac; run $V', "1|0"),
        ("V=0; while foo; do V=1; done; run $V", "1|0"),
        ("for x in a b; do run $x; done", "a|b"),
        ("for x in a $(b); do run $x; done", "a|?$(b)"),
        ("V=0; (V=1); run $V", "0"),
        ("V=0; { V=1; }; run $V", "1"),
        ("V=0; echo | V=1; run $V", "0"),
        ("if foo; then V=a; else exit 1; fi; run $V", "a"),
        ("if foo; then V=a; else V=b; return; fi; run $V", "a"),
        ("V=0; foo || { V=1; exit; }; run $V", "0"),
        ('A=(1); if foo; then A+=(2 3); fi; run "${A[@]}"', None),
    ],
)
def test_both_ways_of_a_branch_are_followed(script: str, expected: str | None) -> None:
    assert words(script) == [["1", "2 3|"] if expected is None else [expected]]


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ('[ "$X" = 8 ]', True),
        ('[ "$X" = 4 ]', False),
        ('[ "$X" != 4 ]', True),
        ("[[ $X == 8 ]]", True),
        ("[[ $X == [0-9] ]]", True),
        ("[[ $X == 9* ]]", False),
        ("[[ abc != a* ]]", False),
        ("[[ abc == 'a*' ]]", False),
        ("[[ 'a*' == \"a*\" ]]", True),
        ('[[ a == "||" ]]', False),
        ("[ ! ! $X = 8 ]", True),
        ('[ "$X" -eq 8 ]', True),
        ('[ "$X" -ne 8 ]', False),
        ('[ "$X" -gt 7 ]', True),
        ('[ "$X" -ge 9 ]', False),
        ('[ "$X" -lt 9 ]', True),
        ('[ "$X" -le 7 ]', False),
        ("test $X -eq 8", True),
        ('[ -n "$X" ]', True),
        ('[ -z "$X" ]', False),
        ("[ $X ]", True),
        ("! [ $X = 8 ]", False),
        ("[ ! $X = 8 ]", False),
        ("[ $X = 8 ] && [ $X = 9 ]", False),
        ("[ $X = 9 ] || [ $X = 8 ]", True),
        ("[[ $X == 8 && $X == 9 ]]", False),
        ("[[ $X == 9 || $X == 8 ]]", True),
        ("[ $X = 8 -a $X = 9 ]", False),
        ("[ $X = 9 -o $X = 8 ]", True),
        ("[ $X = 9 ] && [ $Y = 1 ]", False),
        ("[ $X = 8 ] || [ $Y = 1 ]", True),
        ("true", True),
        ("false", False),
        (":", True),
    ],
)
def test_a_condition_that_the_script_decides_leaves_one_way(condition: str, holds: bool) -> None:
    script = f"if {condition}; then run yes; else run no; fi"
    assert words(script, X="8") == [["yes" if holds else "no"]]


@pytest.mark.parametrize(
    "condition",
    [
        "[ $Y = 1 ]",
        '[ -n "${Y:-}" ]',
        '[ "${Y:-0}" = 1 ]',
        '[ "${Y-0}" -gt 1 ]',
        "[ -f /x ]",
        "[[ $X =~ ^[0-9]+$ ]]",
        "[ a -eq 1 ]",
        "[ a = b c ]",
        "[ $X = 8 ] && [ $Y = 1 ]",
        "[[ $X == 8 && ( $Y == 1 ) ]]",
        "(( X > 1 ))",
        "grep -q x y",
        "[[ aaaa == *a*a*a*a* ]]",
        "[[ a == [^b] ]]",
        "[[ a == a'*' ]]",
        f"[[ a == {'?' * 101} ]]",
        "! grep x",
        "echo | grep x",
    ],
)
def test_an_open_condition_leaves_both_ways(condition: str) -> None:
    script = read_shell(f"if {condition}; then run yes; else run no; fi", {"X": known("8")})
    assert shown(script) == [["yes"], ["no"]]
    assert all(command.maybe for command in script.commands if command.argv[0].text == "run")


def test_a_default_decides_no_branch_since_anybody_may_set_the_variable() -> None:
    script = "MODE=${MODE:-off}; run $MODE; if [ $MODE = on ]; then run patched; fi"
    assert words(script) == [["off"], ["patched"]]


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("case a in a) run 1;; *) run 2;; esac", [["1"]]),
        ("case b in a) run 1;; b|c) run 2;; esac", [["2"]]),
        ("case abc in a*) run 1;; esac", [["1"]]),
        ("case x in (x) run 1;; esac", [["1"]]),
        ("case x in a) run 1;; esac", []),
        ("case x in $Y) run 1;; x) run 2;; y) run 3;; esac", [["1"], ["2"]]),
    ],
)
def test_a_known_word_chooses_its_case(script: str, expected: list[list[str]]) -> None:
    assert words(script) == expected


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ('f() { run "$1" $# ; }; f a', [["a", "?$#"]]),
        ("function f { run $2; }; f a b; f c d", [["b"], ["d"]]),
        ("f() { run \"$@\"; }; f a 'b c'", [["a", "b c"]]),
        ("f() { run $1; }", [["?$1"]]),
        ("f() { local V=1; run $V; }; V=0; f; run $V", [["1"], ["0"]]),
        ("f() { V=1; }; V=0; f; run $V", [["1"]]),
        ("f() { run a; f; }; f", [["a"]] * 8),
        ("f()\n{\nrun a\n}\nf", [["a"]]),
    ],
)
def test_functions_are_followed_where_they_are_called(script: str, expected: list[str]) -> None:
    assert words(script) == expected


@pytest.mark.parametrize(
    "script",
    [
        "eval 'run a'",
        "CMD='run a'; eval \"$CMD\"",
        "eval run a",
        "CMD='run a'; $CMD",
        "bash -c 'run a'",
        "bash -lc 'run a'",
        "bash -x -c 'run a'",
        'srun -N1 /bin/bash -c "run a"',
        "bash <<EOF\nrun a\nEOF",
        "bash -s <<-'EOF'\n\trun a\n\tEOF",
        "cat > x.sh <<EOF\nrun a\nEOF",
        "X=$(run a)",
        "X=`run a`",
        'echo "$(run a)"',
        "echo ${X:-$(run a)}",
        "A=(1 $(run a))",
        "cat <(run a)",
        "foo > $(run a)",
        "while x; do y; done < <(run a)",
        "trap f EXIT; f() { run a; }",
        "(run a)",
        "foo | run a",
        "if run a; then x; fi",
        "until run a; do x; done",
        "for ((i=0; i<2; i++)); do run a; done",
        "select x in a b; do run a; done",
        "X=$(cat <<'E'\nit's\nE\n)\nrun a",
        "X=$(# it's\n true)\nrun a",
        "X=$(case x in x) echo;; esac)\nrun a",
        "f() (run a); f",
    ],
)
def test_commands_are_found_wherever_they_hide(script: str) -> None:
    found = [[text.text for text in command.argv] for command in read_shell(script).commands]
    assert ["run", "a"] in found


@pytest.mark.parametrize(
    "script",
    [
        "# run a",
        "echo 'run a'",
        "cat <<EOF\nrun a\nEOF",
        "cat <<'EOF' > x.txt\nrun a\nEOF",
        "X='run a'",
        "if false; then run a; fi",
    ],
)
def test_text_that_is_not_run_is_no_command(script: str) -> None:
    assert words(script) == []


def test_commands_know_their_lines_and_where_they_write() -> None:
    script = read_shell(
        "#!/bin/sh\ncd /x\nrun a \\\n  b \\\n  'c\nd' > $OUT/log 2>/dev/null\nrun e\n"
    )
    first, second = (c for c in script.commands if c.argv[0].text == "run")
    assert (first.line, first.end, list(first.lines)) == (3, 6, [3, 4, 5, 6])
    assert [text.text for text in first.outputs] == ["$OUT/log", "/dev/null"]
    assert first.directory is not None
    assert first.directory.text == "/x"
    assert second.line == 7
    assert not second.maybe


def test_words_know_the_lines_that_they_come_from() -> None:
    script = read_shell('A=x\nB=y\nif c; then B=z; fi\nrun "$A-$B"\n')
    (command,) = (c for c in script.commands if c.argv[0].text == "run")
    assert [sorted(text.lines) for text in command.texts] == [[4], [1, 3, 4], [1, 2, 4]]


def test_a_script_within_a_script_keeps_the_lines_of_the_file() -> None:
    script = read_shell('x\nbash -c "a\nb \\\n c\nrun d"\ncat > y.sh <<EOF\n\nrun e\nEOF\n')
    assert [c.line for c in script.commands if c.argv[0].text == "run"] == [5, 8]


def test_here_documents_are_handed_over_with_their_lines() -> None:
    script = read_shell("python3 - <<'EOF' && b\nimport x\n\nEOF\ncat <<A <<B\n1\nA\n2\nB\n")
    documents = [(d.text, d.line) for c in script.commands for d in c.documents]
    assert documents == [("import x\n\n", 2), ("1\n", 6), ("2\n", 8)]


def test_variables_that_are_set_are_listed_with_what_they_may_be() -> None:
    script = read_shell("X=1\nexport Y=$X:$Z\nif a; then X=(2 3); fi\nW=4 cmd\n")
    assert [(a.name, [t.text for t in a.texts], a.line, a.maybe) for a in script.assigned] == [
        ("X", ["1"], 1, False),
        ("Y", ["1:$Z"], 2, False),
        ("X", ["2", "3"], 3, True),
        ("W", ["4"], 4, False),
    ]


@pytest.mark.parametrize(
    ("script", "lines"),
    [
        ("a\nb 'c\nd\n", [2]),
        ('a "b\n', [1]),
        ("a $(b\nc", [1]),
        ("a ${b\nc", [1]),
        ("if a\nthen b\n", [2]),
        ("a\n}\nb", [2]),
        ("fi\na", [1]),
        ("a )\nb", [1]),
        ("cat <<EOF\nx\n", [2]),
        ("for x in a\nb\ndone", [2]),
        ("case x in\na) b", [2]),
        ("a; ;; b", [1]),
    ],
)
def test_what_makes_no_sense_is_reported_by_its_line(script: str, lines: list[int]) -> None:
    assert list(read_shell(script).problems) == lines


def test_a_script_that_is_whole_has_no_problems() -> None:
    script = """\
#!/usr/bin/env bash
set -euo pipefail
f() { local a="$1"; case "$a" in x) return 1 ;; *) ;; esac; }
while [[ $# -gt 0 ]]; do
    case $1 in
        --output)   output="$2"; shift 2 ;;
        *)          shift ;;
    esac
done
if ! command -v x &>/dev/null && (( RANDOM > 3 )); then exec 9>"$LOCK"; flock -w 600 9 || exit; fi
[[ "$x" =~ ^(a|b)+$ ]] && y=$(( 1 + (2 * 3) )) || true
find . \\( -name a -o -name b \\) -exec rm {} +
while read -r -d '' c; do echo "$c"; done < <(find "${roots[@]}" -print0 2>/dev/null)
VAR=$(foo "a b" | awk '{print $1; exit}' | sed 's/[\\/:@#]/_/g')-${USER: -1}
PYTHONUNBUFFERED=1 x -w "$i" 2>/dev/null | awk '/^t,/{if(!h){print;h=1};next} h{print}' > "$o" &
{ echo a; echo b; } | tee log
: "${A:=b}" `# a comment`
"""
    assert read_shell(script).problems == ()


def test_a_script_that_is_too_long_is_not_read() -> None:
    script = read_shell("run a\n" * (MAX_LENGTH // 6 + 1))
    assert script.commands == ()
    assert script.cut_off == "over 262,144 characters, more than any launch script has"


@pytest.mark.parametrize(
    "script",
    [
        "X=aaaaaaaa\n" + 'X="$X$X"; run $X\n' * 2000,
        "".join(f"f{i}() {{ {f'f{i + 1}; ' * 40} }}\n" for i in range(5)) + "f0\n",
        "A=()\n" + "A+=(--x $Y)\n" * 15000,
        "X='" + "a b " * 4000 + "'\n" + "run $X\n" * 2000,
    ],
    ids=["doubling", "calls", "array", "splitting"],
)
def test_a_script_that_makes_ever_more_of_itself_is_given_up(script: str) -> None:
    found = read_shell(script)
    assert found.cut_off == "it makes more of itself than any launch script does"


def test_too_many_alternatives_are_left_open() -> None:
    ifs = "".join(f"if a{i}; then V={i}; fi\n" for i in range(20))
    ((found,),) = words(f"{ifs}run $V")
    assert "?$V" in found.split("|")
    arms = "".join(f"{i}) V={i};; " for i in range(10))
    assert words(f"case $X in {arms} *) V=z;; esac; run $V") == [["0|1|2|3|4|5|6|7|8|9|z"]]


def test_arrays_of_many_optional_parts_stay_known() -> None:
    parts = "".join(f"P{i}=(); if a{i}; then P{i}=(--p{i} {i}); fi\n" for i in range(12))
    uses = " ".join(f'"${{P{i}[@]}}"' for i in range(12))
    (found,) = words(f'{parts}CMD=(x {uses})\nrun "${{CMD[@]}}"')
    assert found == ["x", *(f"--p{i} {i}|" for i in range(12))]


def test_what_lies_too_deep_is_followed_on_its_own_or_reported() -> None:
    chain = "\n".join(f"f{i}() {{ f{i + 1}; }}" for i in range(20))
    assert ["a"] in words(f"{chain}\nf20() {{ run a; }}\nf0\n")
    script = read_shell("x\n" + "echo $(" * 12 + "run a" + ")" * 12)
    assert script.problems == (2,)
