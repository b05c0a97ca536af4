"""Somebody who wants to see the cards to come, or to choose them."""

from __future__ import annotations

import hashlib
import hmac
from pathlib import Path

from kitumaija.engine import Deal, commitment, deal_seed, shuffled_deck
from kitumaija.server.store import matches, records, tournaments
from kitumaija.server.tournament.entropy import schedule_seed
from kitumaija.v1 import arena_pb2
from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.wire.record import record_from_bytes
from tests.support.organizer import Organizer, organized
from tests.support.raw_bot import RawBot


async def gives(bot: RawBot, step: arena_pb2.EntropyStep.ValueType, value: bytes) -> None:
    """Say an entropy, asked or not, and wait until it was dealt with."""
    entropy = arena_pb2.Entropy(tournament_id="cup", step=step, value=value)
    await bot.say(arena_pb2.BotMessage(entropy=entropy))
    await bot.heard()


COMMIT, REVEAL = arena_pb2.ENTROPY_STEP_COMMIT, arena_pb2.ENTROPY_STEP_REVEAL


def entrants(tournament: v1.Tournament) -> dict[str, v1.Entrant]:
    return {entrant.bot_id: entrant for entrant in tournament.entrants}


async def seen_by_everybody(organizer: Organizer) -> v1.Tournament:
    request = v1.GetTournamentRequest(tournament_id="cup")
    answer = await organizer.call(organizer.tournaments.GetTournament, request, token=None)
    return answer.tournament  # type: ignore[no-any-return]


async def test_the_last_to_reveal_has_not_seen_what_the_others_revealed(
    organizer: Organizer,
) -> None:
    await organizer.register("ann", "eve")
    await organizer.create()
    await organizer.connect("ann", entropy=b"of ann")
    async with RawBot(organizer.app.address, organizer.tokens["eve"]) as eve:
        await eve.hello()
        await organizer.enter("ann", "eve")
        await gives(eve, COMMIT, hashlib.sha256(b"of eve").digest())
        await organizer.close()
        await organizer.call(
            organizer.tournaments.GetTournament, v1.GetTournamentRequest(tournament_id="cup")
        )
        before = await seen_by_everybody(organizer)
        assert {entrant.entropy for entrant in before.entrants} == {b""}
        assert before.schedule_seed == b""
        assert before.master_seed == b""
        assert b"of ann" not in b"".join(eve.everything)
        await gives(eve, REVEAL, b"of eve")
        started = await organizer.start()

    found = entrants(started)
    assert (found["ann"].entropy, found["eve"].entropy) == (b"of ann", b"of eve")
    reveals = {name: entrant.entropy for name, entrant in found.items()}
    assert started.schedule_seed == schedule_seed(reveals)


async def test_a_commitment_that_is_copied_opens_nothing(organizer: Organizer) -> None:
    """Nor does another value than what was committed to, a second try, or a late change of mind."""
    await organizer.register("ann", "eve")
    await organizer.create()
    await organizer.connect("ann", entropy=b"of ann")
    await organizer.enter("ann", "eve")
    async with RawBot(organizer.app.address, organizer.tokens["eve"]) as eve:
        await eve.hello()
        await eve.until("entropy_request")
        await gives(eve, REVEAL, b"too early")
        copied = entrants(await seen_by_everybody(organizer))["ann"].entropy_commitment
        assert copied == hashlib.sha256(b"of ann").digest()
        await gives(eve, COMMIT, copied)
        await organizer.close()
        for guess in (b"of bob", copied, b"x" * 64):
            await gives(eve, REVEAL, guess)
        await gives(eve, COMMIT, hashlib.sha256(b"chosen later").digest())
        await gives(eve, REVEAL, b"chosen later")
        started = await organizer.start()

    found = entrants(started)
    assert found["eve"].entropy == b""
    assert found["eve"].entropy_commitment == copied
    assert any("eve" in remark for remark in (await organizer.standings()).remarks)


async def test_the_seeds_that_a_bot_is_told_deal_no_other_match(organizer: Organizer) -> None:
    """With every seed, id and entropy that is told while the tournament runs, by every rule that is
    public, no other match can be dealt."""
    await organizer.register("ann", "eve")
    await organizer.create(rounds=3, max_running_matches=1)
    eve = await organizer.connect("eve", capacity=1, entropy=b"of eve")
    await organizer.connect("ann", entropy=b"of ann")
    await organizer.enter("ann", "eve")
    await organizer.close()
    public = await organizer.start()
    await organizer.finished()
    ends = await eve.hears_ends(6)
    assert len(ends) == 6

    known = [
        public.master_commitment,
        public.schedule_seed,
        *(entrant.entropy_commitment for entrant in public.entrants),
        *(end.deal_seed for end in ends[:-1]),
    ]
    last = ends[-1]
    assert last.deal_seed not in known
    for secret in known:
        # As the master of the deal, and as anything from which a careless server might go on.
        guesses = [deal_seed(_thirty_two(secret), last.deal_id), hashlib.sha256(secret).digest()]
        guesses.append(hmac.new(secret, last.deal_id.encode(), hashlib.sha256).digest())
        assert last.deal_seed not in guesses
    assert len({end.deal_seed for end in ends}) == len(ends)
    over = await seen_by_everybody(organizer)
    # The one that does is told when all is over, and is the one that was committed to.
    assert commitment(over.master_seed) == public.master_commitment
    assert {deal_seed(over.master_seed, end.deal_id) for end in ends} == {
        end.deal_seed for end in ends
    }


def _thirty_two(secret: bytes) -> bytes:
    return secret if len(secret) == 32 else hashlib.sha256(secret).digest()


async def test_a_restart_deals_no_other_cards(tmp_path: Path) -> None:
    """Whoever could bring the server down would gain the same hand again, and the same stock."""
    async with organized(tmp_path / "data") as organizer:
        await organizer.register("ann", "eve")
        await organizer.create(max_running_matches=1)
        eve = await organizer.connect("eve", capacity=1, answers=2)
        await organizer.connect("ann")
        await organizer.enter("ann", "eve")
        await organizer.close()
        await organizer.start()
        await eve.stuck.wait()
        [match] = organizer.running_matches()[:1]
        before, deal = match.state.game, match.setup.deal
        tokens = organizer.tokens
    async with organized(tmp_path / "data", seed="after") as again:
        again.tokens = tokens
        [match] = again.running_matches()[:1]
        assert match.setup.deal == deal
        assert match.state.game == before
        for name in ("ann", "eve"):
            await again.connect(name)
        await again.finished()
        with again.app.store.read() as tx:
            stored = matches.get(tx, match.match_id)
            data = records.get(tx, match.match_id)
        assert stored is not None
        assert stored.attempt == 1
        assert data is not None
        assert record_from_bytes(data).game.deal == deal


async def test_the_master_seed_alone_does_not_tell_the_cards(organizer: Organizer) -> None:
    """Who has it before the entropies are given, as the organizer has, cannot foresee a deal."""
    await organizer.register("ann", "eve")
    await organizer.create()
    with organizer.app.store.read() as tx:
        row = tournaments.get(tx, "cup")
    assert row is not None
    seed = deal_seed(row.master_seed, "cup/2/0/1")
    foreseen = {
        shuffled_deck(Deal("cup/2/0/1", seed, (("ann", b"of ann"), ("eve", entropy))).key)
        for entropy in (b"", b"of eve", b"of eve, otherwise")
    }
    assert len(foreseen) == 3
