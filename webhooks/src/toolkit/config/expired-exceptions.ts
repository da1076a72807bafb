import type { Logger } from "@gatehouse/component-base/logs";
import { parseTime } from "@gatehouse/envelopes/codec";

/** An exception of a configuration document that has expired. */
export interface ExpiredException {
  /** Path of the exception in the document: `hooks[0].exceptions[1]`. */
  readonly path: string;
  /** Time of expiry in RFC 3339. */
  readonly expired: string;
  readonly reason: string;
}

/**
 * Finds the expired exceptions of a list, whose times must have been checked. `nowMs` is in milliseconds since 1970.
 */
export function expiredExceptions(
  exceptions: readonly { readonly expires: unknown; readonly reason: string }[],
  path: string,
  nowMs: number,
): readonly ExpiredException[] {
  return exceptions.flatMap(({ expires, reason }, index) => {
    const expiresMs = parseTime(String(expires)).seconds * 1000;
    return expiresMs > nowMs ? [] : [{ path: `${path}[${index}]`, expired: new Date(expiresMs).toISOString(), reason }];
  });
}

/** Returns a sentence about an expired exception of a document, for a terminal. */
export function expiredText(file: string | undefined, { path, expired, reason }: ExpiredException): string {
  return `${file}: ${path}: expired at ${expired}, so it excepts nothing: ${reason}`;
}

/** Logs a warning for each expired exception. */
export function logExpired(logger: Logger, file: string | undefined, expired: readonly ExpiredException[]): void {
  for (const exception of expired) {
    logger.warn("an exception has expired and excepts nothing any more", { file, ...exception });
  }
}
