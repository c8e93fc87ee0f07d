"""What a run did to one source, in numbers that add up."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from cortex.sources.listing import Item

LISTED = 50
"""Items of a kind that are kept and shown; the rest is a number."""


@dataclass
class SourceReport:
    """One source's run.

    `found = added + changed + unchanged + len(skipped) + len(failed)`: every file that the listing turned up is in one of
    them, a renamed one in `changed`, and a subfolder that could not be listed counts as one failed item. `deleted` are
    documents whose files are gone, so they are not among the found. `embedded` counts passages and is the worker's to fill.
    """

    name: str
    found: int = 0
    added: int = 0
    changed: int = 0
    deleted: int = 0
    unchanged: int = 0
    embedded: int = 0
    skipped: list[Item] = field(default_factory=list)
    failed: list[Item] = field(default_factory=list)
    complete: bool = False
    """The library now holds what the source lists, and nothing that it does not list."""
    without_date: int = 0
    """Of added, changed and unchanged: those with neither a day nor a quarter."""
    missing: int = 0
    """Documents whose files are gone, and which were kept because so much is missing that it looks like an unmounted disk."""
    problem: str | None = None
    """What went wrong with the source as a whole; then nothing was deleted."""

    @property
    def ok(self) -> bool:
        """Whether the exit status may be 0."""
        return self.complete and not self.failed and self.problem is None

    def add_up(self) -> None:
        """Set `found` from its parts."""
        self.found = self.added + self.changed + self.unchanged + len(self.skipped) + len(self.failed)

    def as_json(self) -> dict[str, Any]:
        """The object of `sync --json`."""
        return {
            "name": self.name,
            "found": self.found,
            "added": self.added,
            "changed": self.changed,
            "deleted": self.deleted,
            "unchanged": self.unchanged,
            "embedded": self.embedded,
            "skipped": [{"item": item.item, "reason": item.reason} for item in self.skipped],
            "failed": [{"item": item.item, "reason": item.reason} for item in self.failed],
            "complete": self.complete,
            "without_date": self.without_date,
            "missing": self.missing,
            "problem": self.problem,
        }

    def brief(self) -> dict[str, Any]:
        """The same with the first `LISTED` of each list, and how long each is (`skipped_total`, `failed_total`).

        A folder of 100,000 pictures leaves out 100,000 files; the page asks for every source's report at once.
        """
        told = self.as_json()
        for name in ("skipped", "failed"):
            told[f"{name}_total"] = len(told[name])
            told[name] = told[name][:LISTED]
        return told
