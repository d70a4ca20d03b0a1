"""Loads rule packs: shipped ones by name, a file, a repository's own text, a bundle's data."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

from signoff_bot.errors import InvalidInput
from signoff_bot.packs.build import build, rules_of
from signoff_bot.packs.layers import Layers
from signoff_bot.packs.mistakes import choice, shown
from signoff_bot.packs.model import Rules
from signoff_bot.packs.shipped import shipped_folder, shipped_names
from signoff_bot.reading.strict_yaml import MAX_BYTES, Document, Mistake, read_yaml, refuse

REPOSITORY_PACK = ".github/signoff.yml"
"""A repository's own pack; it is read at the base branch, where no other file is at hand."""


def load(name_or_path: str) -> Rules:
    """A shipped pack by name, or a pack file: whatever holds a `/` or ends in `.yaml` or `.yml`.

    Raises:
        InvalidInput: there is no such pack, or it is invalid.
    """
    return load_file(pack_file(name_or_path))


def load_named(name: str) -> Rules:
    """A pack that comes with the tool.

    Raises:
        InvalidInput: no pack is called that.
    """
    return load_file(_shipped_file(name))


def pack_file(name_or_path: str) -> Path:
    """The file of a pack that `load` would load.

    Raises:
        InvalidInput: no shipped pack is called that.
    """
    return Path(name_or_path) if _is_path(name_or_path) else _shipped_file(name_or_path)


def _is_path(name_or_path: str) -> bool:
    return "/" in name_or_path or "\\" in name_or_path or name_or_path.endswith((".yaml", ".yml"))


def _shipped_file(name: str) -> Path:
    if name not in shipped_names():
        file = f"; the file of that name is ./{name}" if Path(name).is_file() else ""
        raise InvalidInput(f"there is no rule pack {name!r}{choice(name, shipped_names())}{file}")
    return shipped_folder() / f"{name}.yaml"


def load_file(path: str | Path) -> Rules:
    """A pack file; it may extend a shipped pack, or a file named by a path relative to its own.

    A file called `.github/signoff.yml` is read as it would be at the base (see `load_text`).

    Raises:
        InvalidInput: it cannot be read, or is invalid; all mistakes are listed.
    """
    path = Path(path)
    is_repository_pack = path.absolute().as_posix().endswith(f"/{REPOSITORY_PACK}")
    return _resolve(read_yaml_file(path), None if is_repository_pack else path)


def load_text(text: str, source: str) -> Rules:
    """A pack from a repository, `source` naming it in messages; it may extend shipped packs only.

    Raises:
        InvalidInput: it is invalid; all mistakes are listed.
    """
    return _resolve(read_yaml(text, source), None)


def from_data(data: Mapping[str, Any], source: str) -> Rules:
    """A pack that an evidence bundle holds: complete, extending nothing. Its digest is kept.

    Raises:
        InvalidInput: it is invalid; all mistakes are listed.
    """
    pack, wrongs = build(data)
    if pack is None:
        refuse(source, [Mistake(source, 1, ("rules", *path), what) for path, what in wrongs])
    return rules_of(pack, data)


def read_yaml_file(path: Path) -> Document:
    """A YAML file, named in messages by its path, or as `rules/...` when it is a shipped one.

    Raises:
        InvalidInput: it cannot be read, or is not strict YAML.
    """
    folder = shipped_folder()
    source = str(Path("rules", path.relative_to(folder)) if path.is_relative_to(folder) else path)
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise InvalidInput(f"cannot read {source}: {error.strerror}") from None
    return read_yaml(content, source)


def _resolve(document: Document, path: Path | None) -> Rules:
    layers = Layers(_chain(document, path))
    pack, wrongs = build(layers.merged())
    mistakes = layers.unremovable() + [layers.mistake(wrong) for wrong in wrongs]
    if pack is None or mistakes:
        refuse(document.source, layers.in_order(mistakes))
    return rules_of(pack)


def _chain(document: Document, path: Path | None) -> list[Document]:
    """A pack's files: its own, the one that extends, the one that this extends, and so on."""
    documents = [document]
    seen = {path.resolve()} if path else set()
    while (name := _extends(document)) is not None:
        path = _base_file(document, name, path)
        if not path.is_file():
            _refuse_extends(
                document, f"there is no file {path}; a path is meant from the folder of this pack"
            )
        if path.resolve() in seen:
            _refuse_extends(document, f"{name!r} extends this pack in turn; break the circle")
        seen.add(path.resolve())
        document = read_yaml_file(path)
        documents.append(document)
    return documents


def _extends(document: Document) -> str | None:
    if not isinstance(document.data, dict):
        kind = "empty" if document.data is None else shown(document.data)
        what = f"a rule pack is a mapping; this is {kind}"
        refuse(document.source, [Mistake(document.source, document.line_of(()), (), what)])
    name = document.data.get("extends")
    if name is not None and not isinstance(name, str):
        _refuse_extends(document, f"must be the name or the path of a pack, not {shown(name)}")
    return name


def _base_file(document: Document, name: str, path: Path | None) -> Path:
    if not _is_path(name):
        if name not in shipped_names():
            _refuse_extends(document, f"unknown pack {name!r}{choice(name, shipped_names())}")
        return shipped_folder() / f"{name}.yaml"
    if path is None:
        what = (
            f"a repository's own pack can extend shipped packs only{choice(name, shipped_names())}"
        )
        _refuse_extends(document, what)
    return path.parent / name


def _refuse_extends(document: Document, what: str) -> NoReturn:
    line = document.line_of(("extends",))
    refuse(document.source, [Mistake(document.source, line, ("extends",), what)])
