"""All deals of a schedule are committed to together at its start, and each record shows where."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import text

from kitumaija.engine import commitment, deal_seed
from kitumaija.sdk.records import verify
from kitumaija.server.checking import findings
from kitumaija.server.store import audit, records
from kitumaija.server.tournament.course import Attempt
from kitumaija.server.tournament.dealtrees import (
    BLOCK,
    DEALS_MAX,
    STEP,
    DealTree,
    covered,
    grow,
    make_tree,
)
from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.wire.merkle import MerkleTree, root_of_path
from kitumaija.wire.record import MatchRecord, record_from_bytes
from tests.support.exports import contents, exported, sentences, verified
from tests.support.organizer import Organizer, organized

MASTER = bytes(range(32))


def first_deals(size: int, count: int, master: bytes = MASTER) -> list[bytes]:
    """What the tree is over, in so many words."""
    return [commitment(deal_seed(master, f"cup/{size}/{number}/1")) for number in range(count)]


@pytest.mark.parametrize("count", [1, 2, BLOCK - 1, BLOCK, BLOCK + 1, 5 * BLOCK, 5 * BLOCK + 3])
def test_a_path_leads_from_every_deal_to_the_root(count: int) -> None:
    row = make_tree("cup", 3, MASTER, count)
    tree = DealTree.of(row, MASTER)
    deals = first_deals(3, count)
    assert tree.root == row.root == MerkleTree(deals).root
    for number, deal in enumerate(deals):
        proof = tree.proof(Attempt(3, number, 1, ()))
        assert proof is not None
        assert (proof.position, proof.deals) == (number, count)
        assert root_of_path(deal, number, count, proof.path) == tree.root
    assert tree.proof(Attempt(3, count, 1, ())) is None
    assert tree.proof(Attempt(3, 0, 2, ())) is None, "a later attempt has a deal of its own"


def test_of_long_schedules_the_first_deals_are_covered_an_equal_part_of_each_table_size() -> None:
    assert covered({2: 12}) == {2: 12}
    assert covered({2: DEALS_MAX, 3: 5}) == {2: DEALS_MAX // 2, 3: 5}
    assert covered({4: 10_000_000}) == {4: DEALS_MAX}
    assert covered({}) == {}


async def test_trees_grow_in_small_steps_between_which_others_have_their_turns() -> None:
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    task = asyncio.create_task(others())
    count = 20 * STEP * BLOCK
    (two, three) = await grow("cup", MASTER, {2: count, 3: 7})
    task.cancel()

    assert turns >= 20
    assert two == make_tree("cup", 2, MASTER, count)
    assert three == make_tree("cup", 3, MASTER, 7)


def stored_records(organizer: Organizer) -> dict[str, MatchRecord]:
    """Every record by the id of its deal."""
    with organizer.app.store.read() as tx:
        ids = [row["match_id"] for row in tx.all(text("SELECT match_id FROM records"))]
        found = [record_from_bytes(records.get(tx, one) or b"") for one in ids]
    return {record.game.deal.deal_id: record for record in found}


def checked(organizer: Organizer) -> list[str]:
    with organizer.app.store.read() as tx:
        return [finding.sentence for finding in findings(tx)]


async def test_the_roots_are_told_with_the_start_and_every_record_leads_to_one(
    organizer: Organizer, tmp_path: Path
) -> None:
    await organizer.register("ann", "bob", "cid")
    assert not (await organizer.create(table_sizes=[2, 3])).deals_roots
    for bot in ("ann", "bob", "cid"):
        await organizer.connect(bot)
        await organizer.enter(bot)
    await organizer.close()
    roots = {one.table_size: one.root for one in (await organizer.start()).deals_roots}
    await organizer.finished()
    over = await organizer.get()

    assert {one.table_size: one.root for one in over.deals_roots} == roots
    planned = {one.table_size: one.deals for one in over.deals_roots}
    assert planned == {2: 6, 3: 3}
    for size, root in roots.items():
        assert MerkleTree(first_deals(size, planned[size], over.master_seed)).root == root
    with organizer.app.store.read() as tx:
        (entry,) = audit.of_action(tx, "cup", "start")
    assert {size: entry.detail[f"deals_root_{size}"] for size in roots} == {
        size: root.hex() for size, root in roots.items()
    }
    kept = stored_records(organizer)
    assert len(kept) == 9
    for deal_id, record in kept.items():
        root = roots[int(deal_id.split("/")[1])]
        assert all(finding.holds for finding in verify(record, root=root))
        assert not all(finding.holds for finding in verify(record, root=bytes(32)))
    assert checked(organizer) == []
    assert sentences(verified(tmp_path / "cup.zip", await exported(organizer))[0]) == []


async def test_a_later_attempt_is_proved_by_the_master_seed_and_has_no_path(
    organizer: Organizer,
) -> None:
    await organizer.begin("ann", "bob", "cid", rounds=3, max_running_matches=1)
    await organizer.until(lambda now: now.matches.finished >= 1)
    await organizer.pause()
    await organizer.until(lambda now: now.matches.running == 0)
    match = (await organizer.matches())[0]
    voiding = v1.VoidMatchRequest(tournament_id="cup", match_id=match.match_id, reason="a bug")
    await organizer.call(organizer.tournaments.VoidMatch, voiding)
    await organizer.resume()
    await organizer.finished()
    over = await organizer.get()

    kept = stored_records(organizer)
    first, again = (kept[f"cup/2/{match.number}/{attempt}"] for attempt in (1, 2))
    assert first.timings.deal_proof is not None
    assert again.timings.deal_proof is None
    assert again.game.deal.seed == deal_seed(over.master_seed, again.game.deal.deal_id)
    assert checked(organizer) == []


@pytest.mark.parametrize("kept", [True, False])
async def test_trees_outlive_the_server_and_what_began_before_there_were_any_has_none(
    tmp_path: Path, kept: bool
) -> None:
    data, bots = tmp_path / "data", ("ann", "bob")
    async with organized(data) as organizer:
        await organizer.register(*bots)
        await organizer.create()
        await organizer.enter(*bots)
        await organizer.close()
        await organizer.start(allow_absent=True)
        tokens = organizer.tokens
    async with organized(data) as organizer:
        organizer.tokens.update(tokens)
        if not kept:
            with organizer.app.store.write() as tx:
                assert tx.change(text("DELETE FROM deal_trees")) == 1
    async with organized(data) as organizer:
        organizer.tokens.update(tokens)
        for bot in bots:
            await organizer.connect(bot)
        await organizer.finished()

        assert bool((await organizer.get()).deals_roots) is kept
        proofs = [one.timings.deal_proof for one in stored_records(organizer).values()]
        assert len(proofs) == 2
        assert all((proof is not None) is kept for proof in proofs)
        assert checked(organizer) == []
        data_of_export = await exported(organizer)
        assert (b"deals_roots" in contents(data_of_export)["tournament.json"]) is kept
        assert sentences(verified(tmp_path / "cup.zip", data_of_export)[0]) == []
