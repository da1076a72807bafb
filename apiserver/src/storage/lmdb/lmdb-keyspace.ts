import { randomBytes } from "node:crypto";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type {
  ChangeBatch,
  ChangesWanted,
  FollowOptions,
  KeyHistory,
  KeysFound,
  Keyspace,
  KeyspaceTransaction,
  KeysWanted,
  Lease,
  TransactionOptions,
} from "../keyspace.js";
import type { Store } from "../store.js";
import { readChanges } from "./change-log.js";
import { dataFileName } from "./data-file.js";
import type { Environment } from "./environment.js";
import { followChanges } from "./follow-changes.js";
import type { GroupCommit } from "./group-commit.js";
import { KeyTransaction } from "./key-transaction.js";
import { identityKey } from "./layout.js";
import { foundKeys, readSteps, runInSlices } from "./range.js";
import { LmdbHistory } from "./read-history.js";
import type { Reader } from "./reader.js";
import type { RevisionSignal } from "./revision-signal.js";

/** The parts of the embedded store that its keyspace shares. */
export interface LmdbKeyspaceParts {
  readonly store: Pick<Store, "currentRevision">;
  readonly environment: Environment;
  readonly commits: GroupCommit;
  readonly signal: RevisionSignal;
  readonly closing: AbortSignal;
  readonly readAtOneMoment: <T>(read: (reader: Reader) => Promise<T>) => Promise<T>;
  /** Returns the reason why puts are refused; undefined while they are not. */
  readonly problem: () => Error | undefined;
}

/** The keyspace of the embedded store. */
export class LmdbKeyspace implements Keyspace {
  readonly #parts: LmdbKeyspaceParts;

  constructor(parts: LmdbKeyspaceParts) {
    this.#parts = parts;
  }

  currentRevision(): number | Promise<number> {
    return this.#parts.store.currentRevision();
  }

  async compactRevision(): Promise<number> {
    return this.#parts.readAtOneMoment(async (reader) => reader.state().compactRevision);
  }

  async find(wanted: KeysWanted): Promise<KeysFound> {
    return this.#parts.readAtOneMoment(async (reader) =>
      foundKeys(await runInSlices(readSteps(reader, wanted, (key, at) => reader.keyVersion(key, at.modRevision)))),
    );
  }

  transact<T>(options: TransactionOptions, work: (transaction: KeyspaceTransaction) => T): Promise<T> {
    const problem = options.makesSpace ? undefined : this.#parts.problem();
    if (problem !== undefined) {
      return Promise.reject(problem);
    }
    return this.#parts.commits.run((group) => {
      const transaction = new KeyTransaction(group);
      try {
        return work(transaction);
      } catch (error) {
        throw transaction.hasChanged ? new Error("a transaction failed amidst its changes", { cause: error }) : error;
      }
    }, options.bytes);
  }

  async changes(wanted: ChangesWanted): Promise<ChangeBatch> {
    const { environment } = this.#parts;
    while (!environment.isAvailable) {
      await environment.available();
    }
    this.#parts.closing.throwIfAborted();
    const batch = readChanges(environment, { ...wanted, fromCompactRevision: true });
    environment.remapWhenDue();
    return batch;
  }

  readHistory<T>(read: (history: KeyHistory) => Promise<T>): Promise<T> {
    return this.#parts.readAtOneMoment(async (reader) => {
      try {
        return await read(new LmdbHistory(reader, reader.state()));
      } catch (error) {
        throw reader.thrown(error);
      }
    });
  }

  follow({ afterRevision, signal, onCommitted }: FollowOptions): AsyncIterable<ChangeBatch> {
    const { environment, closing } = this.#parts;
    return followChanges({
      environment,
      signal: this.#parts.signal,
      keys: { start: Buffer.alloc(0) },
      isWanted: () => true,
      afterRevision,
      stop: AbortSignal.any([signal, closing]),
      maxBatchBytes: undefined,
      onCommitted,
    });
  }

  async leases(): Promise<readonly (Lease & { readonly lease: bigint })[]> {
    return this.#parts.readAtOneMoment((reader) => runInSlices(reader.leases()));
  }

  async identity(): Promise<{ readonly clusterId: bigint; readonly memberId: bigint }> {
    const bytes = await this.#parts.commits.run(({ reader, writes }) => {
      const known = reader.identity();
      if (known !== undefined) {
        return known;
      }
      const made = randomBytes(16);
      writes.put("meta", identityKey, made);
      return made;
    }, 16);
    return { clusterId: bytes.readBigUInt64BE(0), memberId: bytes.readBigUInt64BE(8) };
  }

  async size(): Promise<{ readonly fileBytes: number; readonly usedBytes: number }> {
    const { environment } = this.#parts;
    const { size } = await stat(join(environment.path, dataFileName));
    return environment.use(async ({ root }) => {
      const { pageSize, lastPageNumber, freePages } = usageOf(root.getStats());
      const fileBytes = Math.max(size, pageSize * lastPageNumber);
      return { fileBytes, usedBytes: Math.max(0, fileBytes - pageSize * freePages) };
    });
  }
}

/** Reads the numbers of pages from the statistics of lmdb, whose types do not name them. */
function usageOf(stats: unknown): {
  readonly pageSize: number;
  readonly lastPageNumber: number;
  readonly freePages: number;
} {
  const { pageSize, lastPageNumber, free } = stats as {
    readonly pageSize: number;
    readonly lastPageNumber: number;
    readonly free: { readonly entryCount: number };
  };
  return { pageSize, lastPageNumber, freePages: free.entryCount };
}
