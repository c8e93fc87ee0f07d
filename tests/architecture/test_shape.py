"""The shape of the code: no module grows past what can be read, and each package says what it owns."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "cortex"
LONGEST_MODULE = 500
FORBIDDEN_NAMES = {"utils", "util", "helpers", "common", "manager", "service"}
MODULES = sorted([*SOURCE.rglob("*.py"), *(ROOT / "tests").rglob("*.py")])
SCRIPTS = sorted([*(SOURCE / "web" / "static").rglob("*.js"), *(SOURCE / "web" / "static").rglob("*.css")])


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", [*MODULES, *SCRIPTS], ids=_name)
def test_no_module_is_longer_than_can_be_read(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST_MODULE


@pytest.mark.parametrize("path", MODULES, ids=_name)
def test_names_say_what_is_inside(path: Path) -> None:
    assert path.stem.strip("_") not in FORBIDDEN_NAMES


@pytest.mark.parametrize("package", sorted(SOURCE.glob("*/__init__.py")), ids=_name)
def test_every_package_says_what_it_owns(package: Path) -> None:
    assert len(ast.get_docstring(ast.parse(package.read_text(encoding="utf-8"))) or "") > 40


def test_imports_point_one_way() -> None:
    contract = subprocess.run(
        [Path(sys.executable).parent / "lint-imports", "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert contract.returncode == 0, contract.stdout


def _imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.split(".")[0])
    return found


@pytest.mark.parametrize("path", [path for path in MODULES if SOURCE in path.parents], ids=_name)
def test_only_the_web_knows_the_web_framework(path: Path) -> None:
    if path.parent.name != "web" and path.parent.parent.name != "web":
        assert not _imports(path) & {"fastapi", "starlette"}


@pytest.mark.parametrize("path", [path for path in MODULES if SOURCE in path.parents], ids=_name)
def test_sql_stands_where_it_is_looked_for(path: Path) -> None:
    if {"storage", "jobs"} & set(path.relative_to(SOURCE).parts) or path.stem.endswith("_repository"):
        return
    calls = [
        node
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("execute", "executemany")
    ]
    assert not calls
