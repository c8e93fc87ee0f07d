"""The one module that reads the environment and the configuration files, once.

`load()` gives a frozen `Settings`: secrets and the database from the environment (or `.env` in the data folder, or a
`NAME_FILE` twin that holds a path), everything else from `config.yaml` (`--config`, else in the data folder) with
`sources.d/*.yaml` beside it. A mistake is an `Invalid` that names the file and the field.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any, Literal

import platformdirs
import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator
from pydantic_core import ErrorDetails

from cortex.errors import Invalid

_NAME = re.compile(r"[^\s/\\;:%]{1,64}")
_CROSS_ENCODER = re.compile(r"(fastembed|sentence-transformers):\S.*")
_IN_WORDS = {
    "extra_forbidden": "there is no such setting",
    "missing": "it is missing",
    "model_type": "it must hold settings by name",
}
"""What some of pydantic's kinds of errors mean for whoever writes a configuration."""


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ListedSource(_Model):
    """What every mirrored source is told, whatever its type; each type adds its own."""

    name: str = Field(description="the name that scopes and reports use")
    type: str
    layout: str | None = Field(
        default=None, description="a pattern of folder words that overrides the folder schema, e.g. {year}/{month}/*"
    )
    weeks: Literal["iso", "quarter"] = Field(
        default="quarter", description="what week-03 under a quarter means: its third week, or ISO week 3"
    )
    sync_on_open: bool = False

    @field_validator("name")
    @classmethod
    def _fit(cls, name: str) -> str:
        if not _NAME.fullmatch(name):
            raise ValueError("a name has 1 to 64 characters, no spaces and none of / \\ ; : %")
        if name in ("notes", "sample"):
            raise ValueError(f"the name {name!r} is Cortex's own; choose another")
        return name


class SourceSettings(ListedSource):
    """A folder. Patterns are globs relative to `path`, `/` between parts, `**` for any depth."""

    type: Literal["local"]
    path: Path = Field(description="the folder; ~ is the home of the person who runs Cortex")
    include: tuple[str, ...] = Field(
        default=("**/*.md", "**/*.markdown", "**/*.txt", "**/*.csv", "**/*.html", "**/*.htm", "**/*.pdf", "**/*.docx")
    )
    exclude: tuple[str, ...] = ()

    @field_validator("path")
    @classmethod
    def _expand(cls, path: Path) -> Path:
        return path.expanduser()

    @field_validator("include", "exclude")
    @classmethod
    def _inside(cls, patterns: tuple[str, ...]) -> tuple[str, ...]:
        for pattern in patterns:
            if pattern.startswith("/") or ".." in pattern.split("/"):
                raise ValueError(f"the pattern {pattern!r} leads out of the folder; write it relative, without ..")
        return patterns


class ChunkingSettings(_Model):
    """How documents are cut into passages."""

    mode: Literal["headings", "window"] = "headings"
    size_chars: int = Field(default=1200, ge=200, le=8000)
    overlap_chars: int = Field(default=150, ge=0, le=2000)
    size_tokens: int = Field(default=500, ge=50, le=512)
    overlap_tokens: int = Field(default=50, ge=0, le=250)

    @model_validator(mode="after")
    def _smaller(self) -> ChunkingSettings:
        if self.overlap_chars * 2 > self.size_chars or self.overlap_tokens * 2 > self.size_tokens:
            raise ValueError("the overlap must be at most half of the size")
        return self


class EmbeddingSettings(_Model):
    provider: Literal["bundled"] = "bundled"


class RetrievalSettings(_Model):
    cross_encoder: str | None = None

    @field_validator("cross_encoder")
    @classmethod
    def _fit(cls, name: str | None) -> str | None:
        if name is not None and not _CROSS_ENCODER.fullmatch(name):
            raise ValueError("name it as fastembed:MODEL or sentence-transformers:MODEL")
        return name


