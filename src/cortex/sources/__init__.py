"""Sources: what the configuration lists (folders now), how it is read, placed in time, and mirrored into the library.

Owns listing, reading, change detection and the report of a run. Does not own documents (`library` stores them) nor passages
(the worker makes them from the jobs that a change enqueued). What another type of source has to be is in `source`.
"""
