"""The routes, a module for each noun. A handler reads its input, calls one verb and shapes the output."""

from cortex.web.api import (
    ask,
    attachments,
    backups,
    changes,
    conversations,
    documents,
    health,
    notes,
    revisions,
    search,
    sources,
    status,
)

routers = (
    ask.router,
    search.router,
    documents.router,
    notes.router,
    revisions.router,
    changes.router,
    attachments.router,
    conversations.router,
    sources.router,
    status.router,
    backups.router,
    health.router,
)
