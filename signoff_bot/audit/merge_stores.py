"""Joins the stores of all shares into one new store, as a single audit would have left it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from signoff_bot.audit.report import Report
from signoff_bot.audit.run import KEEP_DAYS
from signoff_bot.audit.scope import Shard
from signoff_bot.audit.store import Store
from signoff_bot.errors import InvalidInput


def merge_stores(into: str, stores: Mapping[int, str], report: Report) -> None:
    """Writes a new store from those of the shares, by their index; `report` is the merged one.

    The row of a pull request comes from the store of its own share.

    Raises:
        InvalidInput: the new store exists already, or one of the stores cannot be used.
    """
    if Path(into).exists():
        raise InvalidInput(f"--store: {into} exists already; merge writes a new one")
    with Store(into) as target:
        target.remember(report.scope, report.trend)
        run = target.begin(report.scope, report.as_of, resume=False)
        for index, path in sorted(stores.items()):
            if not Path(path).exists():
                raise InvalidInput(f"{path}: there is no such store")
            with Store(path) as source:
                target.take_over(run, source, Shard(index, len(stores)).holds)
        target.finish(run, report.counts, keep_days=KEEP_DAYS)
