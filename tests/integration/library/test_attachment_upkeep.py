"""What nobody has any more goes, what somebody has stays; and the doctor sees what is wrong."""

from __future__ import annotations

import asyncio
import os
import time

from tests.integration.library.conftest import Give, MakeNote
from tests.integration.storage.rows import Owner, add_document, add_owner, count
from tests.unit.text.papers import pdf

from cortex.bootstrap import Cortex
from cortex.cli.checks import check_attachments
from cortex.library import LOCAL_OWNER, attachments
from cortex.library.attachment_upkeep import KEPT_S, AttachmentKeeper, stock
from cortex.storage.backup import LOCK

OLD = time.time() - KEPT_S - 60


def keeper(cortex: Cortex) -> AttachmentKeeper:
    return AttachmentKeeper(cortex.database, cortex.files, cortex.thumbnails)


def age(cortex: Cortex, hash_: bytes) -> None:
    for files in (cortex.files, cortex.thumbnails):
        if files.path(hash_).exists():
            os.utime(files.path(hash_), (OLD, OLD))


async def detach(cortex: Cortex, note: int, hash_: bytes) -> None:
    async with cortex.database.transaction("app", LOCAL_OWNER) as tx:
        await attachments.detach(tx, LOCAL_OWNER, note, hash_)


async def test_what_no_note_has_goes_after_a_day(cortex: Cortex, note: MakeNote, give: Give, owner: Owner) -> None:
    one = await note("one")
    kept, gone = await give(one, b"kept"), await give(one, pdf("gone"), "gone.pdf")
    await cortex.drain()
    await detach(cortex, one, gone.hash)
    for hash_ in (kept.hash, gone.hash):
        cortex.thumbnails.folder.mkdir(exist_ok=True)
        cortex.thumbnails.keep(hash_, b"small")
        age(cortex, hash_)
    await keeper(cortex).collect(LOCAL_OWNER)
    assert await count(owner, "library.attachments") == 2
    assert cortex.files.path(gone.hash).exists()
    await owner.execute(
        "UPDATE library.attachments SET unlinked_at = now() - interval '25 hours' WHERE unlinked_at IS NOT NULL"
    )
    await keeper(cortex).collect(LOCAL_OWNER)
    await cortex.drain()
    assert await count(owner, "library.attachments") == 1
    assert await count(owner, "library.documents") == 1
    for files in (cortex.files, cortex.thumbnails):
        assert not files.path(gone.hash).exists()
        assert files.path(kept.hash).exists()


async def test_a_file_without_a_record_goes_after_a_day(
    cortex: Cortex, note: MakeNote, give: Give, owner: Owner
) -> None:
    """As a crash between file and row leaves them, and as an upload that was cut."""
    one = await note("one")
    old, young = await give(one, b"old"), await give(one, b"young")
    await owner.execute("DELETE FROM library.note_attachments")
    await owner.execute("DELETE FROM library.attachments")
    age(cortex, old.hash)
    cut = [cortex.files.folder / ".incoming" / name for name in ("old", "young")]
    for path in cut:
        path.write_bytes(b"part")
    os.utime(cut[0], (OLD, OLD))
    (cortex.files.folder / "ab").mkdir(exist_ok=True)
    stranger = cortex.files.folder / "ab" / "notes.txt"
    stranger.write_bytes(b"not ours")
    os.utime(stranger, (OLD, OLD))
    await keeper(cortex).collect(LOCAL_OWNER)
    assert [cortex.files.path(each.hash).exists() for each in (old, young)] == [False, True]
    assert [path.exists() for path in cut] == [False, True]
    assert stranger.exists()


async def test_what_another_owner_has_stays(cortex: Cortex, note: MakeNote, give: Give, owner: Owner) -> None:
    """The same bytes of two owners are one file; that one of them forgets it is not the other's loss."""
    one = await note("one")
    given = await give(one, b"of both")
    await add_owner(owner, 2)
    theirs = await add_document(owner, 2, "theirs")
    await owner.execute(
        "INSERT INTO library.attachments (owner_id, hash, name, media_type, size, text_state)"
        " SELECT 2, hash, name, media_type, size, text_state FROM library.attachments"
    )
    await owner.execute("INSERT INTO library.note_attachments VALUES (2, %s, %s, 'a')", [theirs, given.hash])
    async with cortex.database.transaction("app", LOCAL_OWNER) as tx:
        await attachments.forget(tx, LOCAL_OWNER, one)
    await cortex.drain()
    age(cortex, given.hash)
    await keeper(cortex).collect(LOCAL_OWNER)
    assert cortex.files.path(given.hash).exists()
    assert await count(owner, "library.attachments") == 1
    await owner.execute("DELETE FROM library.note_attachments")
    await owner.execute("DELETE FROM library.attachments")
    await keeper(cortex).collect(LOCAL_OWNER)
    assert not cortex.files.path(given.hash).exists()


async def test_a_note_deleted_with_its_source_leaves_records_for_the_collector(
    cortex: Cortex, note: MakeNote, give: Give, owner: Owner
) -> None:
    """Whoever deletes a note without telling: the links go by cascade, the rest is found later."""
    one = await note("one")
    await give(one, b"alone")
    await owner.execute("DELETE FROM library.documents")
    await owner.execute("UPDATE library.attachments SET created_at = now() - interval '2 days'")
    assert (await stock(cortex.database, LOCAL_OWNER, cortex.files)).records_alone == 1
    await keeper(cortex).collect(LOCAL_OWNER)
    await cortex.drain()
    assert await count(owner, "library.attachments") == 0
    assert (await stock(cortex.database, LOCAL_OWNER, cortex.files)).files_alone == 0


