import type { Steps } from "@gatehouse/envelopes/scheduling";
import type { Chunk } from "./chunk.js";
import { type CompiledFilter, costOf, matchingRows, mayHold } from "./event-filter.js";

/** A place in the order of answers: later events first, and of those at the same time the one that came later. */
export interface EventPlace {
  /** Microseconds since 1970. */
  readonly timeUs: number;
  /** Position of the event in the log. */
  readonly position: number;
}

/** An event that was found. */
export interface FoundEvent extends EventPlace {
  readonly sender: string;
  /** JSON of the event as it was sent. */
  readonly json: Buffer;
}

/** Some events, newest first. */
export interface EventPage {
  readonly events: readonly FoundEvent[];
  /** Place after which the next page begins; undefined on the last page. */
  readonly next: EventPlace | undefined;
}

/** Limits of an answer. */
export interface FindOptions {
  readonly limit: number;
  /** Place after which the answer begins. */
  readonly after?: EventPlace;
  /** Bytes of events on a page, of which there is at least one. Default 16 MiB. */
  readonly maxBytes?: number;
  /** Rows that are looked at before a page is ended early, with fewer events; see `costOf`. Default 8 million. */
  readonly maxRows?: number;
}

interface Candidate extends EventPlace {
  readonly chunk: Chunk;
}

const defaultMaxRows = 8_000_000;
const defaultMaxBytes = 16 * 1024 * 1024;

/** Finds events, newest first, in steps of one chunk. */
export function* findEvents(
  chunks: readonly Chunk[],
  compiled: CompiledFilter,
  { limit, after, maxRows = defaultMaxRows, maxBytes = defaultMaxBytes }: FindOptions,
): Steps<EventPage> {
  const startUs = after?.timeUs ?? Number.POSITIVE_INFINITY;
  const ordered = chunks
    .filter((chunk) => mayHold(compiled, chunk) && chunk.minTimeUs <= startUs)
    .sort((a, b) => b.maxTimeUs - a.maxTimeUs);
  let candidates: Candidate[] = [];
  let cost = 0;
  for (const [index, chunk] of ordered.entries()) {
    // Retention may have deleted chunks while other work ran.
    candidates = candidates.filter((candidate) => !candidate.chunk.isGone);
    const matched = chunk.isGone ? undefined : matchingRows(compiled, chunk);
    const found = matched === undefined ? [] : candidatesIn(chunk, matched, after);
    if (found.length > 0) {
      candidates = [...candidates, ...found].sort(newestFirst).slice(0, limit + 1);
    }
    cost += costOf(chunk, matched);
    // No chunk to come holds anything later than this.
    const restUs = ordered[index + 1]?.maxTimeUs ?? Number.NEGATIVE_INFINITY;
    const last = candidates[limit];
    if (last !== undefined && last.timeUs > restUs) {
      break;
    }
    if (cost >= maxRows && restUs !== Number.NEGATIVE_INFINITY && restUs < startUs) {
      const certain = candidates.filter(({ timeUs }) => timeUs > restUs);
      const page = firstOf(certain, limit, maxBytes);
      return pageOf(page, page.length < certain.length ? page.at(-1) : placeBefore(restUs));
    }
    yield;
  }
  candidates = candidates.filter(({ chunk }) => !chunk.isGone);
  const page = firstOf(candidates, limit, maxBytes);
  return pageOf(page, page.length < candidates.length ? page.at(-1) : undefined);
}

function pageOf(page: readonly Candidate[], next: EventPlace | undefined): EventPage {
  return {
    events: page.map(toFound),
    next: next === undefined ? undefined : { timeUs: next.timeUs, position: next.position },
  };
}

/** Returns the place after all events later than a time, and before all events of that time. */
function placeBefore(timeUs: number): EventPlace {
  return { timeUs, position: Number.MAX_SAFE_INTEGER };
}

/** Returns the first candidates that fit into the limits, at least one. */
function firstOf(candidates: readonly Candidate[], limit: number, maxBytes: number): readonly Candidate[] {
  let bytes = 0;
  const end = candidates.findIndex(({ chunk, position }, index) => {
    bytes += chunk.sizes()[position - chunk.firstPosition] as number;
    return index === limit || (index > 0 && bytes > maxBytes);
  });
  return end < 0 ? candidates : candidates.slice(0, end);
}

function candidatesIn(chunk: Chunk, rows: readonly number[], after: EventPlace | undefined): Candidate[] {
  const times = chunk.times();
  const candidates: Candidate[] = [];
  for (const row of rows) {
    const candidate = { timeUs: times[row] as number, position: chunk.firstPosition + row, chunk };
    if (after === undefined || newestFirst(after, candidate) < 0) {
      candidates.push(candidate);
    }
  }
  return candidates;
}

function newestFirst(a: EventPlace, b: EventPlace): number {
  return b.timeUs - a.timeUs || b.position - a.position;
}

function toFound({ timeUs, position, chunk }: Candidate): FoundEvent {
  const row = position - chunk.firstPosition;
  const sender = chunk.column("sender");
  return { timeUs, position, sender: sender.values()[sender.ids()[row] as number] ?? "", json: chunk.eventAt(row) };
}

/** The event at a position of the log; undefined when it is not kept. */
export function eventAtPosition(chunks: readonly Chunk[], position: number): FoundEvent | undefined {
  const chunk = chunks.findLast(({ firstPosition }) => firstPosition <= position);
  return chunk === undefined || position >= chunk.firstPosition + chunk.count
    ? undefined
    : toFound({ timeUs: chunk.times()[position - chunk.firstPosition] as number, position, chunk });
}
