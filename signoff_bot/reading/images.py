"""Reads the names of container images, and tells whose they are.

The grammar is that of the distribution project: `[REGISTRY/]REPOSITORY[:TAG][@DIGEST]`. Some tools
write `#` for the slash after the registry. Without a registry an image is Docker Hub's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

DOCKER_HUB = "docker.io"
_HUB_NAMES = ("docker.io", "index.docker.io", "registry-1.docker.io", "registry.hub.docker.com")
_COMPONENT = r"[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*"
_REPOSITORY = re.compile(rf"{_COMPONENT}(?:/{_COMPONENT})*")
_TAG = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}")
_DIGEST = re.compile(r"[a-z0-9]+(?:[+._-][a-z0-9]+)*:[0-9a-fA-F]{32,}")
_REGISTRY = re.compile(r"[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::[0-9]{1,5})?")


@dataclass(frozen=True, slots=True)
class Image:
    """An image's name in its parts; `repository` is its path within the registry."""

    registry: str
    repository: str
    tag: str | None
    digest: str | None

    @property
    def full_repository(self) -> str:
        """Registry and repository, such as `docker.io/vllm/vllm-openai`."""
        return f"{self.registry}/{self.repository}"

    def is_of(self, organisation: str) -> bool:
        """Whether it belongs to an organisation, given as `REGISTRY/ORGANISATION`."""
        return self.full_repository.startswith(organisation.rstrip("/") + "/")


def read_image(name: str) -> Image | None:
    """The image that a name stands for, or None when it is no image's name."""
    rest, _, digest = name.replace("#", "/").partition("@")
    if digest and not _DIGEST.fullmatch(digest):
        return None
    head, slash, path = rest.rpartition("/")
    path, colon, tag = path.partition(":")
    if colon and not _TAG.fullmatch(tag):
        return None
    registry, repository = _registry(f"{head}{slash}{path}")
    if not _REGISTRY.fullmatch(registry) or not _REPOSITORY.fullmatch(repository):
        return None
    return Image(registry, repository, tag or None, digest or None)


def _registry(path: str) -> tuple[str, str]:
    first, slash, rest = path.partition("/")
    if not slash or not ("." in first or ":" in first or first == "localhost"):
        return DOCKER_HUB, path if slash else f"library/{path}"
    return (DOCKER_HUB if first in _HUB_NAMES else first), rest
