"""Finding without an answer, titles while typing, suggested questions, and the conversations in the rail."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from . import fake_notes as notes
from . import fake_sources as listed
from .conftest import PHONE, Open, answered, ask
from .fake_api import FakeApi

pytestmark = pytest.mark.browser


async def test_alt_enter_only_finds_and_leads_to_the_passage_and_back(open_page: Open, fake: FakeApi) -> None:
    page = await open_page("/?scope=topic:Kafka")
    await page.locator("#question").fill("kafka queue")
    await page.locator("#question").press("Alt+Enter")
    await page.wait_for_url("**/find?q=kafka+queue&scope=topic%3AKafka")
    first = page.locator(".found").first
    await expect(first).to_contain_text("journals · 12 Jan 2026")
    await expect(first).to_contain_text("Found by meaning (deep) and words in text")
    await expect(first.locator(".found-words mark").first).to_have_text("Kafka")
    await expect(page.locator("#scope .chosen")).to_have_text("Kafka")
    assert fake.asked == []
    await page.get_by_role("link", name="队列选型").click()
    await expect(page.locator("#document-body mark").first).to_be_visible()
    await page.get_by_role("link", name="Back").click()
    await expect(page.locator("#find-q")).to_have_value("kafka queue")


async def test_a_scope_that_is_chosen_finds_again(open_page: Open) -> None:
    page = await open_page("/find?q=flat")
    await page.locator("#scope-open").click()
    await page.get_by_role("button", name="搬家 4").click()
    await page.wait_for_url("**/find?q=flat&scope=topic%3A*")
    await expect(page.locator("#scope .chosen")).to_have_text("搬家")
    await page.get_by_role("link", name="Ask this as a question").click()
    await expect(page.locator("#question")).to_have_value("flat")
    await expect(page.locator("#scope .chosen")).to_have_text("搬家")


async def test_nothing_found_and_a_server_that_is_away_are_said(open_page: Open) -> None:
    page = await open_page("/find?q=nothing")
    await expect(page.locator("#find-state")).to_contain_text("No note matches.")
    page = await open_page("/find", quiet=False)
    await page.route("**/api/search*", lambda route: route.abort())
    await page.locator("#find-q").fill("kafka")
    await page.locator("#find-q").press("Enter")
    await expect(page.locator("#find-state")).to_contain_text("Cortex is not running here.")
    await page.unroute("**/api/search*")
    await page.get_by_role("button", name="Try again").click()
    await expect(page.locator(".found")).to_have_count(3)


async def test_titles_are_offered_while_typing_and_opened_by_keyboard(open_page: Open, fake: FakeApi) -> None:
    page = await open_page()
    box = page.locator("#question")
    await box.press_sequentially("reten")
    await expect(page.locator("#titles a")).to_have_count(1)
    await box.press("ArrowDown")
    await expect(page.locator("#titles a")).to_be_focused()
    await page.keyboard.press("Escape")
    await expect(page.locator("#titles")).to_be_hidden()
    await expect(box).to_be_focused()
    await expect(box).to_have_value("reten")
    await box.press_sequentially("tion")
    await page.locator("#titles a").click()
    await page.wait_for_url("**/d/83")
    assert fake.asked == []


async def test_no_titles_are_looked_for_while_composing(open_page: Open) -> None:
    page = await open_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/api/documents?" in request.url else None)
    await page.locator("#question").focus()
    session = await page.context.new_cdp_session(page)
    await session.send("Input.imeSetComposition", {"text": "duilie", "selectionStart": 6, "selectionEnd": 6})
    await page.wait_for_timeout(400)
    assert asked == []
    await session.send("Input.insertText", {"text": "队列"})
    await expect(page.locator("#titles a")).to_have_text("队列选型journals · 14 Jan 2026 · 中文")
    assert len(asked) == 1


async def test_suggestions_ask(open_page: Open, fake: FakeApi) -> None:
    page = await open_page()
    await page.get_by_role("button", name="What did I decide about 搬家?").click()
    await answered(page)
    assert fake.asked[0]["question"] == "What did I decide about 搬家?"
    await expect(page.locator("#suggestions")).to_be_hidden()


async def test_the_sample_suggests_questions_that_it_answers(open_page: Open, fake: FakeApi) -> None:
    fake.sources = [listed.sample()]
    page = await open_page()
    await expect(page.locator("#suggestions button")).to_have_count(4)
    await expect(page.locator("#suggestions button[lang=zh]")).to_have_count(1)


async def test_conversations_are_listed_renamed_and_deleted(open_page: Open, fake: FakeApi) -> None:
    page = await open_page()
    await expect(page.locator(".recent-row")).to_have_count(3)
    await expect(page.locator(".recent-row a").nth(1)).to_have_attribute("lang", "zh")
    await page.locator(".recent-row").nth(1).hover()
    await page.locator(".recent-change").nth(1).click()
    name = page.get_by_label("Name of the conversation")
    await expect(name).to_be_focused()
    await name.fill("Moving day")
    await name.press("Enter")
    await expect(page.locator(".recent-row a").nth(1)).to_have_text("Moving day")
    await expect(page.locator(".recent-row a").nth(1)).to_be_focused()
    await page.locator(".recent-change").nth(1).focus()
    await page.keyboard.press("Enter")
    await page.get_by_role("button", name="Delete…").click()
    assert len(fake.conversations) == 3
    await expect(page.get_by_role("dialog")).to_contain_text("Your notes stay.")
    await page.get_by_role("button", name="Delete for good").click()
    await expect(page.locator(".recent-row")).to_have_count(2)
    await expect(page.get_by_role("dialog")).to_have_count(0)


async def test_an_enter_of_an_input_method_does_not_rename(open_page: Open, fake: FakeApi) -> None:
    page = await open_page()
    await page.locator(".recent-change").first.focus()
    await page.keyboard.press("Enter")
    await page.get_by_label("Name of the conversation").evaluate(
        """field => field.dispatchEvent(new KeyboardEvent("keydown", {key: "Enter", keyCode: 229, bubbles: true, cancelable: true}))"""
    )
    await expect(page.get_by_role("dialog")).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("dialog")).to_have_count(0)
    assert [each["title"] for each in fake.conversations] == [each["title"] for each in notes.conversations()]


async def test_older_conversations_come_by_the_page(open_page: Open, fake: FakeApi) -> None:
    fake.conversations = [{"conversation_id": n, "title": f"Question {n}"} for n in range(1, 31)]
    page = await open_page()
    await expect(page.locator(".recent-row")).to_have_count(20)
    await page.get_by_role("button", name="More", exact=True).click()
    await expect(page.locator(".recent-row")).to_have_count(30)
    await expect(page.get_by_role("button", name="More", exact=True)).to_have_count(0)


async def test_on_a_phone_the_conversations_are_a_panel(open_page: Open) -> None:
    page = await open_page(viewport=PHONE, has_touch=True, is_mobile=True)
    await expect(page.locator("#recent")).to_be_hidden()
    await page.get_by_role("button", name="Recent").tap()
    await expect(page.locator(".recent-row").first).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(page.locator("#recent")).to_be_hidden()


async def test_a_new_conversation_stands_in_the_rail_and_keeps_its_scope(open_page: Open, fake: FakeApi) -> None:
    page = await open_page("/?scope=topic:Kafka")
    await ask(page, "Why Kafka?")
    await answered(page)
    await expect(page.locator(".recent-row [aria-current]")).to_have_count(1)
    await page.goto(fake.url + "/c/7")
    await answered(page)
    await expect(page.locator("#scope .chosen")).to_have_text("Kafka")


async def test_what_is_typed_outlives_a_reload_until_it_is_asked(open_page: Open) -> None:
    page = await open_page()
    await page.locator("#question").press_sequentially("half a thou")
    await page.reload()
    await expect(page.locator("#question")).to_have_value("half a thou")
    await page.locator("#question").press("Enter")
    await answered(page)
    await page.reload()
    await expect(page.locator("#question")).to_have_value("")


async def test_a_stopped_server_in_mid_answer_loses_nothing_that_is_typed(open_page: Open) -> None:
    page = await open_page(quiet=False)
    await ask(page, "gone for a while")
    await expect(page.locator(".turn-notice")).to_contain_text("Connection lost. Reconnecting…")
    await page.locator("#question").press_sequentially("and another thing")
    await expect(page.locator(".answer")).to_contain_text("drop Kafka")
    await page.reload()
    await expect(page.locator("#question")).to_have_value("and another thing")


async def test_a_question_that_finds_no_server_says_which_state_it_is(open_page: Open) -> None:
    page = await open_page(quiet=False)
    await page.route("**/api/**", lambda route: route.abort())
    await ask(page, "Why Kafka?")
    await expect(page.locator(".turn-notice")).to_contain_text("Cortex is not running here.")
    await expect(page.locator("#question")).to_have_value("Why Kafka?")


async def test_an_earlier_answer_is_named_and_asked_anew(open_page: Open, fake: FakeApi) -> None:
    page = await open_page()
    await ask(page, "cached question?")
    await answered(page)
    await expect(page.locator(".turn-notice")).to_contain_text("From an earlier answer, 1 Mar 2026.")
    await page.get_by_role("button", name="Ask again").click()
    await page.locator(".turn").nth(1).wait_for()
    assert fake.asked[1]["fresh"] is True


async def test_sources_go_by_time_and_keep_their_numbers(open_page: Open) -> None:
    page = await open_page()
    await ask(page, "Why Kafka?")
    await answered(page)
    await page.get_by_role("button", name="Newest first").click()
    assert await page.locator(".source-n").all_inner_texts() == ["2", "1", "3"]
    await page.get_by_role("button", name="Best first").click()
    assert await page.locator(".source-n").all_inner_texts() == ["1", "2", "3"]


async def test_two_days_are_a_scope(open_page: Open, fake: FakeApi) -> None:
    page = await open_page()
    await page.locator("#scope-open").click()
    await page.get_by_label("First day").fill("2024-05-01")
    await page.get_by_label("Last day").fill("2024-05-31")
    await page.get_by_role("button", name="Use these days").click()
    await expect(page.locator("#scope .chosen")).to_have_text("1 May 2024 – 31 May 2024")
    await ask(page, "What?")
    await answered(page)
    assert fake.asked[0]["scope"] == "date:2024-05-01..2024-05-31"


async def test_nothing_found_in_a_scope_leads_to_all_notes(open_page: Open) -> None:
    page = await open_page("/find?q=nothing&scope=topic:Kafka")
    await expect(page.locator("#find-state")).to_contain_text("No note matches here.")
    await page.get_by_role("link", name="Search all notes").click()
    await page.wait_for_url("**/find?q=nothing")
    await expect(page.locator("#scope .chosen")).to_have_count(0)
    await expect(page.get_by_role("link", name="Search all notes")).to_have_count(0)


async def test_without_notes_nothing_is_suggested_and_the_way_in_is_plain(open_page: Open, fake: FakeApi) -> None:
    fake.status = {**notes.status(filled=0, total=0), "documents": 0}
    fake.sources = []
    page = await open_page()
    await expect(page.locator("#suggestions")).to_be_hidden()
    await page.get_by_role("link", name="Begin").click()
    await expect(page.locator("h1")).to_have_text("Welcome to Cortex")


async def test_a_short_word_is_marked_where_there_is_no_other(open_page: Open) -> None:
    page = await open_page("/find?q=day")
    await expect(page.locator(".found-words mark").first).to_have_text("day")


async def test_on_a_phone_the_keyboard_stays_away_from_what_was_found(open_page: Open) -> None:
    page = await open_page("/find?q=kafka", viewport=PHONE, has_touch=True, is_mobile=True)
    await page.locator(".found").first.wait_for()
    await expect(page.locator("#find-q")).not_to_be_focused()


async def test_the_rail_is_walked_in_the_order_it_is_seen(open_page: Open) -> None:
    page = await open_page("/settings/language")
    await page.locator(".recent-row").first.wait_for()
    tops = await page.locator(".side :is(a, button)").evaluate_all(
        "all => all.filter(e => e.checkVisibility()).map(e => Math.round(e.getBoundingClientRect().top / 20))"
    )
    assert tops == sorted(tops)
