"""Asking, in the browser: keys, input methods, the stream and what can go wrong with it."""

from __future__ import annotations

import pytest
from playwright.async_api import Page, expect

from .conftest import PHONE, WIDE, Open, answered, ask
from .fake_api import FakeApi

pytestmark = pytest.mark.browser


async def test_enter_asks_once_and_shift_enter_is_a_new_line(open_page: Open, fake: FakeApi) -> None:
    page = await open_page()
    box = page.locator("#question")
    await expect(box).to_be_focused()
    await box.press_sequentially("Why did I")
    await box.press("Shift+Enter")
    await box.press_sequentially("drop Kafka?")
    assert fake.asked == []
    await box.press("Enter")
    await answered(page)
    assert [body["question"] for body in fake.asked] == ["Why did I\ndrop Kafka?"]
    assert fake.asked[0]["tz"]
    await expect(box).to_have_value("")
    await expect(box).to_be_focused()


async def test_an_enter_that_ends_a_composition_does_not_send(open_page: Open, fake: FakeApi) -> None:
    """Chromium's order: the keydown comes while composing (by the real input method protocol)."""
    page = await open_page()
    await page.locator("#question").focus()
    session = await page.context.new_cdp_session(page)
    await session.send("Input.imeSetComposition", {"text": "ceshi", "selectionStart": 5, "selectionEnd": 5})
    enter = {"key": "Process", "code": "Enter", "windowsVirtualKeyCode": 229, "nativeVirtualKeyCode": 229}
    await session.send("Input.dispatchKeyEvent", {"type": "rawKeyDown", **enter})
    await session.send("Input.insertText", {"text": "测试"})
    await session.send("Input.dispatchKeyEvent", {"type": "keyUp", **enter})
    await expect(page.locator("#question")).to_have_value("测试")
    assert fake.asked == []
    await page.locator("#question").press("Enter")
    await answered(page)
    assert len(fake.asked) == 1


async def test_an_enter_after_safaris_early_composition_end_does_not_send(open_page: Open, fake: FakeApi) -> None:
    """Safari's order: compositionend first, then a keydown that says 229 and no longer says that it is composing."""
    page = await open_page()
    await page.locator("#question").evaluate(
        """box => {
            box.value = "测试";
            box.dispatchEvent(new CompositionEvent("compositionstart", {bubbles: true}));
            box.dispatchEvent(new CompositionEvent("compositionend", {bubbles: true, data: "测试"}));
            const enter = {key: "Enter", code: "Enter", keyCode: 229, which: 229, bubbles: true, cancelable: true};
            box.dispatchEvent(new KeyboardEvent("keydown", enter));
        }"""
    )
    await expect(page.locator(".turn")).to_have_count(0)
    assert fake.asked == []
    await page.locator("#question").press("Enter")
    await answered(page)
    assert len(fake.asked) == 1


async def test_arrow_up_recalls_and_slash_and_mod_k_reach_the_box(open_page: Open) -> None:
    page = await open_page()
    await ask(page, "Why Kafka?")
    await answered(page)
    box = page.locator("#question")
    await box.press("ArrowUp")
    await expect(box).to_have_value("Why Kafka?")
    await box.fill("")
    for key in ("/", "Control+k"):
        await page.locator(".why summary").focus()
        await page.keyboard.press(key)
        await expect(box).to_be_focused()
        await expect(box).to_have_value("")


async def test_an_empty_question_names_the_field(open_page: Open, fake: FakeApi) -> None:
    page = await open_page()
    await page.locator("#question").press("Enter")
    await expect(page.locator("#composer-error")).not_to_be_empty()
    await expect(page.locator("#question")).to_have_attribute("aria-describedby", "composer-error")
    assert fake.asked == []


