"""The command line: `cortex serve`, `sync`, `search`, `ask` and the rest.

Owns options, output and exit codes; holds no domain logic. Commands load what they need when they run, so that
`cortex --help` answers at once.
"""

from cortex.cli.app import app, main

__all__ = ["app", "main"]