class AnsweringSettings(_Model):
    provider: Literal["auto", "quotes"] = "auto"
    max_sources: int = Field(default=6, ge=1, le=20)


class LimitsSettings(_Model):
    question_chars: int = Field(default=2000, ge=10, le=20000)
    note_kb: int = Field(default=1000, ge=1, le=10_000)
    attachment_mb: float = Field(default=50, gt=0, le=10_000)

    @property
    def attachment_bytes(self) -> int:
        return int(self.attachment_mb * 1_000_000)

    @property
    def note_bytes(self) -> int:
        """The longest note, in bytes of UTF-8."""
        return self.note_kb * 1000


class BackupSettings(_Model):
    """Where backups go, and whether the worker makes one a day."""

    to: Path | None = None
    daily: bool = True
    keep: int = Field(default=14, ge=1, le=1000)

    @field_validator("to")
    @classmethod
    def _whole(cls, to: Path | None) -> Path | None:
        if to is not None and not to.expanduser().is_absolute():
            raise ValueError(
                "name the folder from / or ~ on, so that it is the same one from wherever Cortex is started"
            )
        return to.expanduser() if to is not None else None


class ServerSettings(_Model):
    public_url: str | None = None


class Settings(_Model):
    """Everything that was configured; `data` is absolute."""

    data: Path
    config: Path | None = None
    database_url: str | None = Field(default=None, repr=False)
    database_ai_url: str | None = Field(default=None, repr=False)
    postgres_version: Literal[16, 18] = 18
    sources: tuple[SourceSettings, ...] = ()
    chunking: ChunkingSettings = ChunkingSettings()
    embedding: EmbeddingSettings = EmbeddingSettings()
    retrieval: RetrievalSettings = RetrievalSettings()
    answering: AnsweringSettings = AnsweringSettings()
    limits: LimitsSettings = LimitsSettings()
    backup: BackupSettings = BackupSettings()
    server: ServerSettings = ServerSettings()

    @model_validator(mode="after")
    def _names_differ(self) -> Settings:
        seen: set[str] = set()
        for source in self.sources:
            if source.name.casefold() in seen:
                raise ValueError(f"two sources are named {source.name!r}; give each a name of its own")
            seen.add(source.name.casefold())
        return self


ENVIRONMENT = {
    "CORTEX_DATA": "the data folder (--data wins)",
    "CORTEX_POSTGRES": "16 or 18: which bundled PostgreSQL to run (18)",
    "DATABASE_URL": "an external PostgreSQL 16+ with pgvector, in place of the embedded one",
    "DATABASE_AI_URL": "a second log-in for the AI role, where one login may not SET ROLE",
}
"""Every environment variable that Cortex reads; secrets also as NAME_FILE."""


def default_data_folder() -> Path:
    """`CORTEX_DATA`, else /var/lib/cortex for root, else the platform's user data folder."""
    named = os.environ.get("CORTEX_DATA")
    return Path(named).expanduser().absolute() if named else standard_data_folder()


