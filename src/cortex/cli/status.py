"""`cortex status`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cortex.cli import output
from cortex.cli.options import Config, Data, Debug, Json, run

if TYPE_CHECKING:
    from cortex.settings import Settings

_SHOWN_FAILURES = 20


def status(json: Json = False, data: Data = None, config: Config = None, debug: Debug = False) -> None:
    """Show how far the index is, what waits, and whether the worker lives."""

    async def command(settings: Settings) -> int:
        from cortex.backups import backup_health
        from cortex.indexing.status import status as index_status
        from cortex.jobs import failed, queue_state
        from cortex.library import LOCAL_OWNER
        from cortex.storage import open_database
        from cortex.web.shapes import backup_fields, status_fields

        async with await open_database(settings) as database:
            async with database.transaction("app", LOCAL_OWNER) as tx:
                index = await index_status(tx, LOCAL_OWNER)
            shown = status_fields(index, await queue_state(database), {}, await failed(database, limit=_SHOWN_FAILURES))
            shown["backup"] = backup_fields(await backup_health(database, settings))
        shown |= {"data": str(settings.data), "config": str(settings.config) if settings.config else None}
        output.print_json(shown) if json else _print(shown)
        return 0

    run(command, data=data, config=config, debug=debug, makes_notebook=False)


def _print(shown: dict[str, Any]) -> None:
    queue, worker = shown["queue"], shown["worker"]
    table = output.table("", "")
    table.add_row("data folder", output.plain(shown["data"]))
    table.add_row("configuration", output.plain(shown["config"] or f"none; it would be {shown['data']}/config.yaml"))
    table.add_row("notes", f"{shown['documents']:,}")
    table.add_row("passages", f"{shown['passages']:,}")
    if shown["waiting"]:
        table.add_row("not searchable yet", f"{shown['waiting']:,}")
    if shown["failed"]:
        table.add_row("could not be indexed", f"[red]{shown['failed']:,}[/red]")
    for space in shown["spaces"]:
        full = space["filled"] / space["total"] if space["total"] else 1.0
        table.add_row(f"space {space['name']}", f"{full:.0%} ({space['filled']:,} of {space['total']:,})")
    if shown["paused"]:
        table.add_row("filling", "[yellow]paused[/yellow]")
    oldest = f", the oldest for {output.duration(queue['oldest_s'])}" if queue["oldest_s"] else ""
    table.add_row("queue", f"{queue['pending']} waiting, {queue['running']} running, {queue['failed']} failed{oldest}")
    for failure in queue["failures"]:
        table.add_row(f"failed: {failure['name']}", f"[red]{output.plain(failure['reason'])}[/red]")
    for failure in shown["failures"]:
        table.add_row("not indexed", f"{output.plain(failure['title'])}: [red]{output.plain(failure['reason'])}[/red]")
    beat = f", {worker['heartbeat_s']:.0f} s ago" if worker["heartbeat_s"] is not None else ""
    table.add_row("worker", f"alive{beat}" if worker["alive"] else "[red]not running[/red]: start `cortex serve`")
    table.add_row("backup", _backup(shown["backup"]))
    output.console.print(table)


def _backup(backup: dict[str, Any]) -> str:
    text = f"none yet; they go to {backup['to']}"
    if backup["age_s"] is not None:
        text = f"{output.duration(backup['age_s'])} ago, {output.size(backup['size'])}: {backup['file']}"
    text = output.plain(text)
    failed = f"; the last attempt failed: {output.plain(backup['error'])}" if "error" in backup else ""
    return f"[red]{text}{failed}[/red]" if backup["overdue"] or failed else text
