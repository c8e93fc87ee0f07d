"""What a run has to do, from a listing and what the library has."""

from __future__ import annotations

from cortex.library.mirrors import Incoming, Mirror
from cortex.sources._local_file import LocalFile, Root
from cortex.sources._plan import Plan, Renames, compare, why_withheld
from cortex.sources.listing import File, Listing


def mirror(mark: bytes = b"x", size: int = 1, mtime_ns: int = 1) -> Mirror:
    return Mirror(1, 1, size, mtime_ns, mark, True)


def file(name: str, size: int = 1, mtime_ns: int = 1) -> File:
    return LocalFile(name, size, mtime_ns, Root("/", "/"), name, name)


def incoming(name: str, mark: bytes = b"x") -> Incoming:
    return Incoming(name, name, "", "en", "file:///", mark, 1, 1)


def test_size_and_time_decide_what_is_read() -> None:
    listing = Listing(
        {name: file(name) for name in ("same", "new")} | {"longer": file("longer", 2), "later": file("later", 1, 2)},
    )
    plan = compare(listing, {"same": mirror(), "longer": mirror(), "later": mirror(), "gone": mirror()})
    assert plan.unchanged == ["same"]
    assert [item.external_id for item in plan.to_read] == ["later", "longer", "new"]
    assert set(plan.gone) == {"gone"}
    assert [item.external_id for item in compare(listing, {"same": mirror()}, again=True).to_read] == sorted(
        listing.files
    )


def test_nothing_is_gone_after_an_incomplete_listing() -> None:
    assert not compare(Listing(complete=False), {"a": mirror()}).gone
    assert not compare(Listing(kept={"a"}), {"a": mirror()}).gone


def test_batches_are_bounded_in_files_and_bytes() -> None:
    plan = Plan([], [file(str(n)) for n in range(120)])
    assert [len(batch) for batch in plan.batches()] == [50, 50, 20]
    assert [len(batch) for batch in Plan([], [file(str(n), 1_500_000) for n in range(3)]).batches()] == [1, 1, 1]
    assert not list(Plan([], []).batches())


def test_y3_a_quarter_and_twenty_is_too_much_to_lose() -> None:
    some = Listing({"a": file("a")})
    assert why_withheld(some, 100, 25) is None
    assert why_withheld(some, 30, 20) is None
    assert "26 of 100" in (why_withheld(some, 100, 26) or "")
    assert "--allow-deletes" in (why_withheld(Listing(), 1, 1) or "")
    assert why_withheld(Listing(), 0, 0) is None


def test_a_rename_is_the_same_bytes_under_another_name() -> None:
    renames = Renames({"a/x.md": mirror(b"1"), "b/y.md": mirror(b"1"), "Z.md": mirror(b"2")})
    assert renames.take(incoming("c/y.md", b"1")) == "b/y.md"  # the one that kept its name first
    assert renames.take(incoming("c/other.md", b"1")) == "a/x.md"
    assert renames.take(incoming("c/third.md", b"1")) is None
    assert renames.take(incoming("z.md", b"3")) == "Z.md"  # in case only, even when edited
    assert not renames.left
