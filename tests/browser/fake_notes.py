"""What the stand-in API tells: a few notes in two languages, with emoji, and the events of answers about them."""

from __future__ import annotations

import datetime as dt
import itertools
import re
from typing import Any

from cortex.text.html import to_html
from cortex.text.markdown import outline

from .fake_backups import backup

WEEK = """# 2026 Q1 week 03 🗓️

Snow all week 🌨️❄️. Mostly wrote the import script.

## Decisions 🎯

- In week 03 we decided to drop Kafka and keep Postgres 🐘 for the queue.
- Retention stays at thirty days, see [[Retention]].

## Next

1. Move the `jobs` table 🚚 and **measure** it.
2. Ask 小林 about 运维成本.

| What | Cost |
| ---- | ---- |
| Kafka 💸 | 3 servers |
| Postgres | none |

```python
queue = "jobs"  # 🐘 one table
```
"""

CHOICE = """# 队列选型

之前考虑过三种方案：Kafka、RabbitMQ 和 Postgres。

## 结论

最后没有用 Kafka，运维成本太高；先用 Postgres 的一张表 😀😀 顶着，等每天超过一百万条再说。

## 后续

下个季度再看一次。
"""


RETENTION = "# Retention\n\nEvents are kept for thirty days. After that the worker removes them, 𝒏ot before.\n"

IMAGES = """# The new flat

The plan that the agent sent, the rooms from left to right: study, kitchen, ours; below them the hall.

![a plan](img/plan.png)

The photo of the view was never uploaded:

![the view](view.png)

And what the rents did in two years:

![a chart](https://example.com/x.png)
"""

TEXTS = {
    81: ("2026 Q1 week 03 🗓️", WEEK, "en"),
    82: ("队列选型", CHOICE, "zh"),
    83: ("Retention", RETENTION, "en"),
    84: ("The new flat", IMAGES, "en"),
}
QUOTES = {
    1: (81, "In week 03 we decided to drop Kafka and keep Postgres 🐘 for the queue."),
    2: (82, "最后没有用 Kafka，运维成本太高；先用 Postgres 的一张表 😀😀 顶着，等每天超过一百万条再说。"),
    3: (83, "Events are kept for thirty days."),
}
MARKDOWN = """### What was decided

The queue stays in **Postgres** [1], see *retention* [3] and `SELECT … SKIP LOCKED`.

1. Move the `jobs` table
   - measure it first
2. 先用一张表顶着 [2]

> Events are kept for thirty days.

| What | Cost |
| --- | --- |
| Kafka | 3 servers |
| Postgres | none |

```sql
SELECT id FROM jobs WHERE state = 'new' ORDER BY id FOR UPDATE SKIP LOCKED LIMIT 1; -- one at a time, however many workers
```
"""
LABELS = {
    "weekly:20261-20261": ("Weekly notes, 2026 Q1", "周记，2026 年第一季度"),
    "topic:Kafka": ("Kafka", "Kafka"),
    "note:82": ("Note 82", "笔记 82"),
}
SLOW = {
    "en": "In week 03 you decided to drop Kafka and to keep Postgres for the queue [1]. Kafka would have needed three servers and someone "
    "who looks after them; one table in Postgres does the same until there are more than a million events a day [2]. ",
    "zh": "第三周的周记里，你决定不用 Kafka，继续用 Postgres 做队列[1]。原因是运维成本太高：Kafka 要三台服务器，还要有人照看；"
    "一张表可以顶到每天一百万条[2]。",
}
REFUSAL = {"en": "I could not find an answer to this in your notes.", "zh": "在你的笔记里没有找到这个问题的答案。"}


def ago(**span: float) -> str:
    return (dt.datetime.now(dt.UTC) - dt.timedelta(**span)).isoformat()


def place(n: int) -> tuple[int, int]:
    """Where quote n stands in its document, in code points."""
    document_id, quote = QUOTES[n]
    start = TEXTS[document_id][1].index(quote)
    return start, start + len(quote)


def source(n: int) -> dict[str, Any]:
    document_id, quote = QUOTES[n]
    title, text, lang = TEXTS[document_id]
    start, end = place(n)
    first, last = max(0, text.rfind("\n\n", 0, start)), min(len(text), end + 60)
    names = {1: ("journals", "weekly", "2026-01-12", 20261), 2: ("journals", "topic", "2026-01-14", None)}
    name, kind, date, period = names.get(n, ("papers", "note", None, None))
    return {
        "n": n, "document_id": document_id, "title": title, "url": f"file:///notes/{document_id}.md", "source": name,
        "source_name": name, "open_url": f"obsidian://open?path=%2Fnotes%2F{document_id}.md" if n == 2 else None,
        "kind": kind, "lang": lang, "date": date, "period": period, "topic": None, "also_in": [],
        "passage": {"text": text[first:last], "start": first, "end": last},
    }  # fmt: skip


