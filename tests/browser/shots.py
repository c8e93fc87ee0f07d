"""Screenshots of every page and state, to be looked at: `python -m tests.browser.shots OUT [--only NAME]…`.
A name stands for itself and for all that begin with it: `--only notes`.

390 and 1280 pixels wide, light and dark, English and Chinese. Most show the real application over the golden notebook; what is
hard to force there is played by the stand-in.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from playwright.async_api import Browser, async_playwright

from .conftest import CHROMIUM, FLAGS, PHONE, WIDE
from .fake_api import FakeApi, serve
from .scenes import EARLIER, SCENES, Scene, lived_in

PATIENCE_S = 300
LOCALES = {"en": "en-GB", "zh": "zh-CN"}


@contextmanager
def real_server(data: Path) -> Iterator[str]:
    """`cortex serve` over a data folder of its own, once all of the sample is indexed."""
    command = [sys.executable, "-m", "cortex", "serve", "--port", "0", "--data", str(data)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"http://\S+", process.stdout.readline())
            assert found, "the server did not start"
            _wait_until_filled(found[0])
            yield found[0]
        finally:
            process.terminate()
            process.wait(30)


def _wait_until_filled(url: str) -> None:
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        status = httpx.get(f"{url}/api/status").json()
        full = all(space["total"] and space["filled"] == space["total"] for space in status["spaces"])
        if full and not status["waiting"]:
            return
        time.sleep(1)
    raise TimeoutError("the sample was not indexed in time")


def conversations(url: str) -> set[int]:
    return {each["conversation_id"] for each in httpx.get(f"{url}/api/conversations").json()["conversations"]}


def fill_rail(url: str) -> set[int]:
    """A few conversations, so that the rail is that of a notebook in use; what they are called by."""
    told = httpx.get(f"{url}/api/conversations").json()["conversations"]
    for question in [each for each in EARLIER if each not in {known["title"] for known in told}]:
        httpx.post(f"{url}/api/ask", json={"question": question}, timeout=PATIENCE_S).raise_for_status()
    return conversations(url)


def forget_conversations(url: str, keep: set[int]) -> None:
    """What the scenes before asked would fill the rail of this one with the same two questions."""
    for conversation in conversations(url) - keep:
        httpx.delete(f"{url}/api/conversations/{conversation}").raise_for_status()


async def take(browser: Browser, scene: Scene, url: str, out: Path, look: tuple[str, str, dict[str, int]]) -> None:
    """One scene in one look, as OUT/name-width-scheme-lang.png."""
    lang, scheme, viewport = look
    options: dict[str, Any] = {"has_touch": True, "is_mobile": True} if viewport == PHONE else {}
    context = await browser.new_context(
        viewport=viewport,  # type: ignore[arg-type]
        locale=LOCALES[lang],
        color_scheme=scheme,  # type: ignore[arg-type]
        reduced_motion="reduce",
        **options,
    )
    page = await context.new_page()
    if scene.away:
        await page.route("**/api/**", lambda route: route.abort())
    await page.goto(url + scene.path)
    if scene.steps:
        await scene.steps(page, lang)
    await page.wait_for_timeout(400)
    await page.screenshot(path=out / f"{scene.name}-{viewport['width']}-{scheme}-{lang}.png")
    await context.close()


async def shoot(out: Path, scenes: list[Scene], real: str, *, quick: bool) -> None:
    """Every scene in every look, or in two."""
    earlier = await asyncio.to_thread(fill_rail, real) if any(scene.on == "real" for scene in scenes) else set()
    looks = list(itertools.product(("en", "zh"), ("light", "dark"), (WIDE, PHONE)))[:: 7 if quick else 1]
    with serve(FakeApi()) as fake:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            for scene, look in itertools.product(scenes, looks):
                fake.forget()
                lived_in(fake)
                if scene.on == "real":
                    await asyncio.to_thread(forget_conversations, real, earlier)
                if scene.prepare:
                    scene.prepare(fake)
                try:
                    await take(browser, scene, fake.url if scene.on == "fake" else real, out, look)
                except Exception as error:  # noqa: BLE001 - the others are still wanted; the exit status says it
                    print(f"{scene.name} {look}: {error}", file=sys.stderr)  # noqa: T201
            await browser.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--url", help="a server that runs already, with the sample indexed")
    parser.add_argument("--quick", action="store_true", help="two looks of each scene in place of eight")
    chosen = parser.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)
    scenes = [
        scene
        for scene in SCENES
        if not chosen.only or any(scene.name == name or scene.name.startswith(f"{name}-") for name in chosen.only)
    ]
    if chosen.url or all(scene.on == "fake" for scene in scenes):
        asyncio.run(shoot(chosen.out, scenes, chosen.url or "", quick=chosen.quick))
        return
    with tempfile.TemporaryDirectory(prefix="cortex-shots-") as data, real_server(Path(data)) as url:
        asyncio.run(shoot(chosen.out, scenes, url, quick=chosen.quick))


if __name__ == "__main__":
    main()
