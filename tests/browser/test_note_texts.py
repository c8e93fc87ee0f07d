"""What keys do to a text, and what changed between two: pure functions of the page, called in the browser."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from playwright.async_api import Browser, Page

from .fake_api import FakeApi

pytestmark = pytest.mark.browser

EDIT = """async ([name, marked, args]) => {
    const edits = await import("/static/js/text-edits.js");
    const start = marked.indexOf("|");
    const end = marked.lastIndexOf("|");
    const value = marked.replaceAll("|", "");
    const edit = edits[name]({ value, start, end: end > start ? end - 1 : start }, ...args);
    if (!edit) return null;
    const text = value.slice(0, edit.from) + edit.text + value.slice(edit.to);
    const marks = [...new Set([edit.start, edit.end])].sort((a, b) => b - a);
    return marks.reduce((now, at) => `${now.slice(0, at)}|${now.slice(at)}`, text);
}"""


@pytest.fixture(scope="session")
async def page(chromium: Browser, fake_server: FakeApi) -> AsyncIterator[Page]:
    """One page for all of them: the functions leave nothing behind."""
    context = await chromium.new_context()
    page = await context.new_page()
    await page.goto(f"{fake_server.url}/notes/trash")
    yield page
    await context.close()


async def edit(page: Page, name: str, marked: str, *args: Any) -> Any:
    """The text after the edit, with `|` at the caret or around the selection; None where the key does what it always does."""
    return await page.evaluate(EDIT, [name, marked, list(args)])


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("- milk|", "- milk\n- |"),
        ("* milk|", "* milk\n* |"),
        ("  - milk|", "  - milk\n  - |"),
        ("- mi|lk", "- mi\n- |lk"),
        ("1. one|", "1. one\n2. |"),
        ("9) nine|", "9) nine\n10) |"),
        ("1、买菜|", "1、买菜\n2、|"),
        ("  12、 买菜|", "  12、 买菜\n  13、 |"),
        ("一、买菜|", "一、买菜\n二、|"),
        ("九、买菜|", "九、买菜\n十、|"),
        ("十、买菜|", "十、买菜\n十一、|"),
        ("十九、买菜|", "十九、买菜\n二十、|"),
        ("九十八、买菜|", "九十八、买菜\n九十九、|"),
        ("- [ ] call|", "- [ ] call\n- [ ] |"),
        ("- [x] called|", "- [x] called\n- [ ] |"),
        ("> so it is|", "> so it is\n> |"),
        ("a\n- |", "a\n|"),
        ("a\n  - [ ] |\nb", "a\n|\nb"),
        ("> |", "|"),
        ("```\n  x = 1|", "```\n  x = 1\n  |"),
        ("```\na\n```\n- b|", "```\na\n```\n- b\n- |"),
    ],
)
async def test_a_list_goes_on_and_an_empty_item_ends_it(page: Page, before: str, after: str) -> None:
    assert await edit(page, "newLine", before) == after


@pytest.mark.parametrize(
    "text",
    [
        "words|",
        "|- milk",
        "- |milk|",
        "-|",
        "```\n- milk|",
        "1.5 litres|",
        "三五、知己|",
        "# heading|",
        "---|",
        "**bold**|",
    ],
)
async def test_enter_is_a_new_line_everywhere_else(page: Page, text: str) -> None:
    assert await edit(page, "newLine", text) is None


@pytest.mark.parametrize(
    ("before", "inwards", "after"),
    [
        ("- a\n- b|", True, "- a\n  - b|"),
        ("1. a\n2. b|", True, "1. a\n   2. b|"),
        ("10. a\n11. b|", True, "10. a\n    11. b|"),
        ("- a\n  - b|", True, "- a\n  - b|"),
        ("- a\n  - b|", False, "- a\n- b|"),
        ("1. a\n   - b|", False, "1. a\n- b|"),
        ("words|", True, "  words|"),
        ("  words|", False, "words|"),
        ("words|", False, "words|"),
        ("|- a\n- b|", True, "  |- a\n  - b|"),
        ("- x\n|- a\n\n- b\n|c", True, "- x\n  |- a\n\n  - b\n|c"),
        ("\t- a|", False, "- a|"),
    ],
)
async def test_lines_move_in_and_out(page: Page, before: str, inwards: bool, after: str) -> None:
    assert await edit(page, "shiftLines", before, inwards) == after


@pytest.mark.parametrize(
    ("before", "marks", "after"),
    [
        ("a |word| b", "**", "a **|word|** b"),
        ("a **|word|** b", "**", "a |word| b"),
        ("a |word | b", "**", "a **|word|**  b"),
        ("a | b", "*", "a *|* b"),
        ("a **|word|** b", "*", "a ***|word|*** b"),
        ("a *|word|* b", "*", "a |word| b"),
        ("|队列|选型", "**", "**|队列|**选型"),
    ],
)
async def test_marks_go_around_a_selection_and_off_again(page: Page, before: str, marks: str, after: str) -> None:
    assert await edit(page, "toggleMarks", before, marks) == after


SAME = """async ([before, after]) => {
    const { sequenceDiff } = await import("/static/js/sequence-diff.js");
    const runs = sequenceDiff(before, after);
    const kept = kind => runs.filter(run => run.kind !== kind).flatMap(run => run.items);
    const changes = runs.filter(run => run.kind !== "same").flatMap(run => run.items).length;
    return { before: kept("ins"), after: kept("del"), changes, kinds: runs.map(run => run.kind) };
}"""

RANDOM = """async seed => {
    const { sequenceDiff } = await import("/static/js/sequence-diff.js");
    const { merged } = await import("/static/js/merge.js");
    let state = seed;
    const next = n => (state = (state * 1103515245 + 12345) % 2147483648) % n;
    const wrong = [];
    for (let round = 0; round < 400; round += 1) {
        const make = () => Array.from({ length: next(14) }, () => "abcd"[next(4)]);
        const [one, other, third] = [make(), make(), make()];
        const runs = sequenceDiff(one, other);
        const from = runs.filter(run => run.kind !== "ins").flatMap(run => run.items).join("");
        const to = runs.filter(run => run.kind !== "del").flatMap(run => run.items).join("");
        const changes = runs.filter(run => run.kind !== "same").flatMap(run => run.items).length;
        // The longest common subsequence, the slow way.
        const table = Array.from({ length: one.length + 1 }, () => Array(other.length + 1).fill(0));
        for (let i = one.length - 1; i >= 0; i -= 1)
            for (let j = other.length - 1; j >= 0; j -= 1)
                table[i][j] = one[i] === other[j] ? table[i + 1][j + 1] + 1 : Math.max(table[i + 1][j], table[i][j + 1]);
        const least = one.length + other.length - 2 * table[0][0];
        if (from !== one.join("") || to !== other.join("") || changes !== least) wrong.push([one, other]);
        const [base, theirs, mine] = [one, other, third].map(lines => lines.join("\\n"));
        const alone = [merged(base, theirs, base), merged(base, base, mine), merged(base, mine, mine)];
        if (alone.join("|") !== [theirs, mine, mine].join("|")) wrong.push([base, theirs, mine]);
        // Every line that a side wrote and that the base had not is in what is merged.
        const result = merged(base, theirs, mine).split("\\n");
        for (const line of [...theirs.split("\\n"), ...mine.split("\\n")])
            if (line && !base.includes(line) && !result.includes(line)) wrong.push([base, theirs, mine, line]);
    }
    return wrong;
}"""


async def test_a_diff_is_the_shortest_and_a_merge_loses_nothing(page: Page) -> None:
    assert await page.evaluate(RANDOM, 7) == []


async def test_a_text_that_is_wholly_another_is_told_at_once(page: Page) -> None:
    before, after = [f"a{n}" for n in range(3000)], [f"b{n}" for n in range(3000)]
    told = await page.evaluate(SAME, [before, after])
    assert (told["before"], told["after"], told["kinds"]) == (before, after, ["del", "ins"])


DIFF = """async ([before, after]) => (await import("/static/js/text-diff.js")).textDiff(before, after)"""


async def test_a_chinese_paragraph_is_told_apart_by_words(page: Page) -> None:
    before = "最后没有用 Kafka，运维成本太高；先用 Postgres 的三张表顶着，等每天超过十万条再说。"
    after = "最后没有用 Kafka，运维成本太高；先用 Postgres 的一张表顶着，等每天超过一百万条再说。"
    (row,) = await page.evaluate(DIFF, [before, after])
    assert row["kind"] == "changed"
    gone = [part["text"] for part in row["parts"] if part["kind"] == "del"]
    come = [part["text"] for part in row["parts"] if part["kind"] == "ins"]
    # As fine as the dictionary of the browser cuts, and never the paragraph as one word.
    assert "".join(gone) in ("三张十万", "三十万", "三十")
    assert "".join(come) in ("一张一百万", "一一百万", "一一百")
    assert "".join(part["text"] for part in row["parts"] if part["kind"] != "ins") == before
    assert "".join(part["text"] for part in row["parts"] if part["kind"] != "del") == after


async def test_lines_that_moved_apart_are_paired_with_what_they_were(page: Page) -> None:
    before = "# Plan\n\nBuy the blue paint for the kitchen\nCall the landlord about the lift\n"
    after = "# Plan\n\nMeasure the wall first\nBuy the green paint for the kitchen\nCall the landlord about the lift\n"
    rows = await page.evaluate(DIFF, [before, after])
    assert [row["kind"] for row in rows] == ["same", "same", "ins", "changed", "same", "same"]
    assert [part for part in rows[3]["parts"] if part["kind"] != "same"] == [
        {"kind": "del", "text": "blue"},
        {"kind": "ins", "text": "green"},
    ]


MERGE = """async ([base, theirs, mine]) => (await import("/static/js/merge.js")).merged(base, theirs, mine)"""


async def test_different_paragraphs_merge_and_the_same_one_is_kept_twice(page: Page) -> None:
    base = "one\n\ntwo\n\nthree"
    assert await page.evaluate(MERGE, [base, "ONE\n\ntwo\n\nthree", "one\n\ntwo\n\nTHREE"]) == "ONE\n\ntwo\n\nTHREE"
    assert (
        await page.evaluate(MERGE, [base, "one\n\ntheirs\n\nthree", "one\n\nmine\n\nthree"])
        == "one\n\ntheirs\nmine\n\nthree"
    )
    assert await page.evaluate(MERGE, [base, base + "\n\nfour", base + "\n\nfive"]) == base + "\n\nfour\nfive"


TRIGGER = """async ([marked]) => {
    const { triggerAt } = await import("/static/js/completion-trigger.js");
    const caret = marked.lastIndexOf("|");
    const value = marked.slice(0, caret) + marked.slice(caret + 1);
    const found = triggerAt(value, caret);
    return found && [found.kind, found.query, value.slice(found.from, found.to)];
}"""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("see [[Ret|", ["note", "Ret", "[[Ret"]),
        ("见【【队列|", ["note", "队列", "【【队列"]),
        ("见【【队列|】】。", ["note", "队列", "【【队列】】"]),
        ("[[Ret|]] more", ["note", "Ret", "[[Ret]]"]),
        ("a [[one]] and [[t|", ["note", "t", "[[t"]),
        ("today #wo|", ["tag", "wo", "#wo"]),
        ("今天＃工|", ["tag", "工", "＃工"]),
        ("今天#工|", ["tag", "工", "#工"]),
        ("words #|", ["tag", "", "#"]),
        ("#|", None),
        ("# heading|", None),
        ("## |", None),
        ("https://a.example/page#par|", None),
        ("C#|", None),
        ("[[one]]|", None),
        ("[[a\nb|", None),
        ("[one|", None),
        ("[[one|x|", None),
    ],
)
async def test_what_is_being_typed_is_noticed(page: Page, text: str, found: list[str] | None) -> None:
    assert await page.evaluate(TRIGGER, [text]) == found
