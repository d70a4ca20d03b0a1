"""Cases of changed launch scripts beside the recipes that their sign-off links."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from support.build import changed
from support.scripts import diff_of, linked, script_case

from signoff_bot.checks.base import Case
from signoff_bot.evidence.upstream import UpstreamPull, UpstreamState

FOLDER = "benchmarks/single_node/fixed_seq_len/"
SCRIPT = f"{FOLDER}dsv4_fp4_b200_sglang.sh"
CONFIG = "configs/nvidia-master.yaml"
PULL = "https://github.com/sgl-project/sglang/pull/577"
PAGE = "https://recipes.vllm.ai/MiniMaxAI/MiniMax-M3"
SERVER = "python3 -m sglang.launch_server --model-path m/DeepSeek-V4-Pro"
LAUNCH = f"#!/bin/bash\n{SERVER} --tp 8 --attention-backend trtllm_mla --port 80\n"
RECIPE = "DeepSeek-V4-Pro --tp 8 --attention-backend trtllm_mla\n"


def upstream(recipe: Any, *, path: str = "docs/cookbook/v4.md", number: int = 577) -> UpstreamPull:
    before, after = recipe if isinstance(recipe, tuple) else (None, recipe)
    status = "added" if before is None else "modified"
    file = changed(path, status=status, patch=diff_of(before, after))
    state = UpstreamState(
        base_repo="sgl-project/sglang",
        state="closed",
        draft=False,
        merged_at="2026-06-20T00:00:00Z",
        title="Add a recipe",
        files=(file,),
    )
    return UpstreamPull(repo="sgl-project/sglang", number=number, found=state)


def recipe_case(
    texts: Mapping[str, Any],
    *recipes: Any,
    urls: Sequence[str] = (PULL,),
    **others: Any,
) -> Case:
    """Changed files, and the recipes that the sign-off links."""
    made = linked(script_case(texts, **others), *urls)
    pulls = tuple(r if isinstance(r, UpstreamPull) else upstream(r) for r in recipes)
    return replace(made, evidence=made.evidence.model_copy(update={"upstream": pulls}))
