"""Archives that nobody vouches for: read what is asked for, refuse what could harm."""

from __future__ import annotations

import io
import stat
import warnings
import zipfile
from collections.abc import Callable

import pytest

from signoff_bot.evidence.actions import ArtifactFile
from signoff_bot.github import archive
from signoff_bot.github.archive import UnsafeArchive, read_members

Make = Callable[[zipfile.ZipFile], None]


def zipped(make: Make, compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as made, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about names that come twice
        make(made)
    return stream.getvalue()


def holding(**files: str | bytes) -> bytes:
    def fill(made: zipfile.ZipFile) -> None:
        for name, data in files.items():
            # A `ZipInfo` has no clock in it, unlike a plain name.
            made.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)

    return zipped(fill)


@pytest.mark.parametrize(
    "compression",
    [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA],
)
def test_the_files_asked_for_are_read(compression: int) -> None:
    content = zipped(
        lambda made: (
            [made.writestr(name, f"in {name} ä") for name in ("a.json", "b", "d/c")] and None
        ),
        compression,
    )
    assert read_members(content, {"a.json", "d/c", "none"}) == (
        ArtifactFile(name="a.json", text="in a.json ä"),
        ArtifactFile(name="d/c", text="in d/c ä"),
    )


def test_an_empty_archive_holds_nothing() -> None:
    assert read_members(holding(), {"a"}) == ()


def linked(made: zipfile.ZipFile) -> None:
    info = zipfile.ZipInfo("link")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    made.writestr(info, "/etc/passwd")


def named(name: str) -> Make:
    return lambda made: made.writestr(zipfile.ZipInfo(name), "x")


def twice(made: zipfile.ZipFile) -> None:
    made.writestr("a", "harmless")
    made.writestr("a", "harmful")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (named("../a"), "leads out"),
        (named("d/../../a"), "leads out"),
        (named("/a"), "leads out"),
        (named("C:a"), "leads out"),
        (named("d\\..\\a"), "leads out"),
        (linked, "symbolic link"),
        (twice, "same name"),
        (lambda made: made.writestr("zeros", bytes(10_000_000)), "packed more tightly"),
        (lambda made: [made.writestr(str(n), "") for n in range(1001)] and None, "1000 entries"),
    ],
)
def test_a_harmful_archive_is_refused_even_for_its_harmless_files(make: Make, words: str) -> None:
    def with_harmless(made: zipfile.ZipFile) -> None:
        made.writestr("harmless.json", "{}")
        make(made)

    with pytest.raises(UnsafeArchive, match=words):
        read_members(zipped(with_harmless), {"harmless.json"})


def test_an_archive_with_an_encrypted_entry_is_refused() -> None:
    content = bytearray(holding(secret="x", harmless="y"))
    for header, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(header) + offset] |= 1
    with pytest.raises(UnsafeArchive, match="'secret' is encrypted"):
        read_members(bytes(content), {"harmless"})


def test_a_hidden_end_of_a_name_is_seen() -> None:
    content = holding(**{"a.json!": "x"}).replace(b"a.json!", b"a.json\x00")
    with pytest.raises(UnsafeArchive, match="leads out"):
        read_members(content, {"a.json"})


def test_sizes_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    content = holding(a="x" * 60, b="y" * 60)
    monkeypatch.setattr(archive, "MOST_TEXT", 59)
    with pytest.raises(UnsafeArchive, match="over 59 bytes"):
        read_members(content, {"a"})
    monkeypatch.setattr(archive, "MOST_UNPACKED", 119)
    with pytest.raises(UnsafeArchive, match="unpacks to over 119 bytes"):
        read_members(content, {"none"})


def test_text_that_is_not_utf8_is_refused() -> None:
    with pytest.raises(UnsafeArchive, match="not UTF-8"):
        read_members(holding(a=b"\xff"), {"a"})


SOUND = holding(**{"a.json": "[1, 2, 3]" * 100})


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"<html>",
        b"PK",
        b"PK\x05\x06" + b"\xff" * 18,
        SOUND[: len(SOUND) // 2],
        SOUND[:-1],
        SOUND.replace(b"a.json", b"b.json", 1),
    ],
)
def test_a_broken_archive_is_refused(content: bytes) -> None:
    with pytest.raises(UnsafeArchive):
        read_members(content, {"a.json"})


@pytest.mark.parametrize("position", range(0, len(SOUND), 7))
def test_a_flipped_bit_never_changes_a_text(position: int) -> None:
    content = bytearray(SOUND)
    content[position] ^= 0x10
    try:
        found = read_members(bytes(content), {"a.json"})
    except UnsafeArchive:
        return
    assert found in ((), read_members(SOUND, {"a.json"}))
