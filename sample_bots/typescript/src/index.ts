/** A client for bots that play Kitumaija: it keeps the stream to the server, and leaves the choosing to a `Bot`. */
export { type Action, actionText } from "./actions.js";
export type { Bot, Match } from "./bot.js";
export { type Card, MAIJA, type Rank, rankOf, RANKS, type Suit, suitOf, SUITS } from "./cards.js";
export { Ended, Exit, exitCode, Unreachable, UsageError } from "./endings.js";
export { main, type Options, optionsFromEnvironment, run } from "./run.js";
export type { Event, Phase, Turn } from "./turn.js";
