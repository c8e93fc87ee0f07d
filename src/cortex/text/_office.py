"""HTML, PDF and Office files. The first three kinds go through markitdown, imported when one comes: it is slow to load."""

from __future__ import annotations

import html as entities
import io
import re
import warnings
from typing import Any

from cortex.errors import Invalid
from cortex.text import _sheets, _slides
from cortex.text._packages import opened, written_title

_NO_TITLES = re.compile(
    r"(?i)^(untitled|\(?anonymous\)?|document\d*|無題|无标题|未命名|(microsoft word|powerpoint)\b.*|"
    r".*\.(docx?|pdf|indd|tex|dvi|pptx?|xlsx?|rtf))$"
)
_UNSEEN = re.compile(r"(?is)<(script|style|noscript|template|svg|iframe|object)\b[^>]*>.*?</\1\s*>|<!--.*?-->")
_BLANK_LINES = re.compile(r"\n{3,}")


def html(text: str) -> str:
    """A page's content as Markdown; scripts, styles and comments are gone."""
    return _tidy(_convert("HtmlConverter", _UNSEEN.sub(" ", text).encode(), ".html", "this HTML file"))


def pdf(raw: bytes) -> tuple[str, str | None, str | None]:
    """Text, title and note of a PDF.

    Raises:
        Invalid: encrypted, broken, or without text.
    """
    if b"%PDF-" not in raw[:1024]:
        raise Invalid("this is no PDF file, although its name says so")
    title = _pdf_title(raw)
    text = _tidy(_convert("PdfConverter", raw, ".pdf", "this PDF file"))
    if not any(c.isalnum() for c in text):
        raise Invalid("this PDF file holds no text, only pictures (a scan?); run it through text recognition first")
    return text, title, None


def docx(raw: bytes) -> tuple[str, str | None, str | None]:
    """Text, title and note of a Word file.

    Raises:
        Invalid: encrypted, broken, of the old format, or far larger unpacked than a document is.
    """
    with opened(raw, "this Word file", ".doc", ".docx") as archive:
        title = sensible_title(written_title(archive))
    return _tidy(_convert("DocxConverter", raw, ".docx", "this Word file")), title, None


def xlsx(raw: bytes) -> tuple[str, str | None, str | None]:
    """Text, title and note of an Excel file; raises as `docx`."""
    text, title = _sheets.xlsx(raw)
    return _tidy(text), sensible_title(title), None


def pptx(raw: bytes) -> tuple[str, str | None, str | None]:
    """Text, title and note of a PowerPoint file; raises as `docx`."""
    text, title = _slides.pptx(raw)
    return _tidy(text), sensible_title(title), None


def sensible_title(written: str | None) -> str | None:
    """A title that a person may have meant: not a file's name, not a program's default."""
    words = " ".join(entities.unescape(written or "").replace("\0", "").split())
    if sum(c.isalpha() for c in words) < 2 or len(words) > 200 or _NO_TITLES.match(words):
        return None
    return words


def _convert(name: str, raw: bytes, ending: str, what: str) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from markitdown import StreamInfo, converters

        try:
            converter: Any = getattr(converters, name)()
            found = converter.convert(io.BytesIO(raw), StreamInfo(extension=ending, charset="utf-8"))
        except RecursionError as error:
            raise Invalid(f"{what} is nested too deeply to be read") from error
        except Exception as error:  # noqa: BLE001 - the parsers raise whatever a broken file makes them trip over
            raise Invalid(f"{what} {_reason(error)}") from error
    return str(found.markdown)


def _reason(error: BaseException | None) -> str:
    seen: list[str] = []
    while error is not None and len(seen) < 5:
        seen.append(f"{type(error).__name__} {error}")
        error = error.__cause__ or error.__context__
    said = " ".join(seen)
    if re.search(r"(?i)password|encrypt", said):
        return "is encrypted; save it without a password"
    return f"is broken and cannot be read ({' '.join(seen[0].split())[:120]})"


def _pdf_title(raw: bytes) -> str | None:
    """The title among the document's properties.

    Raises:
        Invalid: the document is encrypted or broken.
    """
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(raw)
        try:
            return sensible_title(document.get_metadata_value("Title"))
        finally:
            document.close()
    except pypdfium2.PdfiumError as error:
        raise Invalid(f"this PDF file {_reason(error)}") from error


def _tidy(text: str) -> str:
    """LF, no page feeds, no NULs, no long gaps, no lone surrogates."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n\n").replace("\0", " ")
    sound = plain.encode("utf-8", "replace").decode("utf-8")
    return _BLANK_LINES.sub("\n\n", sound).strip() + "\n" if sound.strip() else ""
