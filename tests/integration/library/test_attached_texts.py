"""The text of an attached file is a document: found, cited, and never without its note."""

from __future__ import annotations

import asyncio
import base64
import datetime as dt
import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.integration.library.conftest import Give, MakeNote
from tests.integration.storage.rows import Owner, count
from tests.unit.text.papers import docx, pdf, pptx, shape, xlsx

from cortex.bootstrap import Cortex
from cortex.library import LOCAL_OWNER, attached_texts, attachments, documents
from cortex.library.attached_texts import read_apart
from cortex.library.attachments import Attachment
from cortex.retrieval.scope import Scope

WORDS = "The zeppelin hangar in Friedrichshafen was built in 1909 on floating pontoons."


async def listed(cortex: Cortex, note: int) -> list[Attachment]:
    async with cortex.database.transaction("app", LOCAL_OWNER) as tx:
        return (await attachments.of_note(tx, LOCAL_OWNER, note))[0]


async def trash(cortex: Cortex, owner: Owner, note: int, *, restore: bool = False) -> None:
    """What the notes do when one is moved into the trash, or out of it."""
    at = None if restore else dt.datetime.now(dt.UTC)
    async with cortex.database.transaction("app", LOCAL_OWNER) as tx:
        await tx.execute("UPDATE library.documents SET trashed_at = %s WHERE id = %s", [at, note])
        await attachments.follow(tx, LOCAL_OWNER, note)


async def found(cortex: Cortex, words: str) -> list[int]:
    return [hit.document_id for hit in (await cortex.retriever.search(LOCAL_OWNER, words, Scope())).hits]


async def test_a_pdf_and_a_word_file_are_read_and_found(
    cortex: Cortex, note: MakeNote, give: Give, owner: Owner
) -> None:
    one = await note("one")
    given = await give(one, pdf(WORDS, "A title of its own"), "scan 7.pdf")
    assert (given.text_state, given.document_id) == ("waiting", None)
    await give(one, docx("飞艇机库建在水上的浮筒上面。"), "机库.docx")
    await give(
        one, xlsx({"Costs": "<row><c t='inlineStr'><is><t>mooring mast repairs</t></is></c></row>"}), "costs.xlsx"
    )
    await give(one, pptx([shape("Helium suppliers of the thirties")]), "talk.pptx")
    await cortex.drain()
    first, second, third, fourth = await listed(cortex, one)
    assert {each.text_state for each in (first, second, third, fourth)} == {"read"}
    assert third.document_id in await found(cortex, "mooring mast repairs")
    assert fourth.document_id in await found(cortex, "helium suppliers")
    assert first.document_id in await found(cortex, "Where was the zeppelin hangar built?")
    assert second.document_id in await found(cortex, "飞艇机库建在哪里？")
    async with cortex.database.transaction("app", LOCAL_OWNER) as tx:
        text = await documents.get(tx, LOCAL_OWNER, first.document_id or 0)
    assert (text.title, text.source, text.kind, text.lang) == ("scan 7.pdf", "attachments", "note", "en")
    assert text.metadata["attachment"] == first.hash.hex()
    assert text.metadata["note"] == "one"
    assert WORDS in text.text
    assert await count(owner, "ai.passages", f"document_id = {first.document_id}") == 1


async def test_bad_files_say_why_and_stop_no_other(cortex: Cortex, note: MakeNote, give: Give, owner: Owner) -> None:
    one = await note("one")
    bad: dict[str, tuple[bytes, str]] = {
        "locked.pdf": (pdf("secret", encrypt=True), "encrypted"),
        "scan.pdf": (pdf(""), "only pictures"),
        "cut.pdf": (pdf(WORDS)[:90], "broken"),
        "lie.pdf": (b"hello, I am no PDF", "no PDF"),
        "cut.docx": (docx(WORDS)[:300], "broken"),
        "old.xls": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500), "save it as .xlsx"),
        "old.docx": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "without a password"),
    }
    for name, (raw, _) in bad.items():
        await give(one, raw, name)
    gone = await give(one, pdf("gone"), "gone.pdf")
    cortex.files.path(gone.hash).unlink()
    bad["gone.pdf"] = (b"", "missing")
    await give(one, pdf(WORDS), "good.pdf")
    await give(one, b"\x89PNG\r\n\x1a\n", "picture.pdf")
    await give(one, b"", "empty.docx")
    await cortex.drain()
    told = {each.name: each for each in await listed(cortex, one)}
    for name, (_, reason) in bad.items():
        assert told[name].text_state == "failed", name
        assert reason in (told[name].problem or ""), name
        assert told[name].document_id is None
    assert told["good.pdf"].text_state == "read"
    assert (told["picture.pdf"].text_state, told["picture.pdf"].problem) == ("none", None)
    assert told["empty.docx"].text_state == "failed"
    assert await count(owner, "jobs.procrastinate_jobs", "status = 'failed'") == 0


