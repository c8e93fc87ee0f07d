"""The folder layout is the schema (B4); where it says nothing, front matter and names do (H1); which week 3 is meant (H2)."""

from __future__ import annotations

import datetime as dt
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortex.errors import Invalid
from cortex.sources._pattern import compile_layout
from cortex.sources.calendar import Weeks
from cortex.sources.layout import Placement, place, tags
from cortex.text import decode, frontmatter, markdown


def at(
    path: str,
    fields: dict[str, Any] | None = None,
    layout: str | None = None,
    weeks: Weeks = "quarter",
    title: str = "",
) -> Placement:
    where = PurePosixPath(path)
    return place(where.parts[:-1], where.name, fields or {}, layout, weeks, title=title)


def brief(placed: Placement) -> tuple[str, str | None, int | None]:
    return placed.kind, str(placed.date) if placed.date else None, placed.period


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("2026/Q1/week-03-notes.md", ("weekly", "2026-01-12", 20261)),
        ("journals/2026/Q1/W03.md", ("weekly", "2026-01-12", 20261)),
        ("2026/Q1/week-03/notes.md", ("weekly", "2026-01-12", 20261)),
        ("2026年/第一季度/第三周.md", ("weekly", "2026-01-12", 20261)),
        ("2026/week-03.md", ("weekly", "2026-01-12", 20261)),
        ("2026/03/week-2.md", ("weekly", "2026-03-09", 20261)),
        ("2026-W03.md", ("weekly", "2026-01-12", 20261)),
        ("Weekly Notes/2026-W03.md", ("weekly", "2026-01-12", 20261)),
        ("周记/2026年1月15日.md", ("weekly", "2026-01-15", 20261)),
        ("01 周记/随想.md", ("weekly", None, None)),
        ("2026-01-15 周记.md", ("weekly", "2026-01-15", 20261)),
        ("2026/Q1/周记.md", ("weekly", None, 20261)),
        ("2026/03/anything.md", ("note", None, 20261)),
        ("2026/03/15.md", ("note", "2026-03-15", 20261)),
        ("2026/03/15/call.md", ("note", "2026-03-15", 20261)),
        ("2026/三月/x.md", ("note", None, 20261)),
        ("2026/05-May/x.md", ("note", None, 20262)),
        ("2026/August/x.md", ("note", None, 20263)),
        ("2026-Q3/x.md", ("note", None, 20263)),
        ("2026年第四季度/x.md", ("note", None, 20264)),
        ("2026-03/x.md", ("note", None, 20261)),
        ("2026/2026-11/2026-11-05.md", ("note", "2026-11-05", 20264)),
        ("2026-01-15/x.md", ("note", "2026-01-15", 20261)),
        ("Daily notes/2023/2023-01-02.md", ("note", "2023-01-02", 20231)),
    ],
)
def test_folders_and_names_place_a_file(path: str, expected: tuple[str, str | None, int | None]) -> None:
    assert brief(at(path)) == expected


@pytest.mark.parametrize(
    "path",
    [
        "2024/16.md",
        "2024/CS50/week-3.md",
        "2024/CS50/03/x.md",
        "CS50/week-03.md",
        "weeks/week-3.md",
        "2026/13/x.md",
        "2026/Q7/x.md",
        "Q1/x.md",
        "03/15.md",
        "1984/chapter-03.md",
        "给下属写周报.md",
        "Templates/周记模板.md",
        "v2/2.0.1/notes.md",
    ],
)
def test_what_folders_do_not_say_is_not_invented(path: str) -> None:
    placed = at(path)
    assert (placed.date, placed.period) == (None, None)


def test_h2_week_three_of_a_quarter_or_of_the_year() -> None:
    assert brief(at("2026/Q2/week-03.md")) == ("weekly", "2026-04-13", 20262)
    assert brief(at("2026/Q2/week-03.md", weeks="iso")) == ("weekly", "2026-01-12", 20262)
    assert brief(at("2026/Q2/week-17.md")) == ("weekly", "2026-04-20", 20262)  # no quarter has a 17th week: the year's
    assert brief(at("2026/Q2/2026-W16.md")) == ("weekly", "2026-04-13", 20262)


@pytest.mark.parametrize(
    ("path", "topic"),
    [
        ("Topics/Kafka/consumers.md", "Kafka"),
        ("topics/Kafka/deep/consumers.md", "Kafka"),
        ("专题/围棋/定式.md", "围棋"),
        ("Topics/Kafka.md", "Kafka"),
        ("Spaces/效率工具与服务专题/x.md", "效率工具与服务专题"),
    ],
)
def test_topics(path: str, topic: str) -> None:
    assert at(path) == Placement("topic", topic=topic)


def test_front_matter_speaks_where_folders_do_not() -> None:
    day = ("note", "2024-05-03", 20242)
    for key in ("date", "created", "date created", "date_created", "Date Created", "日期", "创建日期"):
        assert brief(at("x.md", {key: "2024-05-03"})) == day
    assert brief(at("2023-01-01 x.md", {"created": "2024-05-03"})) == day
    assert at("x.md", {"topic": "Kafka"}) == Placement("topic", topic="Kafka")
    assert at("x.md", {"topic": ["[[Kafka]]", "x"]}).topic == "Kafka"


