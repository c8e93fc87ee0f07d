"""The one tree of errors; each kind maps to one HTTP status (web) and one exit code (cli).

    CortexError
    ├── NotFound      it is not there, or it is not yours (the two look alike)
    ├── Conflict      it changed meanwhile, is taken, or is already served
    ├── NotAllowed    this caller may not do that
    ├── Invalid       the input or the configuration is wrong; `field` names where
    │   └── TooLarge  there is more of it than is taken; the message names the limit
    └── Upstream      something Cortex depends on (database, provider, disk) failed

The message says what is wrong and what to do about it, in one line.
"""


class CortexError(Exception):
    """Base of every error that a person may see.

    Args:
        message: what is wrong and the way out, one line, no trailing full stop needed.
        field: the field, setting or file that is at fault, if one is.
    """

    def __init__(self, message: str, *, field: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.field = field


class NotFound(CortexError):
    """It is not there, or it is not yours."""


class Conflict(CortexError):
    """It changed meanwhile, is taken, or is already served."""


class NotAllowed(CortexError):
    """This caller may not do that."""


class Invalid(CortexError):
    """The input or the configuration is wrong."""


class TooLarge(Invalid):
    """There is more of it than is taken."""


class Upstream(CortexError):
    """Something that Cortex depends on failed."""
