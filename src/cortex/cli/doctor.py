"""`cortex doctor`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortex.cli import output
from cortex.cli.options import FAILED, Config, Data, Debug, Json, run

if TYPE_CHECKING:
    from cortex.settings import Settings


def doctor(json: Json = False, data: Data = None, config: Config = None, debug: Debug = False) -> None:
    """Look for what is wrong, and say how to mend it. Exit: 0 all well, 1 something is not."""

    async def command(settings: Settings) -> int:
        from dataclasses import asdict

        from cortex.cli.checks import examine

        checks = [check async for check in examine(settings)]
        well = all(check.ok for check in checks)
        if json:
            output.print_json({"ok": well, "checks": [asdict(check) for check in checks]})
            return 0 if well else FAILED
        for check in checks:
            mark = "[green]ok  [/green]" if check.ok else "[red]bad [/red]"
            output.console.print(f"{mark} {check.name}: {output.plain(check.detail)}")
            if check.mend:
                output.console.print(f"     [bold]→ {output.plain(check.mend)}[/bold]")
        return 0 if well else FAILED

    run(command, data=data, config=config, debug=debug)
