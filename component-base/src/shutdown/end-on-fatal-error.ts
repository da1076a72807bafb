import type { Logger } from "../logs/logger.js";
import type { ProcessLike } from "./process-like.js";

/** The part of `process` that tells of errors that nobody has caught. */
export interface FatalErrorSource {
  on(event: "uncaughtException", listener: (error: unknown, origin: string) => void): unknown;
}

/**
 * Logs an error that nobody has caught, or a rejection that nobody has handled, and ends the process at once. Node would
 * end it as `exit` does, which waits for the writer of an open store.
 */
export function endOnFatalError(
  source: FatalErrorSource,
  ending: Pick<ProcessLike, "endAtOnce">,
  logger: Logger,
): void {
  source.on("uncaughtException", (cause, origin) => {
    const error = cause instanceof Error ? cause : new Error(String(cause));
    logger.error("an error was not caught, the process ends at once", { origin, error });
    ending.endAtOnce();
  });
}
