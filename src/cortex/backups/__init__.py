"""Owns when a backup is made, where to, how many are kept, and what is said of the last one.

It does not own what is in a backup, how it is made or put back: that is `storage`.
"""

from cortex.backups.daily import Backups, ask_for_backup
from cortex.backups.health import BackupHealth, backup_health
from cortex.backups.making import back_up

__all__ = ["BackupHealth", "Backups", "ask_for_backup", "back_up", "backup_health"]
