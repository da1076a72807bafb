import type { EventFilter } from "./event-filter.js";
import type { EventPage, EventPlace, FoundEvent } from "./find-events.js";
import type { EventSummary, SummaryOptions } from "./summarise-events.js";

/** Answers questions about kept events. Rejects with IndexBusyError when too many are asked at a time. */
export interface EventIndex {
  /** Events, newest first. */
  find(filter: EventFilter, options: { readonly limit: number; readonly after?: EventPlace }): Promise<EventPage>;
  /** The event at a position of the log; undefined when it is not kept. */
  event(position: number): Promise<FoundEvent | undefined>;
  summarise(filter: EventFilter, options: SummaryOptions): Promise<EventSummary>;
  /** Calls `listener` with events as they are indexed, until the returned function is called. */
  tail(filter: EventFilter, listener: (news: TailNews) => void): () => void;
  readonly status: IndexStatus;
  /** The log is to be kept from this position on; undefined when the index has failed, and needs nothing any more. */
  readonly savedPosition: number | undefined;
  /** Makes durable what has been indexed, and ends. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Events that have come. */
export interface TailNews {
  readonly events: readonly TailEvent[];
  /** Events that were asked for, but were too many to be told. */
  readonly skipped: number;
}

/** An event as it is told to those who follow. */
export interface TailEvent {
  readonly position: number;
  readonly sender: string;
  readonly json: Buffer;
}

/** Size of the index, and its progress along the log. */
export interface IndexStatus {
  readonly events: number;
  readonly bytes: number;
  /** Microseconds since 1970; undefined without events. */
  readonly oldestUs: number | undefined;
  /** Position in the log that is read next. */
  readonly position: number;
  /** Events that the log has and the index not yet. */
  readonly behind: number;
  /** A crash loses nothing before this position. */
  readonly durablePosition: number;
  /** Events that were left out since the start, because they cannot be read. */
  readonly unreadable: number;
}

/** Too many questions wait for an answer. */
export class IndexBusyError extends Error {
  override readonly name = "IndexBusyError";

  constructor() {
    super("too many questions are being answered");
  }
}
