"""What can be set, called or typed stands in the docs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
import typer
from fastapi.routing import APIRoute
from pydantic import BaseModel

from cortex import settings
from cortex.cli import app as cli
from cortex.web.api import routers

DOCS = Path(__file__).resolve().parents[2] / "docs"
CONFIGURATION = (DOCS / "configuration.md").read_text(encoding="utf-8")
API = (DOCS / "api.md").read_text(encoding="utf-8")

OF_THE_ENVIRONMENT = {"data", "config", "database_url", "database_ai_url", "postgres_version"}
"""Settings that no configuration file holds: options and environment variables."""


def _fields(model: type[BaseModel], before: str = "") -> Iterator[str]:
    for name, field in model.model_fields.items():
        if before or name not in OF_THE_ENVIRONMENT:
            inner = list(_models(field.annotation))
            yield from (line for model in inner for line in _fields(model, f"{before}{name}."))
            if not inner:
                yield f"{before}{name}"


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    """The models in it, also in a list or in a choice of them."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        yield from _models(part)


@pytest.mark.parametrize("name", sorted(set(_fields(settings.Settings))))
def test_every_setting_stands_in_the_docs(name: str) -> None:
    assert f"`{name}`" in CONFIGURATION


@pytest.mark.parametrize("name", sorted(settings.ENVIRONMENT))
def test_every_environment_variable_stands_in_the_docs(name: str) -> None:
    assert f"`{name}`" in CONFIGURATION


def _routes() -> list[str]:
    return sorted(
        f"{method} {route.path}"
        for router in routers
        for route in router.routes
        if isinstance(route, APIRoute)
        for method in sorted(route.methods or ())
    )


@pytest.mark.parametrize("route", _routes())
def test_every_route_stands_in_the_docs(route: str) -> None:
    assert f"`{route}`" in API


def test_the_docs_name_no_route_that_is_not_there() -> None:
    named = set(re.findall(r"^\| `((?:GET|HEAD|POST|PUT|PATCH|DELETE) [^`]+)`", API, re.MULTILINE))
    assert named <= set(_routes())


@pytest.mark.parametrize("command", sorted(typer.main.get_command(cli).commands))  # type: ignore[attr-defined]
def test_every_command_stands_in_the_docs(command: str) -> None:
    assert f"`cortex {command}" in CONFIGURATION