def citation(i: int, n: int, *, verified: bool = True) -> dict[str, Any]:
    start, end = place(n)
    return {"i": i, "n": n, "quote": QUOTES[n][1], "start": start, "end": end, "verified": verified}


def sources_event(answer_id: int, scope: str, **changes: Any) -> tuple[str, dict[str, Any]]:
    terms = [
        {"term": term, "label_en": LABELS.get(term, (term, term))[0], "label_zh": LABELS.get(term, (term, term))[1], "inferred": False}
        for term in scope.split(";") if term
    ]  # fmt: skip
    return "sources", {
        "answer_id": answer_id, "conversation_id": 7, "scope": scope, "scope_terms": terms, "coverage": "strong",
        "in_scope": 13, "read": 3, "sources": [source(n) for n in QUOTES], **changes,
    }  # fmt: skip


def done(answer_id: int, **changes: Any) -> dict[str, Any]:
    return {
        "answer_id": answer_id, "refused": False, "cached": False, "language": "en", "stopped": False,
        "usage": {"input_tokens": 0, "output_tokens": 0, "cost_usd": 0.0},
        "sent": {"provider": None, "passages": 0, "hidden": {}}, "timings_ms": {"deep": 21.0, "total": 48.0}, **changes,
    }  # fmt: skip


