"""How soon the page takes a key: from the end of its HTML until a pressed key stands in the question's box, in Debian's Chromium."""

from __future__ import annotations

from pathlib import Path

from cortex.evals.bench.timing import Spread, spread

LOADS = 20
"""How often the page is opened, each time with an empty cache."""

_CHROMIUM = Path("/usr/bin/chromium")
_FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-dev-shm-usage"]
_PATIENCE = 2_000

_NOTE = 'document.addEventListener("input", () => { window.typedAt ??= performance.now(); }, { capture: true });'
_TYPED = 'window.typedAt && window.typedAt - performance.getEntriesByType("navigation")[0].responseEnd'


async def first_key(url: str, loads: int = LOADS) -> Spread:
    """Milliseconds; a key is pressed again and again from the first byte on.

    Raises:
        RuntimeError: playwright or Chromium is missing, or the box never takes a key.
    """
    try:
        from playwright.async_api import async_playwright
    except ImportError:
        raise RuntimeError("playwright is not installed (pip install 'cortex-notes[bench]')") from None
    if not _CHROMIUM.exists():
        raise RuntimeError(f"there is no {_CHROMIUM} (apt install chromium)")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=_CHROMIUM, args=_FLAGS)
        taken: list[float] = []
        for _ in range(loads):
            context = await browser.new_context()
            page = await context.new_page()
            await page.add_init_script(_NOTE)
            await page.goto(url, wait_until="commit")
            for _ in range(_PATIENCE):
                await page.keyboard.press("a")
                if found := await page.evaluate(_TYPED):
                    taken.append(found)
                    break
            else:
                raise RuntimeError(f"{url} takes no key")
            await context.close()
        await browser.close()
    return spread(taken)
