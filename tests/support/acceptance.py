"""A launch script and a configuration entry that simulate acceptance."""

from __future__ import annotations

from support.standard import entry

SCRIPT = "benchmarks/single_node/agentic/dsv4_fp4_b300_vllm_mtp.sh"
CONFIG = "configs/nvidia-master.yaml"
VLLM = """\
#!/usr/bin/env bash
source "$(dirname "$0")/../../benchmark_lib.sh"
# synthetic_acceptance_length: 9.99 in a comment says nothing
NUM_SPEC_TOKENS=3
SYNTHETIC_ACCEPT_LEN=2.49
if [ "${EVAL_ONLY}" = "true" ]; then
    SPEC_CONFIG="{\\"method\\": \\"mtp\\", \\"num_speculative_tokens\\": $NUM_SPEC_TOKENS}"
else
    SPEC_CONFIG="{\\"method\\": \\"mtp\\", \\"num_speculative_tokens\\": $NUM_SPEC_TOKENS, \
\\"rejection_sample_method\\": \\"synthetic\\", \
\\"synthetic_acceptance_length\\": $SYNTHETIC_ACCEPT_LEN}"
fi
vllm serve "$MODEL" --speculative-config "$SPEC_CONFIG"
"""


def changed(path: str, text: str) -> dict[str, tuple[str | None, str | None]]:
    return {path: (None, text)}


def multinode(prefix: str, *settings: str, scenario: str = "agentic-coding") -> str:
    listed = ", ".join(f'"{setting}"' for setting in settings)
    worker = f"{{ num-worker: 1, tp: 8, ep: 8, dp-attn: true, additional-settings: [{listed}] }}"
    return entry(
        f"{prefix}-fp4-gb200-dynamo-vllm-agentic",
        prefix=prefix,
        framework="dynamo-vllm",
        scenario=scenario,
        space=(
            "spec-decoding: mtp\n        conc-list: [1, 2]\n"
            f"        prefill: {worker}\n"
            "        decode: { num-worker: 0, tp: 8, ep: 8, dp-attn: true }",
        ),
    )