async def test_no_file_goes_while_a_backup_copies_them(cortex: Cortex, note: MakeNote, give: Give) -> None:
    one = await note("one")
    given = await give(one, b"copied")
    backup = await cortex.database.connect("app")
    await backup.execute("SELECT pg_advisory_lock_shared(%s)", [LOCK])
    async with cortex.database.transaction("app", LOCAL_OWNER) as tx:
        await attachments.forget(tx, LOCAL_OWNER, one)
    await cortex.drain()
    assert cortex.files.path(given.hash).exists()
    age(cortex, given.hash)
    await keeper(cortex).collect(LOCAL_OWNER)
    assert cortex.files.path(given.hash).exists()
    await give(await note("two"), b"another")  # an upload waits for nobody
    await backup.close()
    await keeper(cortex).collect(LOCAL_OWNER)
    assert not cortex.files.path(given.hash).exists()


async def test_uploads_and_collectors_never_lose_a_file(
    cortex: Cortex, note: MakeNote, give: Give, owner: Owner
) -> None:
    """The race that loses data: a file found without a record is deleted while somebody records it."""
    one = await note("one")
    raw = b"contested"
    hash_ = (await give(one, raw)).hash
    for _ in range(30):
        async with cortex.database.transaction("app", LOCAL_OWNER) as tx:
            await attachments.forget(tx, LOCAL_OWNER, one)
        await asyncio.gather(keeper(cortex).drop(LOCAL_OWNER, [hash_.hex()]), give(one, raw))
        assert cortex.files.path(hash_).read_bytes() == raw
    assert await count(owner, "library.attachments") == 1


async def test_forgetting_and_attaching_at_once_end_in_one_of_the_two(
    cortex: Cortex, note: MakeNote, give: Give, owner: Owner
) -> None:
    one, two = await note("one"), await note("two")
    hash_ = (await give(one, b"shared")).hash

    async def forget() -> None:
        async with cortex.database.transaction("app", LOCAL_OWNER) as tx:
            await attachments.forget(tx, LOCAL_OWNER, one)

    for _ in range(20):
        await asyncio.gather(forget(), give(two, b"shared"))
        assert await count(owner, "library.note_attachments", f"document_id = {two}") == 1
        await cortex.drain()
        assert cortex.files.path(hash_).exists()
        async with cortex.database.transaction("app", LOCAL_OWNER) as tx:
            await attachments.forget(tx, LOCAL_OWNER, two)
        await give(one, b"shared")


async def test_the_doctor_tells_what_is_missing_or_damaged(cortex: Cortex, note: MakeNote, give: Give) -> None:
    data = cortex.settings.data
    assert (await check_attachments(cortex.database, data)).ok
    one = await note("one")
    first, second = await give(one, b"first" * 1000), await give(one, b"second")
    check = await check_attachments(cortex.database, data)
    assert check.ok
    assert check.detail.startswith("2 files, 0.0 MB")
    cortex.files.path(first.hash).write_bytes(b"FIRST" * 1000)
    cortex.files.path(second.hash).unlink()
    found = await stock(cortex.database, LOCAL_OWNER, cortex.files)
    assert (found.missing, found.damaged) == ((second.hash.hex(),), (first.hash.hex(),))
    check = await check_attachments(cortex.database, data)
    assert not check.ok
    assert check.mend
    assert first.hash.hex() in check.detail
    assert second.hash.hex() in check.detail
    await give(one, b"first" * 1000)
    await give(one, b"second")
    assert (await check_attachments(cortex.database, data)).ok


async def test_the_doctor_counts_what_waits_for_deletion(
    cortex: Cortex, note: MakeNote, give: Give, owner: Owner
) -> None:
    one = await note("one")
    given = await give(one, b"x")
    await detach(cortex, one, given.hash)
    check = await check_attachments(cortex.database, cortex.settings.data)
    assert check.ok
    assert "1 that no note has" in check.detail
    await owner.execute(
        """INSERT INTO library.sources (owner_id, name, type) VALUES (1, 'attachments', 'notes');
           INSERT INTO library.documents (owner_id, source, external_id, title, text, lang, url, content_hash, size, metadata)
           VALUES (1, 'attachments', 'attachment/x', 'T', 'T', 'en', '/', '', 1, '{"attachment": "x"}')"""
    )
    check = await check_attachments(cortex.database, cortex.settings.data)
    assert not check.ok
    assert "1 texts belong to no file" in check.detail


async def test_a_worker_collects_when_it_starts(cortex: Cortex, note: MakeNote, give: Give, owner: Owner) -> None:
    one = await note("one")
    given = await give(one, pdf("words of a file"), "a.pdf")
    await owner.execute("DELETE FROM jobs.procrastinate_jobs")
    left = cortex.files.path(bytes(32))
    left.parent.mkdir()
    left.write_bytes(b"")
    os.utime(left, (OLD, OLD))
    stop = asyncio.Event()
    working = asyncio.create_task(cortex.work(stop))
    async with asyncio.timeout(60):
        while left.exists() or not await count(owner, "library.attachments", "text_state = 'read'"):
            await asyncio.sleep(0.05)
    stop.set()
    await working
    assert cortex.files.path(given.hash).exists()
