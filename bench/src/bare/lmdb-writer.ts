import { open, type RootDatabase } from "lmdb";
import { serveOperations } from "../processes/operations.js";
import { type BareWrites, countWrites } from "./count-writes.js";

/** The limit of durable writes: LMDB alone, in a process of its own, with nothing around it. */
let database: RootDatabase<Buffer, string> | undefined;
let nextKey = 0;

const operations = {
  open(directory: string): void {
    // Without overlapping, a transaction's promise resolves when it is on disk.
    database = open<Buffer, string>({ path: directory, encoding: "binary", overlappingSync: false });
  },
  /**
   * Each writer waits for its transaction to be durable before the next; LMDB's binding lets those that gather meanwhile
   * share a flush, as any writer of LMDB would have it. Returns transactions per second.
   */
  write(writes: BareWrites): Promise<number> {
    return countWrites(writes, async (value) => {
      const key = `/registry/configmaps/default/bench-${String(nextKey++).padStart(9, "0")}`;
      await database?.transaction(() => database?.putSync(key, value));
    });
  },
};

export type BareWriterOperations = typeof operations;

serveOperations(operations);
