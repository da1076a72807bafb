import type { Steps } from "@gatehouse/envelopes/scheduling";
import type { Chunk, Column } from "./chunk.js";
import type { EventField } from "./event-fields.js";
import { type CompiledFilter, costOf, matchingRows, mayHold } from "./event-filter.js";

/** Counts of events over time and by what they say. */
export interface EventSummary {
  /** Microseconds since 1970: the beginning of the first bucket. */
  readonly fromUs: number;
  readonly toUs: number;
  readonly bucketUs: number;
  readonly total: number;
  /** Size in bytes of the events as they were sent. */
  readonly bytes: number;
  /** Events of each bucket. */
  readonly byVerb: Readonly<Record<string, readonly number[]>>;
  /** Events of each bucket, by the first digit of the code: `2xx`, `none` for events without one. */
  readonly byOutcome: Readonly<Record<string, readonly number[]>>;
  /** Most frequent texts of each requested field. */
  readonly top: Readonly<Partial<Record<EventField, readonly Ranked[]>>>;
  /** True if all events were counted; otherwise only those after `countedFromUs`. */
  readonly complete: boolean;
  readonly countedFromUs: number;
}

/** A text, and how many events have it. */
export interface Ranked {
  readonly value: string;
  readonly count: number;
}

/** Fields and resolution of a summary. */
export interface SummaryOptions {
  /** Microseconds since 1970. */
  readonly fromUs: number;
  readonly toUs: number;
  readonly buckets: number;
  /** Entries of each ranking. */
  readonly top: number;
  /** Fields of which the most frequent texts are told. Default: user and resource. */
  readonly rank?: readonly EventField[];
  /** Rows that are looked at before counting ends early. Default 20 million. */
  readonly maxRows?: number;
}

const defaultMaxRows = 20_000_000;
const defaultRank: readonly EventField[] = ["user", "resource"];
/** Verbs are what clients say on paths that are no resources: beyond so many they are counted together. */
const maxSeries = 16;
const otherSeries = "other";

/** Counts the events of a period, in steps of one chunk. */
export function* summariseEvents(
  chunks: readonly Chunk[],
  compiled: CompiledFilter,
  options: SummaryOptions,
): Steps<EventSummary> {
  const { fromUs, toUs, buckets, top, rank = defaultRank, maxRows = defaultMaxRows } = options;
  const bucketUs = Math.max(1, Math.ceil((toUs - fromUs) / buckets));
  const within = { ...compiled, filter: { ...compiled.filter, fromUs, toUs } };
  const ordered = chunks.filter((chunk) => mayHold(within, chunk)).sort((a, b) => b.maxTimeUs - a.maxTimeUs);
  const byVerb = new Series(buckets);
  const byOutcome = new Series(buckets);
  const rankings = rank.map((field) => [field, new Map<string, number>()] as const);
  let total = 0;
  let bytes = 0;
  let cost = 0;
  let countedFromUs = fromUs;
  for (const chunk of ordered) {
    if (chunk.isGone) {
      continue;
    }
    if (cost >= maxRows) {
      countedFromUs = chunk.maxTimeUs;
      break;
    }
    const matched = matchingRows(within, chunk);
    cost += costOf(chunk, matched);
    if (matched !== undefined && matched.length > 0) {
      total += matched.length;
      bytes += sumOf(chunk.sizes(), matched);
      const times = chunk.times();
      const bucketOf = (row: number): number => Math.floor(((times[row] as number) - fromUs) / bucketUs);
      byVerb.count(chunk.column("verb"), matched, bucketOf, (verb) => verb);
      byOutcome.count(chunk.column("code"), matched, bucketOf, outcomeOf);
      for (const [field, counts] of rankings) {
        countValues(counts, chunk, field, matched);
      }
    }
    yield;
  }
  return {
    fromUs,
    toUs,
    bucketUs,
    total,
    bytes,
    byVerb: byVerb.rows(),
    byOutcome: byOutcome.rows(),
    top: Object.fromEntries(rankings.map(([field, counts]) => [field, ranking(counts, top)])),
    complete: countedFromUs === fromUs,
    countedFromUs,
  };
}

function sumOf(sizes: Uint32Array, rows: readonly number[]): number {
  let sum = 0;
  for (const row of rows) {
    sum += sizes[row] as number;
  }
  return sum;
}

function outcomeOf(code: string): string {
  return code === "" ? "none" : `${code[0]}xx`;
}

/** Counts per bucket, by a text. */
class Series {
  readonly #buckets: number;
  readonly #counts = new Map<string, number[]>();

  constructor(buckets: number) {
    this.#buckets = buckets;
  }

  count(
    column: Column,
    rows: readonly number[],
    bucketOf: (row: number) => number,
    nameOf: (value: string) => string,
  ): void {
    const ids = column.ids();
    const values = column.values();
    const countsById = new Array<number[] | undefined>(values.length);
    for (const row of rows) {
      const id = ids[row] as number;
      let counts = countsById[id];
      if (counts === undefined) {
        counts = this.#countsOf(nameOf(values[id] as string));
        countsById[id] = counts;
      }
      const bucket = bucketOf(row);
      counts[bucket] = (counts[bucket] ?? 0) + 1;
    }
  }

  /** Returns the counts by name, without a prototype since clients choose the names. */
  rows(): Record<string, readonly number[]> {
    const entries = [...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.assign(Object.create(null), Object.fromEntries(entries)) as Record<string, readonly number[]>;
  }

  #countsOf(name: string): number[] {
    const key = this.#counts.has(name) || this.#counts.size < maxSeries ? name : otherSeries;
    let counts = this.#counts.get(key);
    if (counts === undefined) {
      counts = new Array<number>(this.#buckets).fill(0);
      this.#counts.set(key, counts);
    }
    return counts;
  }
}

function countValues(into: Map<string, number>, chunk: Chunk, field: EventField, rows: readonly number[]): void {
  const column = chunk.column(field);
  const ids = column.ids();
  const texts = column.values();
  const counts = new Uint32Array(texts.length);
  for (const row of rows) {
    const id = ids[row] as number;
    counts[id] = (counts[id] as number) + 1;
  }
  for (const [id, text] of texts.entries()) {
    const count = counts[id] as number;
    if (count > 0) {
      into.set(text, (into.get(text) ?? 0) + count);
    }
  }
}

function ranking(counts: ReadonlyMap<string, number>, top: number): Ranked[] {
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, top);
}
