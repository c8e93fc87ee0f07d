"""The service worker: pages without a server, versions that never mix, and that it can be got rid of."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.async_api import Page, expect

from cortex.web import pages, service_worker

from .conftest import PHONE, Open
from .devices import ready, until
from .fake_api import FakeApi

pytestmark = pytest.mark.browser


OtherVersion = Callable[[str], None]


@pytest.fixture
def other_version(monkeypatch: pytest.MonkeyPatch) -> Iterator[OtherVersion]:
    """`other_version("two")`: from now on the server is of that version."""

    def other(name: str) -> None:
        service_worker.script.cache_clear()
        monkeypatch.setattr(service_worker, "version", lambda: name)

    yield other
    service_worker.script.cache_clear()


async def caches(page: Page) -> list[str]:
    found: list[str] = await page.evaluate("caches.keys()")
    return sorted(name for name in found if name != "cortex-pages")


async def registered(page: Page) -> int:
    n: int = await page.evaluate("navigator.serviceWorker.getRegistrations().then(all => all.length)")
    return n


@pytest.mark.parametrize("lang", ["en", "zh"])
async def test_every_page_is_there_without_a_server(open_page: Open, fake: FakeApi, lang: str) -> None:
    page = await open_page(lang=lang, quiet=False)
    await ready(page)
    await page.context.set_offline(True)
    for path in service_worker.PAGES:
        await page.goto(fake.url + path.replace("/0", "/4711"))
        await expect(page.locator("h1")).to_have_count(1)
        await expect(page.locator("html")).to_have_attribute("lang", lang)
        # Its modules ran: the rail says why it is empty.
        await expect(page.locator("#recent-list")).not_to_be_empty()
        assert await page.evaluate("[...document.styleSheets].length") >= 4


async def test_a_language_chosen_offline_is_served_and_the_one_chosen_online_is_remembered(
    open_page: Open, fake: FakeApi
) -> None:
    page = await open_page(lang="en", quiet=False)
    await ready(page)
    await page.goto(f"{fake.url}/find?lang=zh")
    await expect(page.locator("html")).to_have_attribute("lang", "zh")
    await page.context.set_offline(True)
    await page.goto(f"{fake.url}/notes")
    await expect(page.locator("html")).to_have_attribute("lang", "zh")
    await page.goto(f"{fake.url}/notes?lang=en")
    await expect(page.locator("html")).to_have_attribute("lang", "en")


async def test_nothing_that_the_api_says_is_kept(open_page: Open, fake: FakeApi) -> None:
    page = await open_page("/notes")
    await ready(page)
    await page.goto(f"{fake.url}/d/81")
    await page.locator("#document-body p").first.wait_for()
    kept: list[str] = await page.evaluate(
        """async () => {
            const found = [];
            for (const name of await caches.keys())
                for (const request of await (await caches.open(name)).keys()) found.push(new URL(request.url).pathname);
            return found;
        }"""
    )
    assert len(kept) > 100
    assert [path for path in kept if path.startswith(("/api", "/health", "/sw.js"))] == []


async def test_a_proxy_whose_cortex_is_away_is_no_page(open_page: Open, fake: FakeApi) -> None:
    page = await open_page(quiet=False)
    await ready(page)
    fake.away = True
    await page.goto(f"{fake.url}/notes")
    await expect(page.locator("#notes-heading")).to_be_visible()
    await expect(page.locator("#device-state")).to_contain_text(
        "Offline. You can write and find notes kept on this device."
    )
    fake.away = False
    await expect(page.locator("#device-state")).to_be_hidden()


async def test_a_new_version_asks_before_it_comes(open_page: Open, fake: FakeApi, other_version: OtherVersion) -> None:
    page = await open_page("/settings/language", viewport=PHONE)
    await ready(page)
    before = await caches(page)
    other_version("two")
    await page.evaluate("navigator.serviceWorker.getRegistration().then(r => r.update()).then(() => true)")
    await expect(page.locator("#device-state")).to_contain_text("A new version is there.")
    assert await caches(page) == sorted([*before, "cortex-two"])
    assert await page.evaluate("document.body.dataset.version") == before[0].removeprefix("cortex-")
    async with page.expect_navigation():
        await page.get_by_role("button", name="Reload").click()
    assert await page.evaluate("document.body.dataset.version") == "two"
    await expect(page.locator("#device-state")).to_be_hidden()
    assert await caches(page) == ["cortex-two"]


async def test_a_page_of_a_newer_server_gets_files_of_its_own_version(
    open_page: Open, fake: FakeApi, other_version: OtherVersion
) -> None:
    """Between the upgrade and the reload of every tab, a page never meets another version's modules."""
    page = await open_page(quiet=False)
    await ready(page)
    mine = (await caches(page))[0]
    other_version("two")
    # What the old version's cache holds is marked, so that it can be told from what the server has.
    await page.evaluate(
        """async name => {
            const cache = await caches.open(name);
            const path = "/static/css/tokens.css";
            const text = await (await cache.match(path)).text();
            await cache.put(path, new Response(":root { --of: old } " + text, { headers: { "Content-Type": "text/css" } }));
        }""",
        mine,
    )
    of = "getComputedStyle(document.documentElement).getPropertyValue('--of')"
    other = await page.context.new_page()
    await other.goto(f"{fake.url}/find")
    assert await other.evaluate("document.body.dataset.version") == "two"
    assert await other.evaluate(of) == ""
    text = await page.evaluate("fetch('/static/css/tokens.css').then(r => r.text())")
    assert "--of" in text