def test_a_day_from_elsewhere_must_lie_in_the_folders_quarter_and_month() -> None:
    assert brief(at("2026/03/x.md", {"created": "2026-03-09"})) == ("note", "2026-03-09", 20261)
    assert brief(at("2026/03/x.md", {"created": "2026-02-09"})) == ("note", None, 20261)
    assert brief(at("2026/Q1/x.md", {"created": "2023-02-09"})) == ("note", None, 20261)
    assert brief(at("2026/Q1/2026-02-03.md")) == ("note", "2026-02-03", 20261)


def test_the_week_in_a_name_beats_the_day_the_file_was_made() -> None:
    assert brief(at("2026-W03.md", {"created": "2026-01-20"})) == ("weekly", "2026-01-12", 20261)


def test_a_numbered_weekly_is_known_by_its_title() -> None:
    placed = at("docs/content/2024/16.md", {"date": "2024-09-22"}, title="肖恩技术周刊（第 16 期）：白嫖AI的最佳时间")
    assert brief(placed) == ("weekly", "2024-09-22", 20243)
    assert at("16.md", title="技术周刊（第 16 期）").kind == "note"
    assert at("x.md", {"date": "2024-12-31"}, title="2024年周刊合集（01期 - 30期）").kind == "note"


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("a, b", ("a", "b")),
        ("a b #c", ("a", "b", "c")),
        (["x", "#y", "x", 2024, None], ("x", "y", "2024")),
        ("读书，旅行", ("读书", "旅行")),
        (None, ()),
        ({"a": 1}, ()),
        ("", ()),
    ],
)
def test_pitfall_5_tags_as_text_or_list(written: object, expected: tuple[str, ...]) -> None:
    assert tags({"tags": written}) == expected


@pytest.mark.parametrize(
    ("layout", "path", "expected"),
    [
        ("{year}/{month}/*", "2026/5/x.md", ("note", None, 20262)),
        ("log/{year}/{quarter}/{week}", "log/2026/2/3.md", ("weekly", "2026-04-13", 20262)),
        ("{year}/Q{quarter}/**", "2026/Q2/a/b.md", ("note", None, 20262)),
        ("posts/{date}/*", "posts/2026-01-15/x.md", ("note", "2026-01-15", 20261)),
        ("{year}/{weekly}", "2026/letters.md", ("weekly", None, None)),
        ("{year}/{month_name}-{day}", "2026/March-15.md", ("note", "2026-03-15", 20261)),
    ],
)
def test_a_layout_pattern_overrides_the_schema(
    layout: str, path: str, expected: tuple[str, str | None, int | None]
) -> None:
    assert brief(at(path, layout=layout)) == expected


def test_a_layout_pattern_names_topics_and_leaves_other_files_alone() -> None:
    assert at("Projects/Apollo 11/x.md", layout="Projects/{topic}/**").topic == "Apollo 11"
    assert brief(at("2026/Q1/week-03.md", layout="Projects/{topic}/**")) == ("weekly", "2026-01-12", 20261)
    assert at("x.md", {"date": "2026-01-15"}, layout="{topic}").date == dt.date(2026, 1, 15)


_STEPS = st.sampled_from(
    [
        "2026",
        "2026年",
        "Q2",
        "第三季度",
        "03",
        "13",
        "99月",
        "〇月",
        "三月",
        "May",
        "week-03",
        "第99周",
        "W53",
        "15",
        "2026-02",
        "2026-W99",
    ]
    + ["2026-02-30", "2026年13月", "Topics", "专题", "周记", "x"]
)


@given(st.lists(st.one_of(_STEPS, st.text(max_size=12)), min_size=1, max_size=6), st.sampled_from(["iso", "quarter"]))
def test_any_path_is_placed_without_an_error_and_consistently(steps: list[str], weeks: Weeks) -> None:
    layout = "{year}/{month}/{week}"
    for pattern in (None, layout):
        placed = place(steps[:-1], steps[-1] + ".md", {}, pattern, weeks)
        assert placed.period is None or (1900 <= placed.period // 10 < 2100 and 1 <= placed.period % 10 <= 4)
        assert placed.period is not None or placed.date is None


@pytest.mark.parametrize("layout", ["{yaer}/*", "{year}/{year}", "{}"])
def test_a_malformed_layout_says_which_words_there_are(layout: str) -> None:
    with pytest.raises(Invalid, match="{year}, {quarter}"):
        compile_layout(layout)


@pytest.mark.parametrize(("vault", "least"), [("oldwinter-garden", 1853), ("shawn-weekly", 40), ("jbranchaud-til", 0)])
def test_h1_real_vaults_are_dated(shared: Path, vault: str, least: int) -> None:
    root = shared / "data" / "vaults" / vault
    if not root.is_dir():
        pytest.skip(f"no {vault}")
    dated = weekly = 0
    for file in root.rglob("*.md"):
        front = frontmatter.split(decode.decode(file.read_bytes()).text)
        title = str(front.fields.get("title") or markdown.title(front.body) or file.stem)
        placed = at(file.relative_to(root).as_posix(), front.fields, title=title)
        dated += placed.date is not None
        weekly += placed.kind == "weekly"
    assert dated >= least
    assert least or not dated  # til has no dates at all
    assert weekly == (40 if vault == "shawn-weekly" else 0)