def events(kind: str, answer_id: int, body: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """The events of an answer of that kind; `_wait` is how long to hold one back, in seconds."""
    scope = body.get("scope", "")
    end = ("done", done(answer_id))
    if kind == "cats" or "猫" in kind:
        unread = {"notes": {"waiting": 3, "total": 62}, "passages": {"waiting": 90, "total": 400}}
        refused = ("done", done(answer_id, refused=True, unread=unread if "new" in body["question"] else None))
        return [
            sources_event(answer_id, scope, coverage="none", read=3),
            ("delta", {"text": REFUSAL[_lang(body["question"])]}),
            refused,
        ]
    if kind == "long":
        words = [
            ("delta", {"text": f"word{k} 一些文字 " + ("[1]\n\n" if k % 40 == 39 else ""), "_wait": 1 / 60})
            for k in range(360)
        ]
        return [sources_event(answer_id, scope), *words, end]
    if kind == "slow":
        return [
            sources_event(answer_id, scope),
            *[("delta", {"text": text, "_wait": 0.05}) for text in _words(body["question"], 2000)],
            end,
        ]
    if kind == "fails":
        return [
            sources_event(answer_id, scope),
            ("error", {"type": "upstream", "title": "Disk", "detail": "the disk is full"}),
        ]
    if kind == "rows":
        text = "- | Kafka | 3 servers | [1]\n- The log is in [[Retention]] and [[Week 03|that week]]. [1]"
        return [sources_event(answer_id, scope), ("delta", {"text": text}), ("citation", citation(1, 1)), end]
    if kind == "markdown":
        return [sources_event(answer_id, scope), ("delta", {"text": MARKDOWN}), end]
    if kind == "cached":
        end = ("done", done(answer_id, cached=True, cached_at="2026-03-01T10:00:00+00:00"))
    quotes = [piece for i, n in enumerate(QUOTES, 1) for piece in (
        ("delta", {"text": ("" if i == 1 else "\n") + f"- {QUOTES[n][1]} [{n}]"}), ("citation", citation(i, n)))]  # fmt: skip
    if kind == "unverified":
        quotes[-1] = ("citation", citation(3, 3, verified=False))
    changes: dict[str, Any] = {"coverage": "weak"} if kind == "weak" else {}
    if kind == "guess" and body.get("times") != "off":
        guessed = {"term": "weekly:20261-20261", "label_en": "2026 Q1", "label_zh": "2026 年第一季度", "inferred": True}
        changes, scope = {"scope_terms": [guessed]}, "weekly:20261-20261"
    return [sources_event(answer_id, scope, **changes), *quotes, end]


def _words(question: str, n: int) -> list[str]:
    """The words of a slow answer in the question's language, over and over."""
    lang = _lang(question)
    words = re.findall(r"\[\d\]|.[^\[]?" if lang == "zh" else r"\S+ ", SLOW[lang])
    return list(itertools.islice(itertools.cycle(words), n))


def _lang(text: str) -> str:
    return "zh" if any("\u4e00" <= letter <= "\u9fff" for letter in text) else "en"


def stored(answer_id: int, body: dict[str, Any], told: list[tuple[str, dict[str, Any]]]) -> dict[str, Any]:
    """An answer as GET /api/conversations tells it later."""
    first, last = told[0][1], told[-1][1]
    return {
        "answer_id": answer_id, "conversation_id": 7, "question": body["question"], "scope": first["scope"],
        "scope_terms": first["scope_terms"], "in_scope": first["in_scope"], "read": first["read"], "state": "done",
        "language": "en", "text": "".join(data["text"] for event, data in told if event == "delta"),
        "refused": last.get("refused", False), "coverage": first["coverage"], "sources": first["sources"], "done": last,
        "citations": [data for event, data in told if event == "citation"],
    }  # fmt: skip


def scopes(query: str) -> dict[str, Any]:
    named = {
        "topics": ["Kafka", "搬家", "Retention", "A;B 100%"],
        "tags": ["work", "工作"],
        "sources": ["journals", "papers"],
    }
    kept = {kind: [name for name in names if query.lower() in name.lower()] for kind, names in named.items()}
    counts = {"": 62, "weekly": 26, "weekly:20254-20254": 13, "weekly:20261-20261": 13, "topic:Kafka": 9, "topic:搬家": 4,
              "topic:Retention": 3, "topic:A;B 100%": 1, "tag:work": 12, "tag:工作": 8,
              "source:journals": 40, "source:papers": 22}  # fmt: skip
    return {"periods": [20261, 20254], **kept, "weekly": 26, "counts": counts}


def conversations() -> list[dict[str, Any]]:
    titles = [
        "Why did I drop Kafka in Q1?",
        "搬家那天发生了什么？",
        "Which port comes first for Heron and why not Rotterdam?",
    ]
    return [
        {"conversation_id": 7 + n, "title": title, "created_at": ago(days=n), "updated_at": ago(days=n)}
        for n, title in enumerate(titles)
    ]


def titled(query: str) -> list[dict[str, Any]]:
    found = [source(n) for n in QUOTES if query.lower() in source(n)["title"].lower()]
    return [
        {key: each[key] for key in ("document_id", "title", "source", "kind", "lang", "date", "period")}
        for each in found
    ]


def search(limit: int = 20) -> dict[str, Any]:
    legs = {"deep": {"rank": 1, "score": 0.83}, "body": {"rank": 4, "score": 7.2}}
    return {
        "results": [{**source(n), "score": 1 / n, "legs": legs} for n in QUOTES][:limit],
        "timings_ms": {"deep": 21.0, "body": 3.0},
    }


def status(*, filled: int = 900, total: int = 900, eta_s: float | None = 0.0) -> dict[str, Any]:
    space = {"provider": "bundled", "dims": 384, "total": total}
    return {
        "version": "0.1.0", "documents": 62, "passages": 900, "waiting": 0, "failed": 0, "paused": False,
        "spaces": [
            {**space, "name": "fast", "model": "use-multilingual-v3", "filled": total, "eta_s": 0.0},
            {**space, "name": "deep", "model": "multilingual-e5-small-q4", "filled": filled, "eta_s": eta_s},
        ],
        "queue": {"pending": 0, "running": 0, "failed": 0, "oldest_s": None}, "worker": {"alive": True, "heartbeat_s": 1.0},
        "backup": backup(hours=9),
    }  # fmt: skip


def document(document_id: int) -> dict[str, Any] | None:
    if document_id not in TEXTS:
        return None
    title, text, lang = TEXTS[document_id]
    told = next((source(n) for n, (of, _) in QUOTES.items() if of == document_id), source(1))
    heads = [{"level": head.level, "text": head.text, "start": head.start} for head in outline(text)]
    return {
        **{key: told[key] for key in ("document_id", "title", "url", "open_url", "source", "kind", "lang", "date", "period", "topic")},
        "document_id": document_id, "title": title, "tags": ["work"], "text": text,
        "html": to_html(text, resolve=lambda target: "/d/83" if target == "Retention" else None),
        "outline": heads, "backlinks": [{"document_id": 83, "title": "Retention"}], "metadata": {"path": f"{document_id}.md"},
        "editable": False,
    }  # fmt: skip
