import type { AuditEvent } from "./audit-event.js";

/**
 * Takes events and records them somewhere. Backends are put around each other: a buffer around a webhook, truncation around
 * that. Events are immutable, and may be kept.
 */
export interface AuditBackend {
  /** What it is, for logs: `buffered<webhook>`. */
  readonly name: string;

  /**
   * Takes events over. True, perhaps later: they are recorded, or whoever lost them has counted and told it, and the
   * request goes on. False: they are not recorded, which has been counted and told; a strict caller fails the request.
   * Never throws, never rejects. Whoever waits for the promise holds its request up for it.
   */
  process(events: readonly AuditEvent[]): boolean | Promise<boolean>;

  /**
   * Why a request whose events must be recorded is not to begin now; undefined when it may. Absent: it always may. Asked
   * before each such request, whether or not its beginning is an event.
   */
  refusal?(): string | undefined;

  /** Delivers what it still has, within a bounded time, and closes. No events come after that. */
  close(): Promise<void>;
}

/** Is told of events that were not recorded. */
export interface AuditLosses {
  /** `plugin` as v1.29 names the part that lost them; `reason` holds nothing of the events. */
  lost(plugin: string, count: number, reason: string): void;
}
