import type { JsonObject, JsonValue } from "@gatehouse/envelopes";

/** An event that a pipeline delivers. */
export interface OutputEvent {
  /** In the log: the same each time the event is delivered again. */
  readonly position: number;
  /** The sender that it came from. */
  readonly sender: string;
  /** When it came, in milliseconds since 1970. */
  readonly receivedTimestamp: number;
  /** JSON on one line, after policy and redaction. */
  readonly bytes: Buffer;
  /** SHA-256 of the event as it was sent, as text of 32 characters (see `Digest`): identifies it, with its sender. */
  readonly digest: string;
}

/** Events that are delivered together: at least one, in the order of the log. */
export interface OutputBatch {
  readonly events: readonly OutputEvent[];
  /** Of all events. */
  readonly bytes: number;
}

/** What an output says of a batch that it has delivered. */
export interface Delivered {
  /** How many of the events the other side has taken and thrown away, if it says so but not which. */
  readonly rejected: number;
}

/** The other side has taken all of it. */
export const allDelivered: Delivered = Object.freeze({ rejected: 0 });

/**
 * Where a pipeline leads. To write another one, implement this and pass `outputContract` (in its test).
 *
 * A pipeline calls `deliver` with one batch at a time, in the order of the log. A batch that fails is delivered again,
 * whole, until it succeeds; after a crash everything since the last saved state comes again, perhaps cut into other
 * batches. An output that can tell what it has from what is new leaves out what it has.
 */
export interface Output {
  /**
   * Resolves when the other side has the events for good. Rejects when it is not known to have them: the pipeline waits and
   * tries again. Rejects with EventsRejected when it will never take these events. When `signal` aborts, rejects soon.
   */
  deliver(batch: OutputBatch, signal: AbortSignal): Promise<Delivered>;
  /**
   * What the output must know after a restart to go on behind the last delivered event; kept with the position. Asked for
   * between deliveries only.
   */
  state?(): JsonObject;
  /** Lets go of files and connections. Nothing is delivered afterwards. */
  close(): Promise<void>;
}

/** What an output gets from its pipeline when it is made. */
export interface OutputContext {
  /** Name of the pipeline, unique in the sink. */
  readonly pipeline: string;
  /** What `state` returned when it was last saved; undefined for a new pipeline. */
  readonly state: JsonValue | undefined;
  /** Saves position and state now, durably. For an output that is about to do what it could not take up again otherwise. */
  saveState(): Promise<void>;
}

/** The other side will never take these events, whatever is tried: too large for it, or malformed in its eyes. */
export class EventsRejected extends Error {
  override readonly name = "EventsRejected";
}
