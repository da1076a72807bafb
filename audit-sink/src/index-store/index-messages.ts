import type { ReadableSegment } from "../log/log-reader.js";
import type { EventFilter } from "./event-filter.js";
import type { IndexStatus } from "./event-index.js";
import type { EventPage, EventPlace, FoundEvent } from "./find-events.js";
import type { EventSummary, SummaryOptions } from "./summarise-events.js";

/** Data that the thread of the index is started with. */
export interface IndexThreadData {
  readonly directory: string;
  readonly retention: { readonly maxAgeMs: number; readonly maxBytes: number };
  readonly log: LogState;
}

/** State of the log that its readers need. */
export interface LogState {
  readonly directory: string;
  readonly isOpen: boolean;
  readonly firstPosition: number;
  readonly endPosition: number;
  readonly closedSegments: readonly ReadableSegment[];
  readonly lastSegment: ReadableSegment | undefined;
}

/** A question and what makes it precise. */
export type IndexQuestion =
  | {
      readonly about: "find";
      readonly filter: EventFilter;
      readonly options: { readonly limit: number; readonly after?: EventPlace };
    }
  | { readonly about: "event"; readonly position: number }
  | { readonly about: "summarise"; readonly filter: EventFilter; readonly options: SummaryOptions };

/** An answer to a question: undefined if there is no such event. */
export type IndexAnswer = EventPage | EventSummary | FoundEvent | undefined;

/** A message to the thread. */
export type IndexRequest =
  | { readonly type: "log"; readonly log: LogState }
  | { readonly type: "ask"; readonly id: number; readonly question: IndexQuestion }
  | { readonly type: "tail"; readonly id: number; readonly filter: EventFilter }
  | { readonly type: "untail"; readonly id: number }
  | { readonly type: "stop" };

/** The part of the status that the thread knows; the distance from the end of the log is added by its owner. */
export type StoreStatus = Omit<IndexStatus, "behind">;

/** A message from the thread. */
export type IndexReply =
  | { readonly type: "status"; readonly status: StoreStatus }
  | { readonly type: "answer"; readonly id: number; readonly answer: IndexAnswer }
  | { readonly type: "failure"; readonly id: number; readonly message: string }
  | {
      readonly type: "news";
      readonly id: number;
      readonly events: readonly { readonly position: number; readonly sender: string; readonly json: Uint8Array }[];
      readonly skipped: number;
    }
  | { readonly type: "problem"; readonly message: string; readonly detail: string }
  | { readonly type: "recovered" }
  | { readonly type: "stopped" };
