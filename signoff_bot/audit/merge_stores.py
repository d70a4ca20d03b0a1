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

    The row of a pull request comes from the store of its own share. If a share was cut off, so is
    the audit in the new store: it can be resumed, and its totals are in no trend.

    Raises:
        InvalidInput: the new store exists already, or one of the stores cannot be used, or is not
            that of its share.
    """
    if Path(into).exists():
        raise InvalidInput(f"--store: {into} exists already; merge writes a new one")
    try:
        with Store(into) as target:
            _fill(target, stores, report)
    except BaseException:
        Path(into).unlink(missing_ok=True)  # half a store would pass for a whole one
        raise


def _fill(target: Store, stores: Mapping[int, str], report: Report) -> None:
    target.remember(report.scope, report.trend)
    run = target.begin(report.scope, report.as_of, resume=False)
    complete = True
    for index, path in sorted(stores.items()):
        share = Shard(index, len(stores))
        with Store(path, existing=True) as source:
            found = source.find(share.scope(report.scope), report.as_of)
            if found is None:
                raise InvalidInput(
                    f"--from-store: {path} holds no audit of share {index}/{len(stores)} as of "
                    f"{report.as_of}; give the stores in the order of the reports"
                )
            its, finished = found
            complete = complete and finished
            target.take_over(run, source, its, share.holds)
    if complete:
        target.finish(run, report.counts, keep_days=KEEP_DAYS)
