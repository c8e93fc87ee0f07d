"""How `cortex bench --page` measures when the box takes a key: that it notices one, and the lack of one."""

from __future__ import annotations

import pytest

from cortex.evals.bench import page

from .fake_api import FakeApi


async def test_the_box_takes_a_key_each_time_that_the_page_is_opened(fake: FakeApi) -> None:
    taken = await page.first_key(fake.url + "/", loads=2)
    assert taken.n == 2
    assert taken.p50 > 0


async def test_a_page_without_a_box_in_focus_is_no_measurement(fake: FakeApi, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "_PATIENCE", 3)
    with pytest.raises(RuntimeError, match="takes no key"):
        await page.first_key(fake.url + "/manifest.webmanifest", loads=1)