async def test_pitfall_2_a_line_of_a_megabyte_keeps_no_word_from_being_found(
    cortex: Cortex, note: MakeNote, give: Give
) -> None:
    one = await note("one")
    line = base64.b64encode(bytes(range(256)) * 3000).decode()
    await give(one, f"# Report\n\n![x](data:image/png;base64,{line})\n\n{line}\n\n{WORDS}\n".encode(), "report.md")
    await cortex.drain()
    [told] = await listed(cortex, one)
    assert told.document_id in await found(cortex, "zeppelin hangar pontoons")


@pytest.mark.parametrize(
    ("name", "raw", "expected"),
    [
        ("notes.md", "# 标题\n\n正文".encode("gb18030"), "# 标题\n\n正文"),
        ("a.txt", b"plain \0 text" * 3, None),
        ("table.csv", b"a,b\n1,2\n", "| a | b |\n| --- | --- |\n| 1 | 2 |\n"),
        ("page.html", b"<html><script>x</script><p>Hello there</p></html>", "Hello there\n"),
        ("code.py", b"print(1)", None),
        ("no ending", b"plain", None),
        ("void.txt", b" \n ", None),
    ],
)
async def test_texts_are_read_by_their_ending(
    cortex: Cortex, note: MakeNote, give: Give, owner: Owner, name: str, raw: bytes, expected: str | None
) -> None:
    one = await note("one")
    await give(one, raw, name)
    await cortex.drain()
    [told] = await listed(cortex, one)
    assert (told.text_state, told.problem) == ("none" if expected is None else "read", None)
    if expected is not None:
        row = await (
            await owner.execute("SELECT text FROM library.documents WHERE id = %s", [told.document_id])
        ).fetchone()
        assert row == (expected,)


async def test_the_text_goes_to_the_trash_and_back_with_its_note(
    cortex: Cortex, note: MakeNote, give: Give, owner: Owner
) -> None:
    one = await note("one")
    await give(one, pdf(WORDS), "a.pdf")
    await trash(cortex, owner, one)  # before it was read
    await cortex.drain()
    [told] = await listed(cortex, one)
    assert told.text_state == "read"
    question = "zeppelin hangar"
    assert told.document_id not in await found(cortex, question)
    await trash(cortex, owner, one, restore=True)
    await cortex.drain()
    assert told.document_id in await found(cortex, question)
    await trash(cortex, owner, one)
    assert told.document_id not in await found(cortex, question)


async def test_a_text_of_two_notes_lives_as_long_as_one_of_them(
    cortex: Cortex, note: MakeNote, give: Give, owner: Owner
) -> None:
    one, two = await note("one"), await note("two")
    raw = pdf(WORDS)
    await give(one, raw, "first.pdf")
    await give(two, raw, "second.pdf")
    await cortex.drain()
    [told] = await listed(cortex, one)
    text = told.document_id or 0
    assert await documented(owner, text) == ("first.pdf", "one", False)
    await trash(cortex, owner, one)
    assert await documented(owner, text) == ("second.pdf", "two", False)
    await trash(cortex, owner, two)
    assert (await documented(owner, text))[2]
    await trash(cortex, owner, one, restore=True)
    assert await documented(owner, text) == ("first.pdf", "one", False)
    async with cortex.database.transaction("app", LOCAL_OWNER) as tx:
        assert await attachments.only_texts(tx, LOCAL_OWNER, one) == []
        assert await attachments.forget(tx, LOCAL_OWNER, one) == []
        await tx.execute("DELETE FROM library.documents WHERE id = %s", [one])
    assert (await documented(owner, text))[:2] == ("second.pdf", "two")
    async with cortex.database.transaction("app", LOCAL_OWNER) as tx:
        assert await attachments.only_texts(tx, LOCAL_OWNER, two) == [text]
        assert await attachments.forget(tx, LOCAL_OWNER, two) == [text]
        await tx.execute("DELETE FROM library.documents WHERE id = %s", [two])
    await cortex.drain()
    for table in ("library.documents", "library.attachments", "library.note_attachments", "ai.passages", "ai.postings"):
        assert await count(owner, table) == 0, table
    assert not cortex.files.path(told.hash).exists()


async def documented(owner: Owner, text: int) -> tuple[Any, ...]:
    row = await (
        await owner.execute(
            "SELECT title, metadata ->> 'note', trashed_at IS NOT NULL FROM library.documents WHERE id = %s", [text]
        )
    ).fetchone()
    assert row is not None
    return tuple(row)


