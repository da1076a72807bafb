import type { JsonObject, JsonValue } from "@gatehouse/envelopes/json";

/** An event that a pipeline delivers. */
export interface OutputEvent {
  /** Position in the log: equal each time the event is delivered again. */
  readonly position: number;
  /** The sender that it came from. */
  readonly sender: string;
  /** Time of receipt, in milliseconds since 1970. */
  readonly receivedTimestamp: number;
  /** JSON on one line, after policy and redaction. */
  readonly bytes: Buffer;
  /** SHA-256 of the event as it was sent, as text of 32 characters (see `Digest`): identifies it, with its sender. */
  readonly digest: string;
}

/** Events that are delivered together: at least one, in the order of the log. */
export interface OutputBatch {
  readonly events: readonly OutputEvent[];
  /** Total size of the events in bytes. */
  readonly bytes: number;
}

/** Result of delivering a batch. */
export interface Delivered {
  /** Number of events that the other side has accepted and dropped, if it says so but not which. */
  readonly rejected: number;
}

/** The other side has taken all of it. */
export const allDelivered: Delivered = Object.freeze({ rejected: 0 });

/**
 * The destination of a pipeline. To write another one, implement this and pass `outputContract` (in its test).
 *
 * A pipeline calls `deliver` with one batch at a time, in the order of the log. A batch that fails is delivered again,
 * whole, until it succeeds; after a crash everything since the last saved state comes again, perhaps cut into other
 * batches. An output that can tell old events from new ones leaves out the old.
 */
export interface Output {
  /**
   * Resolves when the other side has the events for good. Rejects when it is not known to have them: the pipeline waits and
   * tries again. Rejects with EventsRejectedError when it will never take these events. When `signal` aborts, rejects soon.
   */
  deliver(batch: OutputBatch, signal: AbortSignal): Promise<Delivered>;
  /**
   * Returns the state that the output needs after a restart to go on behind the last delivered event; saved with the
   * position. Called between deliveries only.
   */
  state?(): JsonObject;
  /** Lets go of files and connections. Nothing is delivered afterwards. */
  close(): Promise<void>;
}

/** Context that a pipeline gives to its output at creation. */
export interface OutputContext {
  /** Name of the pipeline, unique in the sink. */
  readonly pipeline: string;
  /** Last saved result of `state`; undefined for a new pipeline. */
  readonly state: JsonValue | undefined;
  /** Saves position and state now, durably. For an output that is about to do what it could not take up again otherwise. */
  saveState(): Promise<void>;
}

/** The other side will never take these events, whatever is tried: too large for it, or malformed in its eyes. */
export class EventsRejectedError extends Error {
  override readonly name = "EventsRejectedError";
}
