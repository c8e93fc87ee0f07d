"""Which language a text is in."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cortex.text.language import Lang, detect

Clock = Callable[[Callable[[], object]], float]


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("今天和李雷讨论了检索系统。", "zh"),
        ("We discussed retrieval today.", "en"),
        ("用 Postgres 和 pgvector 做 HNSW 索引", "zh"),
        ("我们在 Docker Compose 里跑 Redis 和 Kafka，用 Grafana 看监控。", "zh"),
        ("I met 李雷 today to discuss the reranking plan.", "en"),
        ("The word 周记 means weekly journal, and 专题 means topic.", "en"),
        (
            "## 安装\n\n```sh\n"
            + "apt install postgresql and run many english words\n" * 30
            + "```\n先装数据库，再建索引。",
            "zh",
        ),
        ("见 https://example.com/a/very/long/english/address/with/words", "zh"),
        ("```\n# 注释\nx = 1\n```", "zh"),
        ("今日は図書館に行きました", "zh"),
        ("圖書館的書", "zh"),
        ("Bonjour tout le monde", "en"),
        ("", "en"),
        ("2024-05-03 12:30", "en"),
        ("🎉", "en"),
        ("猫", "zh"),
        ("What is 周记?", "en"),
        ("Explain 内卷", "en"),
        ("What did 李雷 say about 检索系统?", "en"),
        ("HNSW 是什么", "zh"),
        ("Docker Compose 怎么用", "zh"),
        ("读了 The Lean Startup 这本书", "zh"),
    ],
)
def test_detects(text: str, lang: Lang) -> None:
    assert detect(text) == lang


def test_naughty_strings_raise_nothing(naughty: list[str]) -> None:
    for text in naughty:
        assert detect(text) in ("en", "zh")


def test_hostile_texts_take_linear_time(hostile: str, clock: Clock) -> None:
    assert clock(lambda: detect(hostile * 4)) < 16 * clock(lambda: detect(hostile)) + 0.05
