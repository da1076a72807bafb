import { type Chunk, type Column, textHash } from "./chunk.js";
import type { EventFacts, EventField } from "./event-fields.js";

/** Conditions on events. A condition that is absent matches every event. */
export interface EventFilter {
  /**
   * Accepted texts by field, of which one must match. `pods*` matches texts that begin with `pods`; `!watch` excludes
   * `watch`, and no exclusion may match.
   */
  readonly fields: Readonly<Partial<Record<EventField, readonly string[]>>>;
  readonly auditID?: string;
  /** Microseconds since 1970, inclusive. */
  readonly fromUs?: number;
  /** Microseconds since 1970, exclusive. */
  readonly toUs?: number;
}

/** A filter made ready for many chunks. */
export interface CompiledFilter {
  readonly filter: EventFilter;
  readonly tests: readonly FieldTest[];
}

/** Condition on one field. */
interface FieldTest {
  readonly field: EventField;
  readonly accepts: (value: string) => boolean;
  /** Hashes of the only texts that fit; undefined where others may, too. */
  readonly onlyHashes: readonly number[] | undefined;
}

/** Prepares a filter. */
export function compileFilter(filter: EventFilter): CompiledFilter {
  const entries = Object.entries(filter.fields) as [EventField, readonly string[]][];
  return { filter, tests: entries.filter(([, patterns]) => patterns.length > 0).map(toTest) };
}

function toTest([field, patterns]: [EventField, readonly string[]]): FieldTest {
  const excluded = patterns
    .filter((pattern) => pattern.startsWith("!"))
    .map((pattern) => patternTest(pattern.slice(1)));
  const wanted = patterns.filter((pattern) => !pattern.startsWith("!"));
  const included = wanted.map(patternTest);
  return {
    field,
    accepts: (value) =>
      (included.length === 0 || included.some((fits) => fits(value))) && !excluded.some((fits) => fits(value)),
    onlyHashes:
      wanted.length === 0 || wanted.some((pattern) => pattern.endsWith("*")) ? undefined : wanted.map(textHash),
  };
}

function patternTest(pattern: string): (value: string) => boolean {
  if (pattern.endsWith("*")) {
    const prefix = pattern.slice(0, -1);
    return (value) => value.startsWith(prefix);
  }
  return (value) => value === pattern;
}

/** Reports whether an event matches a filter. */
export function matchesFacts({ filter, tests }: CompiledFilter, { auditID, timeUs, values }: EventFacts): boolean {
  const { fromUs = Number.NEGATIVE_INFINITY, toUs = Number.POSITIVE_INFINITY } = filter;
  return (
    timeUs >= fromUs &&
    timeUs < toUs &&
    (filter.auditID === undefined || filter.auditID === auditID) &&
    tests.every(({ field, accepts }) => accepts(values[field]))
  );
}

/** Returns the estimated cost of searching a chunk, in rows. */
export function costOf(chunk: Chunk, rows: readonly number[] | undefined): number {
  return rows === undefined ? chunk.count / 16 : chunk.count;
}

/** Reports whether a chunk can hold a matching event, by its times alone. */
export function mayHold({ filter }: CompiledFilter, chunk: Chunk): boolean {
  const { fromUs = Number.NEGATIVE_INFINITY, toUs = Number.POSITIVE_INFINITY } = filter;
  return chunk.maxTimeUs >= fromUs && chunk.minTimeUs < toUs;
}

/**
 * The rows of a chunk that are asked for, in their order. Undefined when its texts tell that there is none, which costs a
 * fraction of looking at the rows.
 */
export function matchingRows(compiled: CompiledFilter, chunk: Chunk): readonly number[] | undefined {
  const { filter, tests } = compiled;
  const wanted: { readonly column: Column; readonly accepted: Uint8Array }[] = [];
  for (const test of tests) {
    const column = chunk.column(test.field);
    const accepted = acceptedIds(test, column);
    if (accepted === undefined) {
      return undefined;
    }
    wanted.push({ column, accepted });
  }
  const columns = wanted.map(({ column, accepted }) => ({ ids: column.ids(), accepted }));
  const { fromUs = Number.NEGATIVE_INFINITY, toUs = Number.POSITIVE_INFINITY, auditID } = filter;
  const times = chunk.times();
  const hash = auditID === undefined ? undefined : textHash(auditID);
  const hashes = hash === undefined ? undefined : chunk.auditIdHashes();
  const rows: number[] = [];
  for (let row = 0; row < chunk.count; row++) {
    const time = times[row] as number;
    if (time < fromUs || time >= toUs || (hashes !== undefined && hashes[row] !== hash)) {
      continue;
    }
    let fits = true;
    for (const { ids, accepted } of columns) {
      if (accepted[ids[row] as number] === 0) {
        fits = false;
        break;
      }
    }
    if (fits && (auditID === undefined || hasAuditId(chunk.eventAt(row), auditID))) {
      rows.push(row);
    }
  }
  return rows;
}

/** Returns a flag by id of the column, 1 for the texts that match; undefined when none does. */
function acceptedIds({ accepts, onlyHashes }: FieldTest, column: Column): Uint8Array | undefined {
  if (onlyHashes !== undefined) {
    const hashes = column.hashes();
    if (!onlyHashes.some((hash) => hashes.includes(hash))) {
      return undefined;
    }
  }
  const values = column.values();
  const accepted = new Uint8Array(values.length);
  let any = false;
  for (let id = 0; id < values.length; id++) {
    if (accepts(values[id] as string)) {
      accepted[id] = 1;
      any = true;
    }
  }
  return any ? accepted : undefined;
}

/** Two audit IDs may have the same hash. */
function hasAuditId(json: Buffer, auditID: string): boolean {
  return (JSON.parse(json.toString()) as { auditID?: unknown }).auditID === auditID;
}
