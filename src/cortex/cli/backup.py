"""`cortex backup` and `cortex restore`."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cortex.cli import output
from cortex.cli.options import Config, Data, Debug, Json, run

if TYPE_CHECKING:
    from cortex.settings import Settings
    from cortex.storage.archive import Manifest
    from cortex.storage.backup import Backup
    from cortex.storage.restoring import Restored


def backup(
    to: Annotated[
        str | None,
        typer.Option(
            metavar="FILE_OR_FOLDER",
            help="A folder, or a new .zip file (else backup.to, else backups/ in the data folder).",
        ),
    ] = None,
    kind: Annotated[str, typer.Option(hidden=True)] = "asked",
    json: Json = False,
    data: Data = None,
    config: Config = None,
    debug: Debug = False,
) -> None:
    """Write everything that cannot be made again into one file, also while Cortex serves."""

    async def command(settings: Settings) -> int:
        from cortex.backups import back_up

        daily = kind == "daily"
        with output.bars(quiet=json) as progress:
            made = await back_up(settings, to, "daily" if daily else "asked", gentle=daily, progress=progress)
        shown = {
            "file": str(made.path),
            "size": made.size,
            "at": made.manifest.made_at.isoformat(),
            "schema": made.manifest.schema_number,
            "documents": made.manifest.tables["library.documents"],
            "attachments": made.manifest.attachments,
        }
        if json:
            output.print_json(shown)
        else:
            _print_made(made)
        return 0

    run(command, data=data, config=config, debug=debug, makes_notebook=False)


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What `cortex backup` wrote.")],
    replace: Annotated[
        bool, typer.Option("--replace", help="Move the data folder that is there aside; nothing of it is deleted.")
    ] = False,
    json: Json = False,
    data: Data = None,
    config: Config = None,
    debug: Debug = False,
) -> None:
    """Put a backup into a new data folder (or into the empty database of DATABASE_URL)."""

    async def command(settings: Settings) -> int:
        from cortex.storage.restoring import restore as put_back

        with output.bars(quiet=json) as progress:
            restored = await put_back(file, settings, replace=replace, progress=progress)
        if json:
            manifest = restored.manifest
            output.print_json(
                {
                    "data": str(restored.data),
                    "aside": str(restored.aside) if restored.aside else None,
                    "skipped": list(restored.skipped),
                    "at": manifest.made_at.isoformat(),
                    "cortex": manifest.cortex,
                    "schema": manifest.schema_number,
                    "documents": manifest.tables["library.documents"],
                    "attachments": manifest.attachments,
                }
            )
        else:
            _print(restored)
        return 0

    run(command, data=data, config=config, debug=debug)


def _print_made(made: Backup) -> None:
    output.console.print(f"{output.plain(str(made.path))}: {_held(made.manifest)}, {output.size(made.size)}")


def _held(manifest: Manifest) -> str:
    notes = output.counted(manifest.tables["library.documents"], "note")
    return f"{notes} and {output.counted(manifest.attachments, 'attachment')}"


def _print(restored: Restored) -> None:
    manifest, where = restored.manifest, output.plain(str(restored.data))
    output.console.print(f"{_held(manifest)} of {manifest.made_at:%Y-%m-%d %H:%M} UTC are in {where}.")
    if restored.aside:
        output.console.print(f"What was there is in {output.plain(str(restored.aside))}: remove it when you are sure.")
    if restored.skipped:
        kept = ", ".join(restored.skipped[:5]) + (" …" if len(restored.skipped) > 5 else "")
        output.console.print(f"There already, and not touched: {output.plain(kept)}")
    output.console.print(
        f"Start it with `cortex serve --data {output.plain(shlex.quote(str(restored.data)))}`: "
        "the index is made again, and within minutes every note can be found."
    )
