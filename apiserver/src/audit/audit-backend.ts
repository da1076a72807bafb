import type { AuditEvent } from "./audit-event.js";

/**
 * Takes events and records them somewhere. Backends are put around each other: a buffer around a webhook, truncation around
 * that. Events are immutable, and may be kept.
 */
export interface AuditBackend {
  /** The name of the backend in logs: `buffered<webhook>`. */
  readonly name: string;

  /**
   * Takes events over. True, perhaps later: they are recorded, or whoever lost them has counted and told it, and the
   * request goes on. False: they are not recorded, which has been counted and told; a strict caller fails the request.
   * Never throws, never rejects. Whoever waits for the promise holds its request up for it.
   */
  process(events: readonly AuditEvent[]): boolean | Promise<boolean>;

  /**
   * Returns the reason why a request whose events must be recorded may not begin now; undefined when it may. Absent: it
   * always may. Called before each such request, whether or not its beginning is an event.
   */
  refusal?(): string | undefined;

  /** Delivers the remaining events, within a bounded time, and closes. No events may come after that. */
  close(): Promise<void>;
}

/** A listener for events that were not recorded. */
export interface AuditLosses {
  /**
   * Called with the number of events that a part lost, under v1.29's name of the part; `reason` holds nothing of the
   * events.
   */
  lost(plugin: string, count: number, reason: string): void;
}
