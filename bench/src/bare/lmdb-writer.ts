import { open, type RootDatabase } from "lmdb";
import { serveOperations } from "../processes/operations.js";

/** The limit of durable writes: LMDB alone, in a process of its own, with nothing around it. */
let database: RootDatabase<Buffer, string> | undefined;
let nextKey = 0;

export interface BareWrites {
  readonly writers: number;
  readonly valueBytes: number;
  readonly warmupMs: number;
  readonly durationMs: number;
}

const operations = {
  open(directory: string): void {
    // Without overlapping, a transaction's promise resolves when it is on disk.
    database = open<Buffer, string>({ path: directory, encoding: "binary", overlappingSync: false });
  },
  /**
   * Each writer waits for its transaction to be durable before the next; LMDB's binding lets those that gather meanwhile
   * share a flush, as any writer of LMDB would have it. Returns transactions per second.
   */
  async write({ writers, valueBytes, warmupMs, durationMs }: BareWrites): Promise<number> {
    const value = Buffer.alloc(valueBytes, "x");
    const measureFrom = performance.now() + warmupMs;
    const until = measureFrom + durationMs;
    let count = 0;
    const writer = async (): Promise<void> => {
      for (let now = performance.now(); now < until; now = performance.now()) {
        const key = `/registry/configmaps/default/bench-${String(nextKey++).padStart(9, "0")}`;
        await database?.transaction(() => database?.putSync(key, value));
        if (performance.now() >= measureFrom) {
          count++;
        }
      }
    };
    await Promise.all(Array.from({ length: writers }, writer));
    return count / ((performance.now() - measureFrom) / 1000);
  },
};

export type BareWriterOperations = typeof operations;

serveOperations(operations);
