"""The async bot: asks somebody else what to play, and waits without holding up its other matches.

Lesson: `choose` may be `async def`. While it awaits (a model server, a database, another process)
all other matches of the same bot play on in the same thread. What it must not do is to block: work
that keeps the processor busy belongs into a plain `def choose`, which has a thread for every match.

The somebody else is a task of this program here, one for every match, that answers out of a queue.
"""

import asyncio

from kitumaija.sdk import Action, Bot, Match, Result, Turn, run


class AsyncBot(Bot):
    async def on_start(self, match: Match) -> None:
        self.questions: asyncio.Queue[tuple[Turn, asyncio.Future[Action]]] = asyncio.Queue()
        self.adviser = asyncio.create_task(advise(self.questions))

    async def choose(self, turn: Turn) -> Action:
        answer: asyncio.Future[Action] = asyncio.get_running_loop().create_future()
        await self.questions.put((turn, answer))
        return await answer

    async def on_end(self, result: Result) -> None:
        self.adviser.cancel()


async def advise(questions: asyncio.Queue[tuple[Turn, asyncio.Future[Action]]]) -> None:
    """Answer every question with the last legal action; a wiser adviser goes here."""
    while True:
        turn, answer = await questions.get()
        if not answer.cancelled():
            answer.set_result(turn.legal[-1])


if __name__ == "__main__":
    run(AsyncBot)
