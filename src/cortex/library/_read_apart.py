"""Reads the text out of one file, in a process of its own: `python -m cortex.library._read_apart FILE ENDING`.

What a broken or hostile file does to its parser (endless loops, all of the memory, a crash) ends with this process. On stdout it
leaves one JSON object: `text`, `title`, `note`, or `problem`. It ends when stdin does, so it outlives nobody.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from pathlib import Path

MOST_MEMORY = 3_000_000_000
"""Bytes of address space; the parsers themselves take up to one thousand million."""
LARGEST = 50_000_000
"""Bytes of a file that is read."""


def main(path: str, ending: str) -> None:
    """Read and tell."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a parser prints is no answer
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _stay_small()
    json.dump(_read(Path(path), ending), out)
    out.flush()
    os._exit(0)  # the parsers' threads are not waited for


def _read(path: Path, ending: str) -> dict[str, str | None]:
    from cortex.errors import CortexError
    from cortex.text.convert import convert

    try:
        if path.stat().st_size > LARGEST:
            return {"problem": f"larger than {LARGEST // 1_000_000} MB: its text is not read"}
        found = convert(path.read_bytes(), f"file{ending}")
    except FileNotFoundError:
        return {"problem": "its file is missing; attach it again"}
    except CortexError as error:
        return {"problem": error.message}
    except MemoryError:
        return {"problem": "reading it takes more memory than there is for it"}
    except Exception as error:  # noqa: BLE001 - a parser's fault; it is kept as the reason
        return {"problem": f"cannot be read: {' '.join(f'{type(error).__name__} {error}'.split())[:200]}"}
    return {"text": found.text, "title": found.title, "note": found.note}


def _stay_small() -> None:
    os.nice(10)
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _end_with_parent() -> None:
    while sys.stdin.buffer.read(1024):
        pass
    os._exit(1)


if __name__ == "__main__":
    main(*sys.argv[1:3])
