"""Documents: mirrors (read-only copies of what sources hold), their tags, links and placement, and who may see them; and the
attachments of notes.

Owns the schema `library`. Does not know passages, vectors or answers: it enqueues the indexing job by name.
"""

LOCAL_OWNER = 1
"""The owner of everything in local mode."""

INDEX_JOB = "index_documents"
"""The job that a changed document enqueues in its own transaction: (owner_id, document_ids)."""
