import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Database, RootDatabase } from "lmdb";
import { StoreUnusableError } from "../store.js";
import { dataFileProblem } from "./data-file.js";
import { encodeState, formatKey, formatVersion, stateKey } from "./layout.js";

export type Table = Database<Buffer, Buffer>;

/** An open LMDB environment with its tables (see layout.ts). */
export interface Tables {
  readonly root: RootDatabase<Buffer, Buffer>;
  readonly meta: Table;
  readonly keys: Table;
  readonly log: Table;
  readonly history: Table;
  readonly expiry: Table;
}

/**
 * Address space asked for at first. It costs nothing until used, and growing past it remaps the file, which keeps the old
 * mapping, too, so that is left to stores that really grow so large.
 */
const initialMapBytes = 64 * 2 ** 30;

const tableOptions = { keyEncoding: "binary", encoding: "binary" } as const;

/** Opens the tables in the directory `path`, and creates them when there are none. Throws StoreUnusableError. */
export async function openTables(path: string): Promise<Tables> {
  const problem = dataFileProblem(join(path, "data.mdb"));
  if (problem !== undefined) {
    throw new StoreUnusableError(`the data directory "${path}" cannot be opened (${problem})`);
  }
  const { open } = await import("lmdb");
  let root: RootDatabase<Buffer, Buffer>;
  try {
    root = open<Buffer, Buffer>({
      path,
      ...tableOptions,
      ...initialMap(),
      maxDbs: 8,
      noSubdir: false,
      // A commit becomes visible, to this process and to others, only after it is on disk; there is nothing to overlap
      // because the next group of writes gathers meanwhile.
      overlappingSync: false,
      ...({ permissionsMode: 0o600 } as object),
    });
  } catch (error) {
    throw new StoreUnusableError(`the data directory "${path}" cannot be opened (${(error as Error).message})`, {
      cause: error,
    });
  }
  try {
    return tablesOf(path, root);
  } catch (error) {
    await root.close();
    throw error;
  }
}

/** Where address space is short the map starts small and grows: LMDB's binding crashes when it cannot get a map. */
function initialMap(): { readonly mapSize?: number } {
  return process.platform === "win32" || isAddressSpaceLimited() ? {} : { mapSize: initialMapBytes };
}

function isAddressSpaceLimited(): boolean {
  try {
    return !/^Max address space +unlimited /m.test(readFileSync("/proc/self/limits", "utf8"));
  } catch {
    return false; // not Linux
  }
}

function tablesOf(path: string, root: RootDatabase<Buffer, Buffer>): Tables {
  const openTable = (name: string) => root.openDB<Buffer, Buffer>(name, tableOptions);
  const meta = openTable("meta");
  const format = meta.getBinary(formatKey);
  if (format === undefined) {
    initialize(root, meta);
  } else {
    checkFormat(path, Number(Buffer.from(format).toString()));
  }
  return {
    root,
    meta,
    keys: openTable("keys"),
    log: openTable("log"),
    history: openTable("history"),
    expiry: openTable("expiry"),
  };
}

function initialize(root: RootDatabase<Buffer, Buffer>, meta: Table): void {
  root.transactionSync(() => {
    // Another process may have been quicker.
    if (meta.getBinary(formatKey) === undefined) {
      meta.putSync(formatKey, Buffer.from(String(formatVersion)));
      meta.putSync(stateKey, encodeState({ revision: 1, compactRevision: 0, purgedRevision: 0 }));
    }
  });
}

function checkFormat(path: string, version: number): void {
  if (!(version >= 1 && version <= formatVersion)) {
    throw new StoreUnusableError(
      `the data directory "${path}" has data format ${version}, but this version knows only formats up to ${formatVersion}`,
    );
  }
}
