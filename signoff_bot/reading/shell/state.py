"""The variables of a script while it is followed, with branches that may or may not be taken."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from signoff_bot.reading.shell.values import Value, environment, mixed

DIRECTORY = "PWD"
"""The variable that holds where the script has changed to."""

Ended = bool
"""Whether a block leaves the script or function, so that nothing behind it follows."""


class State:
    """Variables by name. A branch is followed on top of them, then taken back and weighed in."""

    def __init__(self, variables: Mapping[str, Value]) -> None:
        self._variables = dict(variables)
        self._changes: list[dict[str, Value | None]] = []

    def get(self, name: str) -> Value | None:
        """A variable's value; None where the script has not set it."""
        return self._variables.get(name)

    def set(self, name: str, value: Value | None) -> None:
        """Sets a variable; None forgets it."""
        if self._changes:
            self._changes[-1].setdefault(name, self._variables.get(name))
        self._restore(name, value)

    def aside(self, run: Callable[[], Ended]) -> dict[str, Value | None] | None:
        """Runs something and takes back what it sets; gives that, or None where it ended."""
        self._changes.append({})
        ended = run()
        before = self._changes.pop()
        after = {name: self._variables.get(name) for name in before}
        for name, value in before.items():
            self._restore(name, value)
        return None if ended else after

    def weigh(self, branches: Sequence[Callable[[], Ended]]) -> Ended:
        """Runs each branch aside, and lets every variable have its value of any of them."""
        outcomes = [self.aside(branch) for branch in branches]
        lasting = [outcome for outcome in outcomes if outcome is not None]
        for name in {name: None for outcome in lasting for name in outcome}:
            self.set(name, self._mixed(name, lasting))
        return not lasting

    def _mixed(self, name: str, outcomes: list[dict[str, Value | None]]) -> Value:
        values = (outcome.get(name, self._variables.get(name)) for outcome in outcomes)
        unset: Value = (environment(name, 0),)
        return mixed([unset if value is None else value for value in values], f"${name}", 0)

    def _restore(self, name: str, value: Value | None) -> None:
        if value is None:
            self._variables.pop(name, None)
        else:
            self._variables[name] = value
