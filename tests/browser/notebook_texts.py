"""A few notes of somebody's own, in two languages, as the stand-in has them at the start: (how long ago, the note)."""

from __future__ import annotations

import datetime as dt
from typing import Any

WEEK = """## 本周

- 决定不用 Kafka，见 [[队列选型]]
- [x] 给房东回信
- [ ] 把 `jobs` 表挪到新库

## 下周

1. 量一量写入速度
2. 周五之前写完 [[Retention]]
"""

KAFKA = """之前考虑过三种方案：Kafka、RabbitMQ 和 Postgres。

## 结论

最后没有用 Kafka，运维成本太高；先用 Postgres 的一张表顶着，等每天超过一百万条再说。

> 三台服务器，还要有人照看。

| 方案 | 每月成本 |
| --- | --- |
| Kafka | 三台服务器 |
| Postgres | 没有 |
"""

KAFKA_FIRST = """之前考虑过两种方案：Kafka 和 RabbitMQ。

## 结论

先用 Kafka 的三台服务器顶着，等每天超过一百万条再说。

> 三台服务器，还要有人照看。
"""

KAFKA_SECOND = """之前考虑过三种方案：Kafka、RabbitMQ 和 Postgres。

## 结论

最后没有用 Kafka，运维成本太高；先用 Postgres 的三张表顶着，等每天超过十万条再说。

> 三台服务器，还要有人照看。
"""

RETENTION = """Events are kept for thirty days. After that the worker removes them, not before.

## Why thirty

The auditors ask for three weeks; the fourth is for us. Longer than that nobody has ever looked, and a longer table is a slower one: \
at ninety days the nightly run took **forty minutes**.

## Open

- [ ] Ask Lin whether the backups count
- [ ] Say so in the handbook
"""

RETENTION_COPY = RETENTION.replace("thirty days. After", "sixty days. After").replace("three weeks", "six weeks")

MOVE = """搬家公司周六早上九点到。

- 书柜要拆，工具在蓝色箱子里
- 猫先送到妈妈家
- 押金条在文件夹第三页

![新家的平面图](/api/attachments/plan?name=plan.png)
"""

BREAD = """75 % water, 2 % salt, 20 % starter. In winter an hour longer.

1. Mix and rest for forty minutes
2. Fold four times
3. Overnight in the fridge

What [[Grandmother's oven]] did, ours does not.
"""

ANSWER = """In week 03 you decided to drop Kafka and keep Postgres for the queue. [1]

[1] [2026-W03](/notes/501)
"""


def _ago(**span: float) -> dt.timedelta:
    return dt.timedelta(**span)


NOTES: list[tuple[dt.timedelta, dict[str, Any]]] = [
    (_ago(minutes=4), {"title": "2026-W03", "body": WEEK, "kind": "weekly", "date": "2026-01-12", "period": 20261, "tags": ["工作"]}),
    (_ago(hours=3), {"title": "队列选型", "body": KAFKA, "kind": "topic", "topic": "Kafka", "tags": ["工作", "work"],
                     "earlier": [(_ago(days=40), KAFKA_FIRST), (_ago(days=12), KAFKA_SECOND)]}),
    (_ago(hours=20), {"title": "Retention", "body": RETENTION, "tags": ["work"]}),
    (_ago(hours=20, minutes=5), {"title": "Retention (conflict 30 Nov)", "body": RETENTION_COPY, "tags": ["work"],
                                        "conflict_of": "Retention"}),
    (_ago(days=2), {"title": "搬家", "body": MOVE, "tags": ["家"],
                    "index": {"state": "failed", "reason": "the worker was stopped three times while it read this note"}}),
    (_ago(days=5), {"title": "Sunday bread", "body": BREAD, "tags": ["kitchen"]}),
    (_ago(days=16), {"title": "Why did I drop Kafka in Q1?", "body": ANSWER, "origin": "answer"}),
    (_ago(days=90), {"title": "", "body": "A line without a title, written on the train between Lyon and Geneva\n"}),
]  # fmt: skip
