"""Names of images and of hardware."""

import pytest

from signoff_bot.reading.images import read_image
from signoff_bot.reading.sku import SkuRules, sku_of

DIGEST = f"sha256:{'0f' * 32}"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("vllm/vllm-openai:v1", ("docker.io", "vllm/vllm-openai", "v1", None)),
        ("vllm/vllm-openai", ("docker.io", "vllm/vllm-openai", None, None)),
        ("ubuntu:24.04", ("docker.io", "library/ubuntu", "24.04", None)),
        ("index.docker.io/vllm/x:1", ("docker.io", "vllm/x", "1", None)),
        (f"a/b@{DIGEST}", ("docker.io", "a/b", None, DIGEST)),
        (f"a/b:1@{DIGEST}", ("docker.io", "a/b", "1", DIGEST)),
        ("nvcr.io#nvidia/trt/release:1", ("nvcr.io", "nvidia/trt/release", "1", None)),
        ("nvcr.io/nvidia/trt/release:1", ("nvcr.io", "nvidia/trt/release", "1", None)),
        ("localhost:5000/a:1", ("localhost:5000", "a", "1", None)),
        ("quay.io/rh-ee-x/llm-d:v0.1", ("quay.io", "rh-ee-x/llm-d", "v0.1", None)),
    ],
)
def test_an_image_is_read_in_its_parts(name: str, expected: tuple[str | None, ...]) -> None:
    image = read_image(name)
    assert image is not None
    assert (image.registry, image.repository, image.tag, image.digest) == expected


@pytest.mark.parametrize(
    "name",
    [
        "",
        "/",
        "a/",
        "/a",
        "A/b:1",
        "a/b:",
        "a/b:é",
        "a/../b",
        "a//b",
        "a/b@sha256:12",
        "a b",
        "\N{CYRILLIC SMALL LETTER A}/b",
    ],
)
def test_what_is_no_image_is_told(name: str) -> None:
    assert read_image(name) is None


@pytest.mark.parametrize(
    ("name", "organisation", "expected"),
    [
        ("vllm/x", "docker.io/vllm", True),
        ("vllm/x", "docker.io/vllm/", True),
        ("vllmx/x", "docker.io/vllm", False),
        ("vllm", "docker.io/vllm", False),
        ("ghcr.io/vllm/x", "docker.io/vllm", False),
        ("nvcr.io/nvidia/trt/x", "nvcr.io/nvidia", True),
    ],
)
def test_whose_an_image_is(name: str, organisation: str, expected: bool) -> None:
    image = read_image(name)
    assert image is not None
    assert image.is_of(organisation) is expected


@pytest.mark.parametrize(
    ("runner", "sku"),
    [
        ("b200", "b200"),
        ("B200 ", "b200"),
        ("b200-multinode", "b200"),
        ("b200-dsv4", "b200"),
        ("cluster:b200-dgxc", "b200"),
        ("cluster:gb300-nv", "gb300"),
        ("mi355x-disagg", "mi355x"),
        ("cluster:mi355x-amds", "mi355x"),
        ("rtx6000pro-lat", "rtx6000pro"),
        ("tpu-v7-gke", "tpu-v7"),
        ("tpu-v7", "tpu-v7"),
        ("tpu-v70-gke", "tpu"),
    ],
)
def test_hardware_is_told_from_a_runner(runner: str, sku: str) -> None:
    assert sku_of(runner, SkuRules(hyphenated=("tpu-v7",))) == sku
