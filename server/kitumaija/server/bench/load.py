"""Callers in a process of their own: ``python -m kitumaija.server.bench.load JOB.json``.

They are gRPC's own, as a bot's are. It prints `CONNECTED` when all of them are there,
`MEASURING` when it begins to, and a line of JSON, a `Told`, when the time of the job (`job.py`) is
over; then the process ends.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import grpc
import grpc.aio

from kitumaija.server.bench.bot import Course, LoadBot
from kitumaija.server.bench.job import Job, Told
from kitumaija.server.bench.meter import Meter
from kitumaija.server.bench.samples import answers
from kitumaija.server.loops import run
from kitumaija.v1 import arena_pb2_grpc

CONNECTED, MEASURING = "connected", "measuring"

_OWN_CONNECTION = (("grpc.use_local_subchannel_pool", 1),)


async def load(job: Job) -> Told:
    """Do the job."""
    meter, course = Meter(), Course(job.streams)
    callers = [_call(job, number, meter, course) for number in range(job.streams)]
    tasks = [asyncio.ensure_future(caller) for caller in callers]
    for task in tasks:
        task.add_done_callback(_ended_early)
    try:
        await course.connected.wait()
        _say(CONNECTED)
        await course.playing.wait()
        await asyncio.sleep(job.warm_up)
        _say(MEASURING)
        meter.begin()
        await asyncio.sleep(job.seconds)
        meter.lost = sum(task.done() for task in tasks)
        return meter.end()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _ended_early(task: asyncio.Future[None]) -> None:
    """Say on standard error why a caller did not stay: it is kept, and shown if that matters."""
    if not task.cancelled():
        error = task.exception()
        said = error.details() if isinstance(error, grpc.aio.AioRpcError) else error
        sys.stderr.write(f"a stream ended: {said or 'by its server'}\n")


async def _call(job: Job, number: int, meter: Meter, course: Course) -> None:
    """Be one caller, until it is cancelled."""
    async with _channel(job) as channel:
        stub: Any = arena_pb2_grpc.ArenaServiceStub(channel)
        if job.tokens:
            bearer = (("authorization", f"Bearer {job.tokens[number]}"),)
            bot = LoadBot(
                stub.Play(metadata=bearer),
                meter,
                course,
                capacity=job.outstanding,
                think=job.think,
                seed=job.seed + number,
            )
            await bot.play()
        else:
            await _echo(stub.Play(), job, meter, course)


async def _echo(call: Any, job: Job, meter: Meter, course: Course) -> None:
    frame = answers(job.outstanding)
    course.arrived()
    course.begun()
    while True:
        began = time.perf_counter()
        await call.write(frame)
        if await call.read() is grpc.aio.EOF:
            return
        meter.frame()
        for _ in range(job.outstanding):
            meter.decided(began)
        if job.every:
            await asyncio.sleep(job.every)


def _channel(job: Job) -> grpc.aio.Channel:
    if not job.ca:
        return grpc.aio.insecure_channel(job.address, options=_OWN_CONNECTION)
    trusted = grpc.ssl_channel_credentials(Path(job.ca).read_bytes())
    target = job.address.removeprefix("https://")
    return grpc.aio.secure_channel(target, trusted, options=_OWN_CONNECTION)


def main(arguments: Sequence[str]) -> None:
    """Do the job of a file, and print what there was."""
    told = run(load(Job.load(Path(arguments[0]))))
    _say(json.dumps(asdict(told)))


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
