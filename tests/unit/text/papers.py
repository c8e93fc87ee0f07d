"""The smallest PDF and Office files that hold words."""

from __future__ import annotations

import io
import zipfile


def pdf(words: str, title: str = "", *, encrypt: bool = False) -> bytes:
    """A PDF of one page with words in ASCII."""
    stream = f"BT /F1 12 Tf 72 720 Td ({words}) Tj ET" if words else ""
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
        f"<</Length {len(stream)}>>\nstream\n{stream}\nendstream",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        f"<</Title({title})>>",
        f"<</Filter/Standard/V 1/R 2/O<{'41' * 32}>/U<{'42' * 32}>/P -4>>",
    ]
    written, places = "%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(written))
        written += f"{number} 0 obj\n{body}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    secret = f"/Encrypt 7 0 R/ID[<{'43' * 16}><{'43' * 16}>]" if encrypt else ""
    count = len(objects) + 1
    return (f"{written}xref\n0 {count}\n0000000000 65535 f \n{table}trailer<</Size {count}/Root 1 0 R/Info 6 0 R{secret}>>\n"
            f"startxref\n{len(written)}\n%%EOF").encode()  # fmt: skip


def docx(words: str, title: str = "") -> bytes:
    """A Word file of one paragraph."""
    packed = io.BytesIO()
    main = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    types = "http://schemas.openxmlformats.org/package/2006/content-types"
    relations = "http://schemas.openxmlformats.org/package/2006/relationships"
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{types}"><Default Extension="xml" ContentType="application/xml"/></Types>',
        )
        archive.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{relations}"><Relationship Id="r1" Target="word/document.xml" '
            'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"/></Relationships>',
        )
        body = f"<w:body><w:p><w:r><w:t>{words}</w:t></w:r></w:p></w:body>"
        archive.writestr("word/document.xml", f'<w:document xmlns:w="{main}">{body}</w:document>')
        archive.writestr(
            "docProps/core.xml", f"<x xmlns:dc='http://purl.org/dc/elements/1.1/'><dc:title>{title}</dc:title></x>"
        )
    return packed.getvalue()


_SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_PRESENTATION = "http://schemas.openxmlformats.org/presentationml/2006/main"
_DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"


def package(parts: dict[str, str]) -> bytes:
    """An Office file of these parts."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in {"[Content_Types].xml": "<Types/>", **parts}.items():
            archive.writestr(name, body)
    return packed.getvalue()


def relations(pairs: dict[str, tuple[str, str]]) -> str:
    """Relations by id: kind and target."""
    each = (f'<Relationship Id="{n}" Type="{_OFFICE}/{kind}" Target="{to}"/>' for n, (kind, to) in pairs.items())
    return f'<Relationships xmlns="{_RELATIONS}">{"".join(each)}</Relationships>'


def xlsx(sheets: dict[str, str], *, shared: str = "", styles: str = "", is_1904: bool = False) -> bytes:
    """An Excel file: the rows of each sheet as XML, by the sheet's name."""
    listed = "".join(f'<sheet name="{name}" sheetId="{n}" r:id="r{n}"/>' for n, name in enumerate(sheets))
    dates = '<workbookPr date1904="1"/>' if is_1904 else ""
    parts = {f"xl/worksheets/sheet{n}.xml": f'<worksheet xmlns="{_SHEET}"><sheetData>{rows}</sheetData></worksheet>'
             for n, rows in enumerate(sheets.values())}  # fmt: skip
    return package({
        "xl/workbook.xml": f'<workbook xmlns="{_SHEET}" xmlns:r="{_OFFICE}">{dates}<sheets>{listed}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": relations({f"r{n}": ("worksheet", f"worksheets/sheet{n}.xml") for n in range(len(sheets))}),
        "xl/sharedStrings.xml": f'<sst xmlns="{_SHEET}">{shared}</sst>',
        "xl/styles.xml": f'<styleSheet xmlns="{_SHEET}">{styles}</styleSheet>',
        **parts,
    })  # fmt: skip


def pptx(slides: list[str], notes: dict[int, str] | None = None) -> bytes:
    """A PowerPoint file: the shapes of each slide as XML, and the notes of some by the slide's number from 0."""
    order = "".join(f'<p:sldId id="{256 + n}" r:id="s{n}"/>' for n in range(len(slides)))
    names = f'xmlns:p="{_PRESENTATION}" xmlns:a="{_DRAWING}" xmlns:r="{_OFFICE}"'
    parts = {}
    for n, shapes in enumerate(slides):
        # The last slide has the first name: the order is the presentation's, not that of the names.
        at = len(slides) - n
        parts[f"ppt/slides/slide{at}.xml"] = f"<p:sld {names}><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:sld>"
        if n in (notes or {}):
            parts[f"ppt/slides/_rels/slide{at}.xml.rels"] = relations({"n": ("notesSlide", f"../notesSlides/n{n}.xml")})
            parts[f"ppt/notesSlides/n{n}.xml"] = f"<p:notes {names}>{(notes or {})[n]}</p:notes>"
    return package({
        "ppt/presentation.xml": f"<p:presentation {names}><p:sldIdLst>{order}</p:sldIdLst></p:presentation>",
        "ppt/_rels/presentation.xml.rels": relations(
            {f"s{n}": ("slide", f"slides/slide{len(slides) - n}.xml") for n in range(len(slides))}),
        **parts,
    })  # fmt: skip


def shape(words: str, placeholder: str | None = None) -> str:
    """A text box, with a paragraph for each line."""
    of_kind = f'<p:nvSpPr><p:nvPr><p:ph type="{placeholder}"/></p:nvPr></p:nvSpPr>' if placeholder else ""
    lines = "".join(
        f"<a:p><a:r><a:t>{line[:3]}</a:t></a:r><a:r><a:t>{line[3:]}</a:t></a:r></a:p>" for line in words.split("\n")
    )
    return f"<p:sp>{of_kind}<p:txBody>{lines}</p:txBody></p:sp>"