async def test_what_is_taken_from_its_note_leaves_the_answers_at_once_and_may_come_back(
    cortex: Cortex, note: MakeNote, give: Give
) -> None:
    one = await note("one")
    await give(one, pdf(WORDS), "a.pdf")
    await cortex.drain()
    [told] = await listed(cortex, one)
    async with cortex.database.transaction("app", LOCAL_OWNER) as tx:
        await attachments.detach(tx, LOCAL_OWNER, one, told.hash)
    assert told.document_id not in await found(cortex, "zeppelin hangar")
    again = await give(one, pdf(WORDS), "b.pdf")
    assert (again.text_state, again.document_id) == ("read", told.document_id)
    await cortex.drain()
    assert told.document_id in await found(cortex, "zeppelin hangar")


async def test_a_failed_one_is_read_again_when_it_comes_again(cortex: Cortex, note: MakeNote, give: Give) -> None:
    one = await note("one")
    await give(one, b"%PDF- broken", "a.pdf")
    await cortex.drain()
    assert (await listed(cortex, one))[0].text_state == "failed"
    assert (await give(one, b"%PDF- broken", "a.pdf")).text_state == "waiting"


async def test_what_waits_without_a_job_is_found_by_the_next_worker(
    cortex: Cortex, note: MakeNote, give: Give, owner: Owner
) -> None:
    one = await note("one")
    await give(one, pdf(WORDS), "a.pdf")
    await owner.execute("DELETE FROM jobs.procrastinate_jobs")
    await cortex.drain()
    assert (await listed(cortex, one))[0].text_state == "waiting"
    async with cortex.database.transaction("app", LOCAL_OWNER) as tx:
        await attached_texts.catch_up(tx, LOCAL_OWNER)
    await cortex.drain()
    assert (await listed(cortex, one))[0].text_state == "read"


async def test_notes_are_indexed_while_a_file_is_read(
    cortex: Cortex, note: MakeNote, give: Give, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A slow file holds the worker up for a slice only, and is finished by a later job."""
    begun, go_on = 0, asyncio.Event()

    async def slowly(path: Path, ending: str) -> attached_texts.Answer:
        nonlocal begun
        begun += 1
        await go_on.wait()
        return {"text": WORDS}

    monkeypatch.setattr(attached_texts, "read_apart", slowly)
    monkeypatch.setattr(attached_texts, "SLICE_S", 0.05)
    one = await note("one")
    await give(one, pdf(WORDS), "slow.pdf")
    handlers = cortex.handlers()
    for _ in range(3):
        await handlers[attachments.READ_JOB](owner_id=LOCAL_OWNER)
    assert (await listed(cortex, one))[0].text_state == "waiting"
    go_on.set()
    await handlers[attachments.READ_JOB](owner_id=LOCAL_OWNER)
    assert begun == 1
    assert (await listed(cortex, one))[0].text_state == "read"


SLOW_OR_DEADLY = """
import os, sys
from cortex.library import _read_apart
from cortex.text import convert
what = {what!r}

def read(raw, name):
    if what == "crash":
        os.kill(os.getpid(), 11)
    if what == "memory":
        bytes(10**11)
    while True:
        pass

convert.convert = read
_read_apart.main({path!r}, ".pdf")
"""


@pytest.mark.parametrize(("what", "reason"), [("crash", "fail"), ("memory", "memory"), ("loop", "more than")])
async def test_a_file_that_kills_its_reader_has_a_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str, reason: str
) -> None:
    file = tmp_path / "a.pdf"
    file.write_bytes(b"x")
    program = tmp_path / "reader"
    code = SLOW_OR_DEADLY.format(what=what, path=str(file))
    program.write_text(f"#!{sys.executable}\n{code}")
    program.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(program))
    answer = await read_apart(file, ".pdf", most_s=2.0 if what == "loop" else 60.0)
    assert reason in (answer["problem"] or "")


async def test_the_reader_ends_with_its_worker(tmp_path: Path) -> None:
    """A worker that is killed leaves no process behind that reads on."""
    file = tmp_path / "a.pdf"
    file.write_bytes(b"x")
    code = SLOW_OR_DEADLY.format(what="loop", path=str(file))
    parent = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", "import subprocess, sys\nchild = subprocess.Popen([sys.executable, '-c', sys.argv[1]],"
          " stdin=subprocess.PIPE)\nprint(child.pid, flush=True)\nchild.wait()", code),
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )  # fmt: skip
    assert parent.stdout is not None
    child = int(await parent.stdout.readline())
    parent.send_signal(signal.SIGKILL)
    await parent.wait()
    async with asyncio.timeout(30):
        while Path(f"/proc/{child}").exists() and "Z" not in Path(f"/proc/{child}/stat").read_text().split()[2]:
            await asyncio.sleep(0.05)
