"""Puts tests/ on the import path, and keeps property tests independent of chance and speed."""

import sys
from pathlib import Path

from hypothesis import HealthCheck, settings

sys.path.insert(0, str(Path(__file__).parent))

# The same examples every time, however slow the machine: a red test is a defect, never bad luck.
# To look further, run `pytest --hypothesis-profile=default`.
settings.register_profile(
    "repeatable",
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("repeatable")
