"""`cortex eval`."""

from __future__ import annotations

from cortex.cli.options import Config, Data, Debug, Json


def evaluate(json: Json = False, data: Data = None, config: Config = None, debug: Debug = False) -> None:
    """Ask the golden notebook's questions and print how well they were answered."""
    raise NotImplementedError
