"""Walking a folder: what the patterns include, links followed only inside, each file once."""

from __future__ import annotations

import os
import stat
from pathlib import PurePosixPath

from cortex.sources._local_file import NOT_DOWNLOADED, FolderListing, LocalFile
from cortex.sources._pattern import compile_globs
from cortex.sources.listing import LARGEST, Item
from cortex.text.convert import ENDINGS

_LONGEST_ID = 2000
"""Bytes of a path: the database's index takes no more than 2,700."""

POINTERS = (".gdoc", ".gsheet", ".gslides", ".gdraw", ".gform", ".gtable", ".gmap", ".gsite", ".glink")
_POINTER = "pointer, use a gdrive source"
_KIND = "this kind of file is not read"
_OUTSIDE = "a link that leads out of the folder"
_BROKEN = "a link that leads nowhere"
_TWICE = "a link to what is listed itself"


def _dotted(include: tuple[str, ...]) -> frozenset[str]:
    """Dot folders that a pattern names; all others are left out."""
    return frozenset(
        step for pattern in include for step in pattern.split("/")[:-1] if step.startswith(".") and step != "."
    )


class Walk:
    """Depth first over real folders, then over what links inside lead to, each file once."""

    def __init__(self, listing: FolderListing, include: tuple[str, ...], exclude: tuple[str, ...]) -> None:
        self._listing, self._root = listing, listing.root.real
        self._include, self._exclude = compile_globs(include).fullmatch, compile_globs(exclude).fullmatch
        self._dotted = _dotted(include)
        self._links: list[tuple[str, str]] = []
        self._seen: set[str] = set()
        self._queued: set[str] = set()

    def run(self) -> None:
        """Fill the listing."""
        self._folder("", "")
        self._seen.update(file.real for file in self._listing.files.values())
        linked: set[str] = set()
        while self._links:  # a linked folder may hold further links; each real folder is entered once by a link
            path, where = self._links.pop(0)
            self._link(path, where, linked)

    def _folder(self, top: str, real_top: str, *, linked: bool = False) -> int:
        """List one folder and those in it; the number of files that were new."""
        before = len(self._listing.files)
        waiting = [(top, real_top)]
        while waiting:
            path, real = waiting.pop()
            try:
                with os.scandir(os.path.join(self._root, real)) as entries:
                    for entry in entries:
                        below = self._entry(entry, path + entry.name, real + entry.name, linked=linked)
                        if below:
                            waiting.append(below)
            except OSError as error:
                self._listing.complete = False
                self._listing.failed.append(
                    Item(_shown(path.rstrip("/") or "."), f"cannot be listed: {error.strerror}")
                )
        return len(self._listing.files) - before

    def _entry(self, entry: os.DirEntry[str], path: str, real: str, *, linked: bool) -> tuple[str, str] | None:
        if entry.is_symlink():
            if real not in self._queued:
                self._queued.add(real)
                self._links.append((path, real))
        elif linked and (real in self._seen or self._exclude(real)):
            return None
        elif entry.is_dir(follow_symlinks=False):
            if not self._left_out(entry.name, path):
                return path + "/", real + "/"
        elif not self._exclude(path):
            self._file(entry, path, real)
        return None

    def _left_out(self, name: str, path: str) -> bool:
        return (name.startswith(".") and name not in self._dotted) or bool(self._exclude(path))

    def _file(self, entry: os.DirEntry[str], path: str, real: str) -> None:
        if entry.name.startswith("."):
            path, evicted = _evicted(path)
            if evicted and self._include(path):
                self._listing.kept.add(external_id(path))
                self._listing.skipped.append(Item(_shown(path), NOT_DOWNLOADED))
            if evicted or entry.name.startswith("._"):  # ._x is what macOS keeps beside x on foreign disks
                return
        if entry.name.lower().endswith(POINTERS):
            self._listing.skipped.append(Item(_shown(path), _POINTER))
        elif self._include(path):
            if os.path.splitext(entry.name)[1].lower() in ENDINGS:
                self._add(path, real, entry)
            else:
                self._listing.skipped.append(Item(_shown(path), _KIND))

    def _add(self, path: str, real: str, entry: os.DirEntry[str]) -> None:
        name = external_id(path)
        try:
            found = entry.stat(follow_symlinks=False)
        except FileNotFoundError:
            return  # it went while the folder was listed
        except OSError as error:
            self._keep(name, f"cannot be read: {error.strerror}", failed=True)
            return
        if not stat.S_ISREG(found.st_mode):
            self._listing.skipped.append(Item(name, "not a file"))
        elif len(name.encode()) > _LONGEST_ID or name in self._listing.files:
            reason = "another file's name reads the same" if name in self._listing.files else "its path is too long"
            self._listing.skipped.append(Item(name[:_LONGEST_ID], reason))
        elif found.st_size > LARGEST:
            self._keep(name, f"larger than {LARGEST // 1_000_000} MB")
        else:
            hollow = found.st_size > 0 and getattr(found, "st_blocks", 1) == 0
            self._listing.files[name] = LocalFile(
                name, found.st_size, found.st_mtime_ns, self._listing.root, path, real, hollow
            )

    def _keep(self, name: str, reason: str, *, failed: bool = False) -> None:
        self._listing.kept.add(name)
        (self._listing.failed if failed else self._listing.skipped).append(Item(name, reason))

    def _link(self, path: str, where: str, linked: set[str]) -> None:
        """Follow one link, if it stays inside and shows something new."""
        name = PurePosixPath(path).name
        if self._left_out(name, path):
            return
        absolute = os.path.join(self._root, where)
        target = os.path.realpath(absolute)
        wanted = os.path.isdir(target) or bool(self._include(path))
        if not wanted and os.path.exists(target):
            return
        real = _inside(target, self._root)
        if not os.path.exists(target):
            self._skip(path, _BROKEN, wanted=bool(self._include(path)))
        elif real is None:
            self._skip(path, _OUTSIDE)
        elif self._hidden(real):
            self._skip(path, "a link to what is left out")
        elif os.path.isdir(target):
            self._linked_folder(path, real, linked)
        elif real in self._seen:
            self._skip(path, _TWICE)
        else:
            self._linked_file(path, real, target)

    def _skip(self, path: str, reason: str, *, wanted: bool = True) -> None:
        if wanted:
            self._listing.skipped.append(Item(_shown(path), reason))

    def _hidden(self, real: str) -> bool:
        steps = real.split("/")
        folders = ("/".join(steps[: n + 1]) for n in range(len(steps)))
        return any(self._exclude(path) for path in folders) or any(
            step.startswith(".") and step not in self._dotted for step in steps if step
        )

    def _linked_folder(self, path: str, real: str, linked: set[str]) -> None:
        if real in linked or not self._folder(path + "/", f"{real}/" if real else "", linked=True):
            self._skip(path, _TWICE)
        linked.add(real)
        self._seen.update(file.real for file in self._listing.files.values())

    def _linked_file(self, path: str, real: str, target: str) -> None:
        with os.scandir(os.path.dirname(target)) as entries:
            for entry in entries:
                if entry.name == os.path.basename(target):
                    self._add(path, real, entry)
        self._seen.add(real)


def _inside(target: str, root: str) -> str | None:
    """The path below the folder's real path, "" for the folder itself, None when it is outside."""
    if target == root:
        return ""
    prefix = root.rstrip("/") + "/"
    return target.removeprefix(prefix) if target.startswith(prefix) else None


def _evicted(path: str) -> tuple[str, bool]:
    """`.name.md.icloud` is what older iCloud leaves of name.md."""
    folder, _, name = path.rpartition("/")
    if name.endswith(".icloud") and len(name) > 8:
        return f"{folder}/{name[1:-7]}" if folder else name[1:-7], True
    return path, False


def external_id(path: str) -> str:
    """The path as text: bytes that are no UTF-8 become %XX, which the database can hold and a person can read."""
    if path.isascii() or not any("\udc80" <= mark <= "\udcff" for mark in path):
        return path
    return "".join(f"%{ord(mark) - 0xDC00:02X}" if "\udc80" <= mark <= "\udcff" else mark for mark in path)


_shown = external_id  # the same for what is only reported
