"""What a type of source has to be. The sync, its images, its age and the doctor know this and `listing`, and no type."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from cortex.sources.calendar import Weeks
from cortex.sources.listing import Listing


class Trouble(NamedTuple):
    """What is wrong with a source, and what a person can do about it."""

    detail: str
    mend: str


class Source(Protocol):
    """One listed source, opened for one run or one look. Every method is called in a thread and may block."""

    @property
    def name(self) -> str:
        """As the configuration has it."""

    @property
    def place(self) -> str:
        """Where it is, for the doctor. At another place its documents have other links, so every file is read again."""

    @property
    def layout(self) -> str | None:
        """The configured pattern of folder words."""

    @property
    def weeks(self) -> Weeks:
        """What week-03 under a quarter means."""

    @property
    def lists_at_once(self) -> bool:
        """Whether listing calls no network and is quick: then newer files are counted whenever a page shows the sources."""

    def list(self) -> Listing:
        """What it holds now; no file's content is read. Never raises: what went wrong is the listing's `problem`."""

    def embedded(self, note: str, path: str) -> bytes:
        """The bytes of an image that a note embeds.

        Args:
            note: the note's external id.
            path: as the note writes it.

        Raises:
            NotFound: it is not there, or lies outside of what is listed.
        """

    def trouble(self) -> Trouble | None:
        """Why a sync would find nothing, where that can be told without one; None when all is well."""
