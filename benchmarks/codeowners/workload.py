"""Makes CODEOWNERS files and paths of a given size, the same ones every time."""

from __future__ import annotations

import random

WORDS = [
    "api",
    "app",
    "auth",
    "billing",
    "cache",
    "catalog",
    "cli",
    "client",
    "common",
    "config",
    "core",
    "crypto",
    "data",
    "deploy",
    "docs",
    "engine",
    "events",
    "export",
    "feature",
    "gateway",
    "graph",
    "helpers",
    "images",
    "import",
    "infra",
    "jobs",
    "kernel",
    "lib",
    "logging",
    "mail",
    "metrics",
    "models",
    "network",
    "orders",
    "parser",
    "payments",
    "pipeline",
    "plugins",
    "queue",
    "render",
    "report",
    "routing",
    "runtime",
    "schema",
    "search",
    "server",
    "session",
    "shared",
    "storage",
    "stream",
    "sync",
    "tests",
    "tools",
    "types",
    "ui",
    "users",
    "utils",
    "vendor",
    "views",
    "web",
    "worker",
]
EXTENSIONS = ("py", "ts", "tsx", "go", "rs", "md", "yaml", "json", "css", "sql", "sh", "proto")
OWNERS = [f"@octo-org/{word}" for word in WORDS] + [f"@{word}-lead" for word in WORDS]


def directories(count: int = 40_000) -> list[str]:
    """The directories of a large repository: a tree that grows at random places."""
    rng = random.Random(7)
    tree = dict.fromkeys(WORDS)
    grown = list(tree)
    while len(grown) < count:
        above = rng.choice(grown)
        below = f"{above}/{_name(rng)}"
        if below not in tree and below.count("/") < 8:
            tree[below] = None
            grown.append(below)
    return grown


def paths(tree: list[str], count: int, homes: int) -> list[str]:
    """Files in some of those directories."""
    rng = random.Random(11)
    chosen = rng.sample(tree, homes)
    return [f"{rng.choice(chosen)}/{_file(rng)}" for _ in range(count)]


def directory_shaped(count: int, tree: list[str]) -> str:
    """A file as large repositories write it: mostly directories, then files, globs and names."""
    rng = random.Random(13)
    lines = ["* @octo-org/everyone", "*.md @octo-org/docs", "**/generated/ @octo-org/tools"]
    makers = (
        (60, lambda: f"/{rng.choice(tree)}/"),
        (10, lambda: f"/{rng.choice(tree)}/{_file(rng)}"),
        (8, lambda: f"/{rng.choice(tree)}/*.{rng.choice(EXTENSIONS)}"),
        (6, lambda: f"/{rng.choice(tree)}/**/{_name(rng)}/"),
        (5, lambda: f"/{rng.choice(tree)}/*"),
        (4, lambda: f"/{rng.choice(WORDS)}/*/{_name(rng)}/"),
        (3, lambda: f"**/{_name(rng)}{rng.randrange(count)}/"),
        (2, lambda: f"{_name(rng)}-{rng.randrange(count)}.{rng.choice(EXTENSIONS)}"),
        (2, lambda: f"*-{rng.randrange(count)}.{rng.choice(EXTENSIONS)}"),
    )
    weights, make = zip(*makers, strict=True)
    while len(lines) < count:
        owners = " ".join(rng.sample(OWNERS, rng.choice((1, 1, 1, 2, 3))))
        lines.append(f"{rng.choices(make, weights)[0]()} {owners}")
    return "\n".join(lines) + "\n"


def name_globs(count: int) -> str:
    """Rules of the shape that defeats most indexes: a wildcard at both ends, at any depth."""
    return "".join(f"**/*name{n}*/ {OWNERS[n % len(OWNERS)]}\n" for n in range(count))


def _name(rng: random.Random) -> str:
    word = rng.choice(WORDS)
    return f"{word}{rng.randrange(40)}" if rng.random() < 0.3 else word


def _file(rng: random.Random) -> str:
    return f"{rng.choice(WORDS)}_{rng.randrange(1000)}.{rng.choice(EXTENSIONS)}"
