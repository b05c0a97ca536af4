"""Run migrations on the connection, and inside the transaction, that the caller has open."""

from alembic import context
from sqlalchemy import Connection

from kitumaija.server.store.schema import METADATA

connection: Connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=METADATA,
    render_as_batch=True,
    # SQLite can undo changes of its schema; alembic believes it cannot.
    transactional_ddl=True,
)
context.run_migrations()
