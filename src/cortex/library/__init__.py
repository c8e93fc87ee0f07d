"""Documents: notes that are written here, with their revisions, attachments and the feed of their changes; mirrors (read-only copies of
what sources hold); tags and links.

Owns the schema `library`. Does not know passages, vectors or answers: it enqueues the indexing job by name.
"""

LOCAL_OWNER = 1
"""The owner of everything in local mode."""

NOTES = "notes"
"""The source whose documents are written here."""

INDEX_JOB = "index_documents"
"""The job that a changed document enqueues in its own transaction: (owner_id, document_ids)."""

AT_ONCE = 20
"""That job's priority where a person waits to find what they wrote; above the one of mirrors."""

TIDY_JOB = "tidy_notes"
"""The job that a new sitting enqueues: (owner_id)."""
