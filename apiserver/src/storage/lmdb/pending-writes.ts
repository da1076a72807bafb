import type { Table, Tables } from "./tables.js";

/** Largest length of a key in bytes that LMDB takes. */
const maxTableKeyBytes = 1978;

/** The name of a table. */
export type TableName = Exclude<keyof Tables, "root">;

/** One write: a value, or undefined for a removal. */
interface PendingWrite {
  readonly table: TableName;
  readonly key: Buffer;
  readonly value: Buffer | undefined;
  /** True for a key after all others of its table: LMDB then fills its pages to the brim. */
  readonly isAppended: boolean;
}

/** An entry of a table. */
export interface TableEntry {
  readonly key: Buffer;
  readonly value: Buffer;
}

/** An interval of the keys of a table; with `reverse`, from `start` down, without `end`. */
export interface TableRange {
  readonly start: Buffer;
  readonly end?: Buffer;
  readonly reverse?: boolean;
}

/**
 * The writes of a group of operations that are not in the tables yet, in their order. Keys and values must not change
 * once they are here.
 */
export class PendingWrites {
  readonly #writes: PendingWrite[] = [];
  /** The newest write of each key by table; keys are their bytes, read as latin1. */
  readonly #newest = new Map<TableName, Map<string, PendingWrite>>();

  /** True if there is no write. */
  get isEmpty(): boolean {
    return this.#writes.length === 0;
  }

  /** Puts a value. Throws RangeError when the key is empty or too long for LMDB, like the other methods that write. */
  put(table: TableName, key: Buffer, value: Buffer): void {
    this.#add({ table, key, value, isAppended: false });
  }

  /** Puts a key that comes after all others of its table, pending ones included. */
  append(table: TableName, key: Buffer, value: Buffer): void {
    this.#add({ table, key, value, isAppended: true });
  }

  remove(table: TableName, key: Buffer): void {
    this.#add({ table, key, value: undefined, isAppended: false });
  }

  /** Returns the newest write of a key; undefined when there is none, and the table has the word. */
  newest(table: TableName, key: Buffer): { readonly value: Buffer | undefined } | undefined {
    return this.#newest.get(table)?.get(key.toString("latin1"));
  }

  /** Returns the entries of a range of a table as they will be with these writes; `stored` has those of the table. */
  merged(table: TableName, range: TableRange, stored: Iterable<TableEntry>): Iterable<TableEntry> {
    const newest = this.#newest.get(table);
    return newest === undefined ? stored : mergedEntries(writesWithin(newest.values(), range), stored, range);
  }

  /** Queues the writes with LMDB, inside of a block of writes of its. */
  queue(tables: Tables): void {
    for (const { table, key, value, isAppended } of this.#writes) {
      if (value === undefined) {
        void tables[table].remove(key);
      } else if (isAppended) {
        // Rejects with the block, whose promise tells of it.
        (tables[table] as AppendingTable).put(key, value, { append: true }).catch(() => {});
      } else {
        void tables[table].put(key, value);
      }
    }
  }

  /** Writes into the tables, inside of a write transaction. */
  writeSync(tables: Tables): void {
    for (const { table, key, value, isAppended } of this.#writes) {
      if (value === undefined) {
        tables[table].removeSync(key);
      } else if (isAppended) {
        (tables[table] as AppendingTable).putSync(key, value, { append: true });
      } else {
        tables[table].putSync(key, value);
      }
    }
  }

  #add(write: PendingWrite): void {
    if (write.key.length === 0 || write.key.length > maxTableKeyBytes) {
      // Here, because LMDB would refuse it in the midst of a block.
      throw new RangeError(`a key of the table "${write.table}" must have 1 to ${maxTableKeyBytes} bytes`);
    }
    this.#writes.push(write);
    let newest = this.#newest.get(write.table);
    if (newest === undefined) {
      newest = new Map();
      this.#newest.set(write.table, newest);
    }
    newest.set(write.key.toString("latin1"), write);
  }
}

/** The methods that lmdb's types state without the option `append`. */
type AppendingTable = Table & {
  put(key: Buffer, value: Buffer, options: { readonly append: true }): Promise<boolean>;
  putSync(key: Buffer, value: Buffer, options: { readonly append: true }): boolean;
};

/** Returns the writes within a range, in its order. */
function writesWithin(writes: Iterable<PendingWrite>, { start, end, reverse = false }: TableRange): PendingWrite[] {
  const direction = reverse ? -1 : 1;
  return [...writes]
    .filter(
      ({ key }) =>
        direction * Buffer.compare(key, start) >= 0 && (end === undefined || direction * Buffer.compare(key, end) < 0),
    )
    .sort((a, b) => direction * Buffer.compare(a.key, b.key));
}

function* mergedEntries(
  writes: readonly PendingWrite[],
  stored: Iterable<TableEntry>,
  { reverse = false }: TableRange,
): Generator<TableEntry> {
  const direction = reverse ? -1 : 1;
  let next = 0;
  for (const entry of stored) {
    let order = 1;
    while (next < writes.length) {
      const write = writes[next] as PendingWrite;
      order = direction * Buffer.compare(entry.key, write.key);
      if (order < 0) {
        break;
      }
      next++;
      if (write.value !== undefined) {
        yield { key: write.key, value: write.value };
      }
      if (order === 0) {
        break;
      }
    }
    if (order !== 0) {
      yield entry;
    }
  }
  for (; next < writes.length; next++) {
    const { key, value } = writes[next] as PendingWrite;
    if (value !== undefined) {
      yield { key, value };
    }
  }
}