async def test_a_refusal_offers_the_nearest_notes_and_the_whole(open_page: Open, fake: FakeApi) -> None:
    page = await open_page("/?scope=weekly:20261-20261")
    await ask(page, "cats how many?")
    await answered(page)
    turn = page.locator(".turn").last
    await expect(turn.locator(".answer")).to_have_text("I could not find an answer to this in your notes.")
    await expect(turn.locator(".refusal")).to_contain_text("13 notes")
    await expect(turn.locator(".evidence")).to_have_count(0)
    await expect(page.locator("#announcer")).to_have_text("Not found")
    await turn.get_by_role("button", name="Ask this note: 队列选型").click()
    await answered(page)
    assert (fake.asked[1]["question"], fake.asked[1]["scope"]) == ("cats how many?", "note:82")
    await page.locator(".turn").nth(0).get_by_role("button", name="Search all notes").click()
    await page.locator(".turn").nth(2).locator(".refusal").wait_for()
    assert fake.asked[2]["scope"] == ""
    assert fake.asked[2]["conversation_id"] == 7


@pytest.mark.parametrize(
    ("lang", "told"), [("en", "3 of 62 notes are not searchable yet"), ("zh", "62 篇笔记中有 3 篇还搜索不到")]
)
async def test_a_refusal_says_what_could_not_be_searched_yet(open_page: Open, lang: str, told: str) -> None:
    page = await open_page(lang=lang)
    await ask(page, "cats that are new?")
    await answered(page)
    await expect(page.locator(".refusal .notice")).to_contain_text(told)
    await ask(page, "cats of old?")
    await page.locator(".turn").nth(1).locator(".refusal").wait_for()
    await expect(page.locator(".refusal .notice")).to_have_count(1)


async def test_stop_keeps_what_came(open_page: Open, fake: FakeApi) -> None:
    page = await open_page()
    await ask(page, "slow tell me")
    await expect(page.locator(".answer")).to_contain_text("In week 03 you")
    await page.locator("#stop").click()
    await expect(page.locator(".turn-notice")).to_have_text("Stopped. What arrived is kept.")
    await expect(page.locator(".answer")).to_contain_text("In week 03 you")
    await expect(page.locator("#send")).to_be_visible()
    assert fake.stopped == {1}


async def test_escape_closes_the_top_layer_then_stops_and_never_clears(open_page: Open, fake: FakeApi) -> None:
    page = await open_page()
    await ask(page, "slow tell me")
    await page.locator(".source").nth(1).click()
    await page.locator("#question").fill("half a thought")
    await page.keyboard.press("Escape")
    await expect(page.locator(".passage")).to_be_hidden()
    assert fake.stopped == set()
    await page.locator("#question").press("Escape")
    await expect(page.locator("#send")).to_be_visible()
    assert fake.stopped == {1}
    await expect(page.locator("#question")).to_have_value("half a thought")


async def test_a_dropped_stream_goes_on_where_it_broke(open_page: Open, fake: FakeApi) -> None:
    page = await open_page(quiet=False)
    await ask(page, "drop in the middle")
    await answered(page)
    assert fake.resumed_after == ["4"]
    await expect(page.locator(".chip")).to_have_count(3)
    await expect(page.locator(".turn-notice")).to_be_empty()


async def test_a_stream_that_cannot_be_resumed_says_so_and_keeps_what_came(open_page: Open) -> None:
    page = await open_page(quiet=False)
    await ask(page, "lost for good")
    await answered(page)
    await expect(page.locator(".turn-notice")).to_contain_text("The answer was interrupted. What arrived is kept.")
    await expect(page.locator(".answer")).to_contain_text("In week 03")
    await expect(page.get_by_role("button", name="Try again")).to_be_visible()


async def test_an_error_of_the_answer_is_told_with_a_way_on(open_page: Open, fake: FakeApi) -> None:
    page = await open_page()
    await ask(page, "fails to answer")
    await expect(page.locator(".turn-notice")).to_contain_text("the disk is full")
    await page.get_by_role("button", name="Try again").click()
    await expect(page.locator(".turn")).to_have_count(2)
    assert len(fake.asked) == 2


async def test_a_question_that_could_not_be_asked_is_not_lost(open_page: Open) -> None:
    page = await open_page(quiet=False)
    await ask(page, "invalid scope")
    await expect(page.locator(".turn-notice")).to_contain_text("the scope term")
    await expect(page.locator("#question")).to_have_value("invalid scope")


