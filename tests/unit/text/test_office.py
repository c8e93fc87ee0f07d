"""Excel and PowerPoint files: what a person sees in them is there as text, and a bad one says what is wrong."""

from __future__ import annotations

import pytest
from tests.unit.text.papers import package, pptx, shape, xlsx

from cortex.errors import Invalid
from cortex.text.convert import convert


def sheet(rows: str, **options: str) -> str:
    return convert(xlsx({"S": rows}, **options), "a.xlsx").text  # type: ignore[arg-type]


def test_sheets_are_tables_under_their_names() -> None:
    shared = "<si><t>名称</t></si><si><r><t>Pri</t></r><r><t>ce</t></r><rPh sb='0' eb='1'><t>never</t></rPh></si>"
    rows = (
        '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>'
        '<row r="3"><c r="A3" t="inlineStr"><is><t>a | b</t></is></c><c r="B3"><v>0.10000000000000001</v></c></row>'
        '<row r="4"><c r="A4" t="b"><v>1</v></c><c r="B4" t="str"><f>A1</f><v>sum</v></c></row>'
        '<row r="5"><c r="A5" t="e"><v>#DIV/0!</v></c><c r="B5"><v>1618500</v></c></row>'
    )
    found = convert(
        xlsx({"预算": rows, "Empty": "", "Second": rows.partition('<c r="B1"')[0] + "</row>"}, shared=shared), "a.XLSX"
    ).text
    assert found == (
        "## 预算\n\n| 名称 | Price |\n| --- | --- |\n| a \\| b | 0.1 |\n| TRUE | sum |\n| #DIV/0! | 1618500 |\n\n"
        "## Second\n\n| 名称 |\n| --- |\n"
    )


@pytest.mark.parametrize(
    ("style", "value", "told"),
    [
        ("1", "45306", "2024-01-15"),
        ("1", "45306.5", "2024-01-15 12:00"),
        ("2", "0.75", "18:00"),
        ("3", "45306", "2024-01-15"),
        ("4", "45306", "45306"),
        ("5", "45306", "45306"),
        ("0", "45306", "45306"),
        ("1", "1e99", "1e99"),
        ("1", "nan", "nan"),
        ("1", "today", "today"),
    ],
)
def test_dates_are_dates(style: str, value: str, told: str) -> None:
    codes = (
        '<numFmts><numFmt numFmtId="164" formatCode="yyyy&quot;年&quot;m&quot;月&quot;d&quot;日&quot;"/>'
        '<numFmt numFmtId="165" formatCode="0.00 &quot;days&quot;"/><numFmt numFmtId="166" formatCode="[Red]General"/></numFmts>'
    )
    styles = "".join(f'<xf numFmtId="{n}"/>' for n in (0, 14, 20, 164, 165, 166))
    row = f'<row><c s="{style}"><v>{value}</v></c></row>'
    assert f"| {told} |" in sheet(row, styles=f"{codes}<cellXfs>{styles}</cellXfs>")


def test_the_other_day_0() -> None:
    raw = xlsx({"S": '<row><c s="0"><v>1</v></c></row>'}, styles='<cellXfs><xf numFmtId="14"/></cellXfs>', is_1904=True)
    assert "1904-01-02" in convert(raw, "a.xlsx").text


def test_cells_that_are_far_apart_are_no_wide_table() -> None:
    rows = '<row r="1"><c r="A1"><v>1</v></c><c r="XFD1"><v>2</v></c></row><row r="9"><c r="B9"><v>3</v></c></row>'
    assert sheet(rows) == "## S\n\n| 1 |  | 2 |\n| --- | --- | --- |\n|  | 3 |  |\n"


def test_a_table_that_would_fill_the_memory_is_refused() -> None:
    def letters(n: int) -> str:
        return "".join(chr(65 + part) for part in (n // 676 % 26, n // 26 % 26, n % 26))

    rows = "".join(f'<row r="{n}"><c r="{letters(700 + n)}{n}"><v>1</v></c></row>' for n in range(1, 3000))
    with pytest.raises(Invalid, match="cells"):
        sheet(rows)


def test_slides_in_their_order_with_titles_tables_and_notes() -> None:
    rows = "".join(f"<a:tr><a:tc><a:p><a:r><a:t>{word}</a:t></a:r></a:p></a:tc></a:tr>" for word in ("head", "cell"))
    table = (
        f"<p:graphicFrame><a:graphic><a:graphicData><a:tbl>{rows}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>"
    )
    slides = [
        shape("开场白", "ctrTitle") + shape("first line\nsecond line"),
        shape("7", "sldNum") + f"<p:grpSp>{shape('inside a group')}</p:grpSp>" + table,
    ]
    notes = {0: shape("what the speaker says", "body") + shape("1", "sldNum")}
    assert convert(pptx(slides, notes), "a.pptx").text == (
        "## 开场白\n\nfirst line\n\nsecond line\n\nwhat the speaker says\n\n"
        "## Slide 2\n\ninside a group\n\n| head |\n| --- |\n| cell |\n"
    )


OLD = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(100)
DEEP = "<p:grpSp>" * 5000 + "</p:grpSp>" * 5000


@pytest.mark.parametrize("ending", ["xlsx", "pptx"])
@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"", "no complete archive"),
        (b"PK\x03\x04 cut", "no complete archive"),
        (OLD, "without a password"),
        (package({}), "is broken: it has no"),
        (package({"xl/workbook.xml": "<a", "ppt/presentation.xml": "<a"}), "broken"),
        (package(dict.fromkeys(("xl/workbook.xml", "ppt/presentation.xml"),
                               '<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;">]><a>&c;</a>')), "EntitiesForbidden"),
        (package(dict.fromkeys(("xl/workbook.xml", "ppt/presentation.xml"),
                               '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>')), "EntitiesForbidden"),
    ],
)  # fmt: skip
def test_bad_ones_say_what_is_wrong(ending: str, raw: bytes, reason: str) -> None:
    with pytest.raises(Invalid, match=reason):
        convert(raw, f"a.{ending}")


def test_one_that_is_nested_without_end() -> None:
    with pytest.raises(Invalid, match="deep"):
        convert(pptx([DEEP]), "a.pptx")


def test_one_that_unpacks_to_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cortex.text._packages._LARGEST_UNPACKED", 1000)
    with pytest.raises(Invalid, match="unpacks"):
        convert(xlsx({"S": " " * 2000}), "a.xlsx")


def test_parts_that_are_missing_or_lead_out_of_the_file() -> None:
    raw = xlsx({"S": '<row><c t="s"><v>99</v></c><c><v>7</v></c></row>'})
    assert "| 7 |" in convert(raw, "a.xlsx").text
    gone = package({
        "xl/workbook.xml": '<workbook xmlns:r="r"><sheets><sheet name="a" r:id="1"/><sheet name="b" r:id="2"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": '<R><r Id="1" Type="x/worksheet" Target="../../../etc/passwd"/></R>',
    })  # fmt: skip
    assert convert(gone, "a.xlsx").text == ""
