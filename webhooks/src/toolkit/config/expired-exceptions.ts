import type { Logger } from "@gatehouse/component-base/logs";
import { parseTime } from "@gatehouse/envelopes/codec";

/** An exception of a configuration document that no longer excepts anything. */
export interface ExpiredException {
  /** Its place in the document: `hooks[0].exceptions[1]`. */
  readonly path: string;
  /** RFC 3339. */
  readonly expired: string;
  readonly reason: string;
}

/** Finds the exceptions of a list that have expired; their times must have been checked. `nowMs` counts since 1970. */
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

/** Logs each of them. */
export function logExpired(logger: Logger, file: string | undefined, expired: readonly ExpiredException[]): void {
  for (const exception of expired) {
    logger.warn("an exception has expired and excepts nothing any more", { file, ...exception });
  }
}
