"""Tests with a store run on SQLite and on PostgreSQL."""

from __future__ import annotations

from tests.support.databases import (
    database,
    postgres,
    postgres_store,
    store,
    store_address,
)

__all__ = ["database", "postgres", "postgres_store", "store", "store_address"]
