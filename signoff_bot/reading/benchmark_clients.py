"""Tells whether the benchmark clients that a script runs talk to a model through its chat template.

Clients differ: one always chats, one chats when told so, one sends raw completions unless told
otherwise. A signal is an argument such as `--use-chat-template`, or one with its value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from signoff_bot.reading.settings import Settings
from signoff_bot.reading.shell import Command, ShellScript
from signoff_bot.reading.shell.nested import program

Talk = Literal["chat", "raw", "unknown"]


class Client(Settings):
    """A benchmark client and how it talks."""

    command: str = Field(
        min_length=1,
        description="The words that run it, such as `vllm bench serve` or `-m sglang.bench_serving`"
        ".",
    )
    chat: tuple[str, ...] = Field(
        default=(), description="Arguments by which it chats, such as `--backend openai-chat`."
    )
    raw: tuple[str, ...] = Field(
        default=(), description="Arguments by which it sends raw completions, unless it chats."
    )
    default: Talk = Field(
        default="unknown", description="What it does without any of these: chat, raw or unknown."
    )


@dataclass(frozen=True, slots=True)
class ClientRun:
    """A client that a script may run."""

    command: str
    line: int
    talk: Talk


def client_runs(script: ShellScript, clients: Sequence[Client]) -> Iterator[ClientRun]:
    """The runs of these clients in a script."""
    for command in script.commands:
        texts = [text.text for text in command.argv]
        for client in clients:
            if starts(texts, client.command) is not None:
                yield ClientRun(client.command, command.line, _talk(command, client))
                break


def starts(texts: Sequence[str], spelling: str) -> int | None:
    """Where in a command's words a program is named by these words; None where it is not."""
    wanted = spelling.split()
    for at in range(len(texts) - len(wanted) + 1):
        first, *rest = texts[at : at + len(wanted)]
        if rest == wanted[1:] and wanted[0] in first and wanted[0] in (first, program(first)):
            return at
    return None


def _talk(command: Command, client: Client) -> Talk:
    chats = [_signalled(command, signal) for signal in client.chat]
    if True in chats:
        return "chat"
    if None in chats:
        return "unknown"
    raws = [_signalled(command, signal) for signal in client.raw]
    if True in raws:
        return "raw"
    return "unknown" if None in raws else client.default


def _signalled(command: Command, signal: str) -> bool | None:
    """Whether a command carries an argument; None where that depends on what is left open."""
    surely = [text.text for slot in command.words if len(slot) == 1 for text in slot[0]]
    if _holds(surely, signal):
        return True
    maybe = (fields for slot in command.words if len(slot) > 1 for fields in slot)
    if any(_holds([text.text for text in fields], signal) for fields in maybe):
        return None
    flag = signal.split()[0]
    open_ended = any(
        not text.known and not text.text.startswith("-") and _may_be_flags(surely, text.text, flag)
        for text in command.texts
    )
    return None if open_ended else False


def _holds(texts: Sequence[str], signal: str) -> bool:
    words = signal.split()
    return starts(texts, signal) is not None or "=".join(words) in texts


def _may_be_flags(texts: Sequence[str], text: str, flag: str) -> bool:
    """Whether an unknown word may stand for arguments, or is the value of the flag in question."""
    if text not in texts:
        return True
    before = texts[texts.index(text) - 1] if texts.index(text) else ""
    return before == flag or not before.startswith("-")
