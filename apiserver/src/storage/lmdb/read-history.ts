import { TimeSlice } from "@gatehouse/envelopes/scheduling";
import type { HistoricChange, KeyHistory, Lease } from "../keyspace.js";
import { type LogRecord, logHeaderBytes, readInteger, type StoreState } from "./layout.js";
import { runInSlices } from "./range.js";
import type { Reader } from "./reader.js";

/** A batch ends after so many changes, or so many bytes of values. */
const maxBatchChanges = 256;
const maxBatchBytes = 128 * 1024;

/** The history of the embedded store at one moment. Its reader stands at that moment. */
export class LmdbHistory implements KeyHistory {
  readonly revision: number;
  readonly compactRevision: number;
  readonly #reader: Reader;

  constructor(reader: Reader, { revision, compactRevision }: StoreState) {
    this.#reader = reader;
    this.revision = revision;
    this.compactRevision = compactRevision;
  }

  leases(): Promise<readonly (Lease & { readonly lease: bigint })[]> {
    return runInSlices(this.#reader.leases());
  }

  supersededBy({ key, revision }: Pick<HistoricChange, "key" | "revision">): number {
    return this.#reader.supersededBy(key, revision);
  }

  async *changes(): AsyncGenerator<readonly HistoricChange[]> {
    const slice = new TimeSlice();
    let batch: HistoricChange[] = [];
    let bytes = 0;
    for (const change of this.#kept()) {
      batch.push(change);
      bytes += change.value?.length ?? 0;
      if (batch.length >= maxBatchChanges || bytes >= maxBatchBytes) {
        yield batch;
        batch = [];
        bytes = 0;
        await slice.yield();
      }
    }
    yield batch;
  }

  /** Yields the changes after the compact revision, and before them the versions that are live at it. */
  *#kept(): Generator<HistoricChange> {
    for (const change of this.#logged()) {
      const isKept =
        change.revision > this.compactRevision ||
        (change.value !== undefined && this.supersededBy(change) > this.compactRevision);
      if (isKept) {
        yield change;
      }
    }
  }

  /** Yields what the log has, with the changes of a transaction in their order. */
  *#logged(): Generator<HistoricChange> {
    let together: HistoricChange[] = [];
    for (const { key, value } of this.#reader.logEntries()) {
      const revision = readInteger(key, 0);
      if (together.length > 0 && together[0]?.revision !== revision) {
        yield* inOrder(together);
        together = [];
      }
      together.push(changeOf(revision, this.#reader.checked(revision, value)));
    }
    yield* inOrder(together);
  }
}

function inOrder(changes: HistoricChange[]): HistoricChange[] {
  return changes.length > 1 ? changes.sort((a, b) => a.place - b.place) : changes;
}

function changeOf(revision: number, record: LogRecord): HistoricChange {
  const { bytes, keyLength, valueEnd, isPut, createRevision, version, lease, place, expiresAtMs } = record;
  const keyEnd = logHeaderBytes + keyLength;
  return {
    key: Buffer.from(bytes.subarray(logHeaderBytes, keyEnd)),
    value: isPut ? Buffer.from(bytes.subarray(keyEnd, valueEnd)) : undefined,
    revision,
    place,
    createRevision,
    version,
    lease,
    expiresAtMs,
  };
}
