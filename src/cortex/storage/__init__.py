"""Owns the database: the embedded server, the connections of each role, transactions, the migrations, and what a backup holds; and
files by their hash.

It does not own any table's meaning: the SQL that reads and writes them lives with the domains.
"""

from cortex.storage.backup import may_remove_files
from cortex.storage.database import Database, Role, Transaction
from cortex.storage.folder import claim_serving
from cortex.storage.opening import migrate, open_database
from cortex.storage.schema import SchemaState, schema_state

__all__ = [
    "Database",
    "Role",
    "SchemaState",
    "Transaction",
    "claim_serving",
    "may_remove_files",
    "migrate",
    "open_database",
    "schema_state",
]
