"""Registered bots."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import insert, select, update

from kitumaija.server.store.errors import NotStored
from kitumaija.server.store.failpoints import failpoint
from kitumaija.server.store.paging import page_of, read_token
from kitumaija.server.store.rows import BotRow, Page
from kitumaija.server.store.schema import BOTS
from kitumaija.server.store.transactions import ReadTx, WriteTx

_LISTING = ("bots",)


@failpoint
def add(tx: WriteTx, row: BotRow) -> None:
    """Add a bot; raises AlreadyStored if its id or its token is taken."""
    values = {
        "bot_id": row.bot_id,
        "display_name": row.display_name,
        "owner": row.owner,
        "token_hash": row.token_hash,
        "created_at": row.created_at,
        "disabled": row.disabled,
    }
    tx.insert(insert(BOTS), values, what=f"the bot {row.bot_id!r}")


@failpoint
def set_token(tx: WriteTx, bot_id: str, token_hash: bytes) -> None:
    """Give a bot another token; the old one opens nothing from the commit on."""
    _update(tx, bot_id, token_hash=token_hash)


@failpoint
def set_disabled(tx: WriteTx, bot_id: str, *, disabled: bool) -> None:
    """Shut a bot out, or let it in again."""
    _update(tx, bot_id, disabled=disabled)


def get(tx: ReadTx, bot_id: str) -> BotRow | None:
    """A bot by its id."""
    row = tx.first(select(BOTS).where(BOTS.c.bot_id == bot_id))
    return BotRow(**row) if row else None


def many(tx: ReadTx, bot_ids: Iterable[str]) -> dict[str, BotRow]:
    """Bots by their ids; those that are not stored are left out."""
    rows = tx.all(select(BOTS).where(BOTS.c.bot_id.in_(set(bot_ids))))
    return {row["bot_id"]: BotRow(**row) for row in rows}


def everyone(tx: ReadTx) -> list[BotRow]:
    """Every bot, be it disabled or not, by id."""
    return [BotRow(**row) for row in tx.all(select(BOTS).order_by(BOTS.c.bot_id))]


def page(tx: ReadTx, *, size: int, token: str = "") -> Page[BotRow]:
    """Bots by id; raises BadPageToken."""
    statement = select(BOTS).order_by(BOTS.c.bot_id).limit(size + 1)
    if key := read_token(_LISTING, token, (str,)):
        statement = statement.where(BOTS.c.bot_id > key[0])
    rows = [BotRow(**row) for row in tx.all(statement)]
    return page_of(rows, size, _LISTING, lambda row: (row.bot_id,))


def _update(tx: WriteTx, bot_id: str, **values: object) -> None:
    if not tx.change(update(BOTS).where(BOTS.c.bot_id == bot_id).values(**values)):
        raise NotStored(f"there is no bot {bot_id!r}")