async def test_a_server_that_is_gone_is_named_and_nothing_typed_is_lost(open_page: Open) -> None:
    page = await open_page(quiet=False)
    await page.route("**/api/ask", lambda route: route.abort())
    await ask(page, "are you there?")
    await expect(page.locator(".turn-notice")).to_contain_text("Cortex is not running here.")
    await expect(page.locator("#question")).to_have_value("are you there?")


async def test_a_conversation_is_there_after_a_reload(open_page: Open) -> None:
    page = await open_page()
    for question in ("Why Kafka?", "cats how many?"):
        await ask(page, question)
        await answered(page)
    await page.reload()
    await expect(page.locator(".turn")).to_have_count(2)
    await answered(page)
    await expect(page.locator(".turn").nth(0).locator(".chip")).to_have_count(3)
    await expect(page.locator(".turn").nth(1).locator(".nearest li")).to_have_count(3)


async def scrolled(page: Page) -> float:
    found: float = await page.evaluate("scrollY")
    return found


@pytest.mark.parametrize("viewport", [{"width": 1280, "height": 800}, PHONE], ids=["wide", "phone"])
async def test_nothing_moves_while_a_long_answer_streams(open_page: Open, viewport: dict[str, int]) -> None:
    page = await open_page(viewport=viewport)
    await page.evaluate(
        """() => {
            window.shift = 0;
            new PerformanceObserver(list => {
                for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
            }).observe({type: "layout-shift", buffered: true});
        }"""
    )
    await ask(page, "long story")
    await expect(page.locator(".answer")).to_contain_text("word60")
    question = await page.locator(".question").bounding_box()
    assert question is not None
    assert question["y"] < 120
    settled = await scrolled(page)
    await page.mouse.move(200, 300)
    await page.mouse.wheel(0, -5)
    while (before := await scrolled(page)) == settled > 0:
        await page.wait_for_timeout(20)
    await answered(page)
    assert await scrolled(page) == before
    assert await page.evaluate("window.shift") < 0.01
    await expect(page.locator("#more")).to_be_visible()
    await page.locator("#more").click()
    await expect(page.locator("#more")).to_be_hidden()


@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
async def test_no_room_is_kept_for_an_answer_that_does_not_come(open_page: Open, viewport: dict[str, int]) -> None:
    page = await open_page(quiet=False, viewport=viewport)
    await page.route("**/api/ask", lambda route: route.abort())
    await ask(page, "are you there?")
    await page.locator(".turn-notice button").wait_for()
    gap = await page.evaluate(
        """document.querySelector(".turn-notice p").getBoundingClientRect().top
            - document.querySelector(".question").getBoundingClientRect().bottom"""
    )
    assert gap < 40


async def test_an_empty_question_is_asked_for_in_the_box(open_page: Open, fake: FakeApi) -> None:
    page = await open_page()
    await page.locator("#send").click()
    await expect(page.locator("#composer-error")).to_have_text("Write a question first.")
    await expect(page.locator("#question")).to_be_focused()
    assert fake.asked == []


async def test_a_question_from_a_button_leaves_the_focus_in_the_box(open_page: Open) -> None:
    page = await open_page()
    await page.locator(".suggestion").first.focus()
    await page.keyboard.press("Enter")
    await answered(page)
    await expect(page.locator("#question")).to_be_focused()
    await page.goto(page.url.rsplit("/c/", 1)[0])
    await ask(page, "cats how many?")
    await answered(page)
    await page.locator(".nearest button").first.focus()
    await page.keyboard.press("Enter")
    await page.locator(".turn").nth(1).wait_for()
    await expect(page.locator("#question")).to_be_focused()


async def test_on_a_phone_the_keyboard_stays_away_from_an_answer(open_page: Open) -> None:
    page = await open_page(viewport=PHONE, has_touch=True, is_mobile=True)
    await page.locator(".suggestion").first.tap()
    await answered(page)
    await expect(page.locator("#question")).not_to_be_focused()
    await page.reload()
    await answered(page)
    await expect(page.locator("#question")).not_to_be_focused()
