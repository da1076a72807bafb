import { accessSync, constants, mkdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Database, RootDatabase } from "lmdb";
import { StoreUnusableError } from "../store.js";
import { dataFileProblem } from "./data-file.js";
import { encodeState, FORMAT_KEY, FORMAT_VERSION, STATE_KEY } from "./layout.js";

export type Table = Database<Buffer, Buffer>;

/** An open LMDB environment with its tables (see layout.ts). */
export interface Environment {
  readonly root: RootDatabase<Buffer, Buffer>;
  readonly meta: Table;
  readonly keys: Table;
  readonly log: Table;
  readonly history: Table;
  readonly expiry: Table;
  /** Called after a commit of this process is durable; lets several stores of one process see each other at once. */
  readonly commitListeners: Set<() => void>;
  release(): Promise<void>;
}

/**
 * Address space asked for at first. It costs nothing until used, and growing past it remaps the file, which keeps the old
 * mapping, too, so that is left to stores that really grow so large.
 */
const INITIAL_MAP_BYTES = 64 * 2 ** 30;

const TABLE_OPTIONS = { keyEncoding: "binary", encoding: "binary" } as const;

interface SharedEnvironment {
  readonly environment: Promise<Environment>;
  users: number;
  /** Set once the last user has left. */
  closed?: Promise<void>;
}

/**
 * LMDB forbids to open one environment twice in a process (the second would release the file locks of the first), so the
 * stores of one process share it. This is the one piece of process-wide state, and it mirrors a process-wide fact.
 */
const openEnvironments = new Map<string, SharedEnvironment>();

/** Opens the environment in `directory`, creating both when absent. Throws StoreUnusableError. */
export async function acquireEnvironment(directory: string): Promise<Environment> {
  const path = prepareDirectory(directory);
  let shared = openEnvironments.get(path);
  while (shared?.closed !== undefined) {
    await shared.closed;
    shared = openEnvironments.get(path);
  }
  if (shared === undefined) {
    shared = { environment: openEnvironment(path, () => releaseEnvironment(path)), users: 0 };
    openEnvironments.set(path, shared);
  }
  shared.users++;
  try {
    return await shared.environment;
  } catch (error) {
    openEnvironments.delete(path);
    throw error;
  }
}

async function releaseEnvironment(path: string): Promise<void> {
  const shared = openEnvironments.get(path);
  if (shared === undefined || --shared.users > 0) {
    return;
  }
  const { root } = await shared.environment;
  shared.closed = root.close().finally(() => openEnvironments.delete(path));
  await shared.closed;
}

function prepareDirectory(directory: string): string {
  try {
    if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() === false) {
      throw new Error("it is not a directory");
    }
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
    return realpathSync(directory);
  } catch (error) {
    throw new StoreUnusableError(`the data directory "${directory}" cannot be used (${describe(error)})`, {
      cause: error,
    });
  }
}

async function openEnvironment(path: string, release: () => Promise<void>): Promise<Environment> {
  const problem = dataFileProblem(join(path, "data.mdb"));
  if (problem !== undefined) {
    throw new StoreUnusableError(`the data directory "${path}" cannot be opened (${problem})`);
  }
  const { open } = await import("lmdb");
  let root: RootDatabase<Buffer, Buffer>;
  try {
    root = open<Buffer, Buffer>({
      path,
      ...TABLE_OPTIONS,
      ...initialMap(),
      maxDbs: 8,
      noSubdir: false,
      // A commit becomes visible, to this process and to others, only after it is on disk; there is nothing to overlap
      // because the next group of writes gathers meanwhile.
      overlappingSync: false,
      ...({ permissionsMode: 0o600 } as object),
    });
  } catch (error) {
    throw new StoreUnusableError(`the data directory "${path}" cannot be opened (${describe(error)})`, {
      cause: error,
    });
  }
  try {
    return openTables(path, root, release);
  } catch (error) {
    await root.close();
    throw error;
  }
}

/** Where address space is short the map starts small and grows: LMDB's binding crashes when it cannot get a map. */
function initialMap(): { readonly mapSize?: number } {
  return process.platform === "win32" || isAddressSpaceLimited() ? {} : { mapSize: INITIAL_MAP_BYTES };
}

function isAddressSpaceLimited(): boolean {
  try {
    return !/^Max address space +unlimited /m.test(readFileSync("/proc/self/limits", "utf8"));
  } catch {
    return false; // not Linux
  }
}

function openTables(path: string, root: RootDatabase<Buffer, Buffer>, release: () => Promise<void>): Environment {
  const openTable = (name: string) => root.openDB<Buffer, Buffer>(name, TABLE_OPTIONS);
  const meta = openTable("meta");
  checkFormat(path, meta.getBinary(FORMAT_KEY));
  root.transactionSync(() => {
    if (meta.getBinary(FORMAT_KEY) === undefined) {
      meta.putSync(FORMAT_KEY, Buffer.from(String(FORMAT_VERSION)));
      meta.putSync(STATE_KEY, encodeState({ revision: 1, compactRevision: 0, purgedRevision: 0 }));
    }
  });
  return {
    root,
    meta,
    keys: openTable("keys"),
    log: openTable("log"),
    history: openTable("history"),
    expiry: openTable("expiry"),
    commitListeners: new Set(),
    release,
  };
}

function checkFormat(path: string, format: Buffer | undefined): void {
  if (format === undefined) {
    return;
  }
  const version = Number(Buffer.from(format).toString());
  if (!(version >= 1 && version <= FORMAT_VERSION)) {
    throw new StoreUnusableError(
      `the data directory "${path}" has data format ${version}, but this version knows only formats up to ${FORMAT_VERSION}`,
    );
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