def standard_data_folder() -> Path:
    """The data folder where nobody names one."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        return Path("/var/lib/cortex")
    return Path(platformdirs.user_data_dir("cortex", appauthor=False))


def load(data: Path | None = None, config: Path | None = None) -> Settings:
    """Read the environment and the configuration.

    Raises:
        Invalid: naming the file and the field that is wrong.
    """
    folder = data.expanduser().absolute() if data else default_data_folder()
    file = config.expanduser().absolute() if config else folder / "config.yaml"
    if config and not file.is_file():
        raise Invalid(f"there is no configuration file at {file}", field="--config")
    values = _read_yaml(file) if file.is_file() else {}
    listed = [(file, each) for each in _sources(values.pop("sources", None), file)]
    for extra in sorted((file.parent / "sources.d").glob("*.yaml")):
        more = _read_yaml(extra)
        listed += [(extra, each) for each in _sources(more.get("sources", [more]), extra)]
    environment = _environment(folder / ".env")
    try:
        return Settings(
            data=folder,
            config=file if file.is_file() else None,
            sources=[each for _, each in listed],
            database_url=environment.get("DATABASE_URL"),
            database_ai_url=environment.get("DATABASE_AI_URL"),
            postgres_version=int(environment.get("CORTEX_POSTGRES") or 18),
            **values,
        )
    except ValidationError as error:
        first = error.errors()[0]
        where, loc = _written(first["loc"], file, [each for each, _ in listed])
        field = ".".join(str(part) for part in loc) or "sources"
        raise Invalid(f"{where}: {field}: {in_words(first)}", field=field) from error
    except (TypeError, ValueError) as error:
        raise Invalid(f"{file}: {error}") from error


def in_words(error: ErrorDetails) -> str:
    """What is wrong with a setting, without the validator's jargon."""
    return _IN_WORDS.get(error["type"], error["msg"].removeprefix("Value error, "))


def _written(loc: tuple[int | str, ...], file: Path, files: list[Path]) -> tuple[Path, tuple[int | str, ...]]:
    """The file that holds the setting at `loc`, and the setting's place there; `files` are those of the listed sources."""
    if loc[:1] != ("sources",) or len(loc) == 1:
        return file, loc
    number = int(loc[1])
    return files[number], ("sources", number - files.index(files[number]), *loc[2:])


def _sources(value: Any, file: Path) -> list[Any]:
    if value is None or isinstance(value, list):
        return list(value or [])
    raise Invalid(f"{file}: sources must be a list, one entry for each source", field="sources")


def _read_yaml(file: Path) -> dict[str, Any]:
    text = _read_text(file)
    try:
        values = yaml.safe_load(text)
    except yaml.YAMLError as error:
        mark, reason = getattr(error, "problem_mark", None), getattr(error, "problem", None)
        place = _place(text[: mark.index if mark else getattr(error, "position", 0)])
        why = f" ({reason})" if reason else ""
        way_out = "correct it there (indent with spaces, close quotes and brackets)"
        raise Invalid(f"{file} cannot be read as YAML at {place}{why}: {way_out}", field=str(file)) from error
    if values is None:
        return {}
    if not isinstance(values, dict):
        raise Invalid(f"{file} must hold settings by name, such as “sources:”", field=str(file))
    return values


def _read_text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        place = _place(error.object[: error.start].decode("utf-8", "replace"))
        raise Invalid(f"{file} is not UTF-8 at {place}: save it as UTF-8", field=str(file)) from error
    except OSError as error:
        raise Invalid(f"{file} cannot be read: {error.strerror}", field=str(file)) from error


def _place(before: str) -> str:
    """Where a text stops, as an editor counts."""
    return f"line {before.count(chr(10)) + 1}, column {len(before) - before.rfind(chr(10))}"


def _environment(dotenv: Path) -> dict[str, str]:
    """The variables of ENVIRONMENT from the process, their _FILE twins and `.env`, in this order."""
    found: dict[str, str] = {}
    written = _read_dotenv(dotenv) if dotenv.is_file() else {}
    for name in ENVIRONMENT:
        twin = os.environ.get(f"{name}_FILE") or written.get(f"{name}_FILE")
        value = os.environ.get(name)
        if not value and twin:
            try:
                value = Path(twin).read_text(encoding="utf-8").strip()
            except OSError as error:
                raise Invalid(f"{name}_FILE names {twin}, which cannot be read", field=f"{name}_FILE") from error
        value = value or written.get(name)
        if value:
            found[name] = value
    return found


def _read_dotenv(file: Path) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for line in _read_text(file).splitlines():
        name, equals, value = line.partition("=")
        if equals and not line.lstrip().startswith("#"):
            pairs[name.strip().removeprefix("export ")] = value.strip().strip("\"'")
    return pairs
