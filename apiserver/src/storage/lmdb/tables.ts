import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Database, RootDatabase } from "lmdb";
import { StoreUnusableError } from "../../errors/errors.js";
import { isWhole } from "./checksum.js";
import { dataFileName, lastingDataFileProblem, removeEmptyFile } from "./data-file.js";
import { encodeState, formatKey, formatVersion, formerFormatVersion, type StoreState, stateKey } from "./layout.js";

/** One table of the file: byte strings by byte strings. */
export type Table = Database<Buffer, Buffer>;

/** An open LMDB environment with its tables (see layout.ts). */
export interface Tables {
  readonly root: RootDatabase<Buffer, Buffer>;
  readonly meta: Table;
  readonly keys: Table;
  readonly log: Table;
  readonly history: Table;
  readonly expiry: Table;
  readonly leases: Table;
  readonly leased: Table;
}

/**
 * Address space asked for at first. It costs nothing until used, and growing past it remaps the file, which keeps the old
 * mapping, too, so that is left to stores that really grow so large.
 */
const initialMapBytes = 64 * 2 ** 30;

const tableOptions = { keyEncoding: "binary", encoding: "binary" } as const;

/** The way in which tables are opened. */
export interface TableAccess {
  /** True to leave everything as it is: no tables are made, and a former format is not raised. */
  readonly readOnly?: boolean;
  /** The revision at which a new store begins, and below which it has no history. Default: 1, and no such bound. */
  readonly initialRevision?: number | undefined;
  /** True to leave flushing to the operating system: commits survive the end of the process, not that of the machine. */
  readonly unsafeNoFsync?: boolean;
}

/**
 * Opens the tables in the directory `path`, and creates them when there are none, unless they are only read. Throws
 * StoreUnusableError.
 */
export async function openTables(path: string, access: TableAccess = {}): Promise<Tables> {
  const file = join(path, dataFileName);
  const problem = await lastingDataFileProblem(file);
  if (problem !== undefined) {
    throw new StoreUnusableError(`the data directory "${path}" cannot be opened (${problem})`);
  }
  const isNew = !existsSync(file);
  const { open } = await import("lmdb");
  let root: RootDatabase<Buffer, Buffer>;
  try {
    root = open<Buffer, Buffer>({
      path,
      noSync: access.unsafeNoFsync ?? false,
      ...tableOptions,
      ...initialMap(),
      maxDbs: 8,
      noSubdir: false,
      // A commit becomes visible, to this process and to others, only after it is on disk; there is nothing to overlap
      // because the next group of writes gathers meanwhile.
      overlappingSync: false,
      // lmdb's own gathering of writes makes a promise that nobody sees, and that ends the process when a commit fails.
      eventTurnBatching: false,
      ...({ permissionsMode: 0o600 } as object),
    });
  } catch (error) {
    if (isNew) {
      removeEmptyFile(file); // it would be taken for a damaged one
    }
    throw unusable(path, error);
  }
  try {
    return tablesOf(path, root, access);
  } catch (error) {
    await root.close();
    throw error instanceof StoreUnusableError ? error : unusable(path, error);
  }
}

function unusable(path: string, cause: unknown): StoreUnusableError {
  return new StoreUnusableError(`the data directory "${path}" cannot be opened (${(cause as Error).message})`, {
    cause,
  });
}

/**
 * Returns the size of the first map; none where address space is short: then the map starts small and grows, since
 * LMDB's binding crashes when it cannot get a map.
 */
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

function tablesOf(path: string, root: RootDatabase<Buffer, Buffer>, access: TableAccess): Tables {
  const openTable = (name: string) => root.openDB<Buffer, Buffer>(name, tableOptions);
  const meta = openTable("meta");
  const format = meta.getBinary(formatKey);
  if (format !== undefined) {
    checkFormat(path, Buffer.from(format).toString()); // first, so that another format is left as it is
  }
  const tables = {
    root,
    meta,
    keys: openTable("keys"),
    log: openTable("log"),
    history: openTable("history"),
    expiry: openTable("expiry"),
    leases: openTable("leases"),
    leased: openTable("leased"),
  };
  if (format === undefined) {
    initialize(path, tables, access);
  } else if (format.toString() !== String(formatVersion) && access.readOnly !== true) {
    // Former releases must not read what is written from now on.
    root.transactionSync(() => meta.putSync(formatKey, Buffer.from(String(formatVersion))));
  }
  checkState(path, tables);
  return tables;
}

function initialize(path: string, { root, meta, keys, log }: Tables, access: TableAccess): void {
  if (access.readOnly === true) {
    throw new StoreUnusableError(`the data directory "${path}" holds no data of an API server`);
  }
  if ([...keys.getKeys({ limit: 1 }), ...log.getKeys({ limit: 1 })].length > 0) {
    throw new StoreUnusableError(`the data directory "${path}" is damaged (it has data, but no data format)`);
  }
  root.transactionSync(() => {
    // Another process may have been quicker.
    if (meta.getBinary(formatKey) === undefined) {
      meta.putSync(formatKey, Buffer.from(String(formatVersion)));
      meta.putSync(stateKey, encodeState(initialState(access.initialRevision)));
    }
  });
}

function initialState(revision: number | undefined): StoreState {
  return revision === undefined
    ? { revision: 1, compactRevision: 0, purgedRevision: 0 }
    : { revision, compactRevision: revision, purgedRevision: revision };
}

function checkFormat(path: string, version: string): void {
  if (version !== String(formatVersion) && version !== String(formerFormatVersion)) {
    const shown = /^\d{1,9}$/.test(version) ? version : "(unreadable)";
    throw new StoreUnusableError(
      `the data directory "${path}" has data format ${shown}, but this version knows only format ${formatVersion}`,
    );
  }
}

/** Refuses data without its newest revision: it could not be read, and a revision would be given out twice. */
function checkState(path: string, { meta }: Tables): void {
  const state = meta.getBinary(stateKey);
  if (state === undefined || !isWhole(state, 0)) {
    throw new StoreUnusableError(
      `the data directory "${path}" is damaged (the record of the newest revision is not whole)`,
    );
  }
}
