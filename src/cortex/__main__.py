"""`python -m cortex`, and the `cortex` command."""

from cortex.cli import main

__all__ = ["main"]

if __name__ == "__main__":
    main()