async def test_a_page_in_the_waiting_version_lets_it_in_when_it_is_alone(
    open_page: Open, fake: FakeApi, other_version: OtherVersion
) -> None:
    page = await open_page()
    await ready(page)
    other_version("two")
    await page.goto(f"{fake.url}/find")
    await until(
        page, "dom", "caches.keys().then(all => all.filter(name => name !== 'cortex-pages').join() === 'cortex-two')"
    )
    await expect(page.locator("#device-state")).to_be_hidden()


@pytest.mark.parametrize("status", [404, 410])
async def test_a_server_without_the_worker_ends_it(open_page: Open, fake: FakeApi, status: int) -> None:
    page = await open_page(quiet=False)
    await ready(page)
    fake.worker = status
    await page.goto(f"{fake.url}/notes")
    await until(page, "dom", "navigator.serviceWorker.getRegistrations().then(all => all.length === 0)")
    await until(page, "dom", "caches.keys().then(all => all.length === 0)")


async def test_pages_of_an_older_server_end_it_by_themselves(
    open_page: Open, fake: FakeApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those have neither the header nor a module that could do it."""
    page = await open_page(quiet=False)
    await ready(page)
    monkeypatch.setattr(service_worker, "HEADER", "X-Something")
    monkeypatch.setattr(pages, "render", lambda *_, **__: "<!doctype html><title>Cortex</title><h1>Find</h1>")
    fake.worker = 404
    await page.goto(f"{fake.url}/find")
    await until(page, "dom", "navigator.serviceWorker.getRegistrations().then(all => all.length === 0)")
    await until(page, "dom", "caches.keys().then(all => all.length === 0)")


async def test_a_failure_of_the_script_alone_ends_nothing(open_page: Open, fake: FakeApi) -> None:
    page = await open_page(quiet=False)
    await ready(page)
    fake.worker = 500
    await page.goto(f"{fake.url}/notes")
    await page.wait_for_timeout(600)
    assert await registered(page) == 1
    assert len(await caches(page)) == 1


async def test_the_browser_would_install_it(open_page: Open) -> None:
    page = await open_page()
    await ready(page)
    session = await page.context.new_cdp_session(page)
    manifest = await session.send("Page.getAppManifest")
    assert manifest["errors"] == []
    found = (await session.send("Page.getInstallabilityErrors"))["installabilityErrors"]
    assert [error for error in found if error["errorId"] != "in-incognito"] == []
