import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { Line, Location, Profile, Function as ProfileFunction, Sample, StringTable, ValueType } from "pprof-format";

/** A function as V8 tells of it. */
export interface CallFrame {
  readonly functionName: string;
  readonly url: string;
  /** Zero-based; -1 when unknown. */
  readonly lineNumber: number;
}

/** A stack of calls, the innermost first, and what was measured there. */
export interface StackSample {
  readonly stack: readonly CallFrame[];
  /** One value for each sort of value of the profile. */
  readonly values: readonly number[];
}

/** A sort of value: `cpu` in `nanoseconds`. */
export interface ValueSort {
  readonly type: string;
  readonly unit: string;
}

/** The content of a profile. */
export interface ProfileContent {
  readonly sorts: readonly ValueSort[];
  readonly samples: Iterable<StackSample>;
  /** The distance between two samples, in the unit of its sort. */
  readonly period: { readonly sort: ValueSort; readonly value: number };
  /** Milliseconds since the epoch. */
  readonly startedAtMs: number;
  readonly durationMs: number;
}

const compress = promisify(gzip);

/** Encodes a profile in the format of pprof, packed, as `go tool pprof` reads it. */
export function encodeProfile(content: ProfileContent): Promise<Buffer> {
  const strings = new StringTable();
  const table = new LocationTable(strings);
  const valueType = ({ type, unit }: ValueSort): ValueType =>
    new ValueType({ type: strings.dedup(type), unit: strings.dedup(unit) });
  const profile = new Profile({
    stringTable: strings,
    sampleType: content.sorts.map(valueType),
    sample: Array.from(
      content.samples,
      ({ stack, values }) =>
        new Sample({ locationId: stack.map((frame) => table.locationOf(frame)), value: [...values] }),
    ),
    location: table.locations,
    function: table.functions,
    periodType: valueType(content.period.sort),
    period: content.period.value,
    timeNanos: BigInt(Math.round(content.startedAtMs)) * 1_000_000n,
    durationNanos: BigInt(Math.round(content.durationMs)) * 1_000_000n,
  });
  return compress(profile.encode());
}

/** The functions of a profile, and the places in them. */
class LocationTable {
  readonly locations: Location[] = [];
  readonly functions: ProfileFunction[] = [];
  readonly #strings: StringTable;
  readonly #ids = new Map<string, number>();

  constructor(strings: StringTable) {
    this.#strings = strings;
  }

  locationOf({ functionName, url, lineNumber }: CallFrame): number {
    const key = `${functionName} ${url} ${lineNumber}`;
    let id = this.#ids.get(key);
    if (id === undefined) {
      id = this.#ids.size + 1;
      this.#ids.set(key, id);
      const name = this.#strings.dedup(functionName === "" ? "(anonymous)" : functionName);
      const line = lineNumber + 1;
      this.functions.push(
        new ProfileFunction({ id, name, systemName: name, filename: this.#strings.dedup(url), startLine: line }),
      );
      this.locations.push(new Location({ id, line: [new Line({ functionId: id, line })] }));
    }
    return id;
  }
}
