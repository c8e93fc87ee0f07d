"""Settings: from files and the environment, and mistakes that name where they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from cortex.errors import Invalid
from cortex.settings import ENVIRONMENT, load


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ENVIRONMENT:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(f"{name}_FILE", raising=False)


def write(folder: Path, text: str, name: str = "config.yaml") -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def test_without_a_file_everything_has_a_default(tmp_path: Path) -> None:
    settings = load(tmp_path)
    assert (settings.data, settings.config, settings.sources) == (tmp_path, None, ())
    assert settings.chunking.size_chars == 1200


def test_sources_come_from_the_file_and_from_the_folder_beside_it(tmp_path: Path) -> None:
    write(tmp_path, "sources:\n  - {name: journals, type: local, path: ~/journals}\n")
    write(tmp_path, "name: vault\ntype: local\npath: /v\n", "sources.d/vault.yaml")
    write(tmp_path, "sources:\n  - {name: 旧, type: local, path: /o}\n", "sources.d/old.yaml")
    settings = load(tmp_path)
    assert [source.name for source in settings.sources] == ["journals", "旧", "vault"]
    assert settings.sources[0].path == Path.home() / "journals"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("sources: [", "cannot be read as YAML at line 1, column 11 ("),
        ("sources:\n\t- name: a\n", "line 2, column 1 (found character"),
        ("sources: []\nlimits: {a: 猫\x01}\n", "line 2, column 14: correct it there"),
        ("- a\n- b\n", "settings by name"),
        ("sorces: []\n", "sorces"),
        ("sources: 5\n", "must be a list"),
        ("sources:\n  - {name: a, type: local}\n", "sources.0.path: it is missing"),
        (
            "sources:\n  - {name: a b, type: local, path: /x}\n",
            "sources.0.name: a name has 1 to 64 characters, no spaces",
        ),
        ("sources:\n  - {name: a, type: local, path: /x, weks: iso}\n", "sources.0.weks: there is no such setting"),
        ("sources: [journals]\n", "sources.0: it must hold settings by name"),
        ("retrieval: {cross_encoder: bge}\n", "fastembed:MODEL or sentence-transformers:MODEL"),
        ("sources:\n  - {name: notes, type: local, path: /x}\n", "Cortex's own"),
        ("sources:\n  - {name: a, type: local, path: /x, include: ['../*.md']}\n", "leads out"),
        ("sources:\n  - {name: a, type: local, path: /x}\n  - {name: A, type: local, path: /y}\n", "two sources"),
        ("chunking: {size_chars: 300, overlap_chars: 200}\n", "half"),
        ("limits: {question_chars: many}\n", "limits.question_chars"),
    ],
)
def test_a_mistake_names_the_file_and_the_field(tmp_path: Path, text: str, words: str) -> None:
    file = write(tmp_path, text)
    with pytest.raises(Invalid) as caught:
        load(tmp_path)
    assert str(file) in caught.value.message
    assert words in caught.value.message
    assert "\n" not in caught.value.message
    assert "unicode string" not in caught.value.message
    assert "match pattern" not in caught.value.message


def test_a_file_that_is_not_utf_8_says_where(tmp_path: Path) -> None:
    for name in ("config.yaml", ".env"):
        (tmp_path / name).write_bytes("a: b\n猫: ".encode() + b"\xe9\n")
        with pytest.raises(Invalid, match=f"{name} is not UTF-8 at line 2, column 4: save it as UTF-8"):
            load(tmp_path)
        (tmp_path / name).unlink()


def test_a_mistake_beside_the_configuration_names_the_file_that_it_is_in(tmp_path: Path) -> None:
    write(tmp_path, "sources:\n  - {name: a, type: local, path: /a}\n")
    first = "sources:\n  - {name: b, type: local, path: /b}\n  - {name: c d, type: local, path: /c}\n"
    file = write(tmp_path, first, "sources.d/more.yaml")
    write(tmp_path, "name: e f\ntype: local\npath: /e\n", "sources.d/one.yaml")
    with pytest.raises(Invalid) as caught:
        load(tmp_path)
    assert caught.value.message.startswith(f"{file}: sources.1.name: ")


def test_a_named_file_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(Invalid, match="no configuration file"):
        load(tmp_path, tmp_path / "other.yaml")


def test_the_environment_wins_over_its_file_twin_and_dotenv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "# a comment\nexport DATABASE_URL='postgresql://from-dotenv'\n", ".env")
    assert load(tmp_path).database_url == "postgresql://from-dotenv"
    monkeypatch.setenv("DATABASE_URL_FILE", str(write(tmp_path, "postgresql://from-file\n", "secret")))
    assert load(tmp_path).database_url == "postgresql://from-file"
    monkeypatch.setenv("DATABASE_URL", "postgresql://from-environment")
    assert load(tmp_path).database_url == "postgresql://from-environment"


def test_a_secret_file_that_is_missing_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL_FILE", str(tmp_path / "none"))
    with pytest.raises(Invalid, match="DATABASE_URL_FILE"):
        load(tmp_path)


def test_the_database_address_is_not_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://me:hush@host/db")
    assert "hush" not in repr(load(tmp_path))


def test_the_data_folder_can_be_named_by_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CORTEX_DATA", str(tmp_path / "d"))
    assert load().data == tmp_path / "d"
