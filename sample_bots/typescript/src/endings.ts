import { Code, ConnectError } from "@connectrpc/connect";

import { ErrorInfoSchema } from "../gen/google/rpc/error_details_pb.js";

/** The exit codes of a bot, the same in every language. */
export enum Exit {
  /** It left politely. */
  Done = 0,
  /** A fault of this program. */
  Failed = 1,
  /** A setting is missing or wrong. */
  Usage = 2,
  /** No server, for as long as its patience lasts. */
  Unreachable = 3,
  /** The server does not want it: a wrong token, a newer copy, a frozen version. */
  Refused = 4,
}

/** A setting that is missing or wrong. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The server could not be reached for as long as the bot's patience lasts. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
}

// Whether, after each reason that can end a stream, a new stream may succeed.
const AGAIN: Readonly<Record<string, boolean>> = {
  UNAUTHENTICATED_NO_TOKEN: false,
  UNAUTHENTICATED_TOKEN: false,
  PERMISSION_DENIED: false,
  BOT_DISABLED: false,
  INVALID_ARGUMENT_FIELD: false,
  BOT_VERSION_FROZEN: false,
  REPLACED: false,
  PROTOCOL_VIOLATION: false,
  FRAME_TOO_LARGE: false,
  FLOODING: false,
  TOO_MANY_REPLACEMENTS: true,
  HELLO_LATE: true,
  NOT_READING: true,
  SILENT: true,
  DRAINING: true,
  RESOURCE_EXHAUSTED: true,
  STORE_FAILED: true,
  INTERNAL: true,
};

const NEVER_AGAIN: readonly Code[] = [
  Code.Unauthenticated,
  Code.PermissionDenied,
  Code.InvalidArgument,
  Code.FailedPrecondition,
  Code.Unimplemented,
];

/** Why a stream ended: an error of the server, or a lost connection. */
export class Ended extends Error {
  override readonly name = "Ended";
  /** A reason of proto/README.md's list; undefined where gRPC itself made the error. */
  readonly reason: string | undefined;
  readonly code: Code;
  /** Whether a new stream may succeed. Without a reason that is known the status decides. */
  readonly again: boolean;
  /** How long the server wants to be left alone, in milliseconds. */
  readonly wait: number;

  constructor(cause: unknown) {
    const error = ConnectError.from(cause);
    const info = error.findDetails(ErrorInfoSchema).find((found) => found.domain === "kitumaija");
    super(info === undefined ? error.message : `${info.reason}: ${error.rawMessage}`, { cause });
    this.reason = info?.reason;
    this.code = error.code;
    this.again = AGAIN[info?.reason ?? ""] ?? !NEVER_AGAIN.includes(error.code);
    const seconds = Number(info?.metadata["retry_seconds"] ?? 0);
    this.wait = seconds > 0 ? seconds * 1000 : 0;
  }
}

/** The exit code for what `run` threw. */
export function exitCode(error: unknown): Exit {
  if (error instanceof Unreachable) return Exit.Unreachable;
  if (error instanceof Ended) return Exit.Refused;
  return error instanceof UsageError ? Exit.Usage : Exit.Failed;
}
