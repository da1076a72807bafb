import { link, mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { lockDirectory, makeFolder, syncDirectory } from "@gatehouse/component-base/files";
import { BackupError, StoreUnwritableError } from "../../errors/errors.js";
import { dataFileName, openLmdbStore, unfinishedRestoreName } from "../lmdb/index.js";
import type { BackupRecord } from "./backup-format.js";
import { type RestoredRecords, restoreRecords } from "./restore-records.js";

/** The data directory to make. */
export interface NewDataDirectory {
  /** Absent, or empty but for what an earlier try has left. */
  readonly directory: string;
  /** The revision at which the store begins; every record gets a greater one, and there is no history before it. */
  readonly initialRevision: number;
  readonly advance?: (records: number) => void;
  /** Called with sentences for people. */
  readonly note?: (sentence: string) => void;
}

/**
 * Makes a data directory of records. The data appears in it at once, when all of it is on disk and has been read back; no
 * server opens the directory before. Throws BackupError, and leaves a directory that can be restored to again.
 */
export async function restoreDataDirectory(
  { directory, initialRevision, advance = () => {}, note = () => {} }: NewDataDirectory,
  records: AsyncIterable<BackupRecord>,
): Promise<RestoredRecords> {
  await refuseUnlessEmpty(directory);
  const unfinished = join(directory, unfinishedRestoreName);
  await makeFolder(unfinished, 0o700);
  const restored = await fillAndPublish({ directory, initialRevision, advance, note }, unfinished, records);
  await rm(unfinished, { recursive: true, force: true });
  await syncDirectory(directory);
  return restored;
}

/**
 * Fills a folder inside the directory, and gives its data file the place where servers look for it. That folder stays
 * when this fails, without data, so that no server takes the directory for a new one.
 */
async function fillAndPublish(
  options: Required<NewDataDirectory>,
  unfinished: string,
  records: AsyncIterable<BackupRecord>,
): Promise<RestoredRecords> {
  const { directory, note } = options;
  await using _ = await lockDirectory(unfinished);
  await refuseUnlessEmpty(directory);
  const data = join(unfinished, "data");
  if ((await readdir(unfinished)).includes("data")) {
    note(`an earlier restore into ${directory} has not ended; what it has left was removed, and this one starts again`);
    await rm(data, { recursive: true });
  }
  await mkdir(data, { mode: 0o700 });
  try {
    const restored = await fill(data, options, records);
    await link(join(data, dataFileName), join(directory, dataFileName));
    return restored;
  } catch (error) {
    await rm(data, { recursive: true });
    throw error instanceof StoreUnwritableError
      ? new BackupError(`${directory} cannot be written: ${error.message}`, { cause: error })
      : error;
  }
}

async function fill(
  directory: string,
  { initialRevision, advance }: Required<NewDataDirectory>,
  records: AsyncIterable<BackupRecord>,
): Promise<RestoredRecords> {
  // Expired keys stay until a server opens the data, so that everything can be read back.
  await using store = await openLmdbStore({ directory, initialRevision, sweepIntervalMs: 2 ** 31 - 1 });
  return await restoreRecords({ store, prefix: "", advance }, records);
}

async function refuseUnlessEmpty(directory: string): Promise<void> {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") {
      return [];
    }
    throw error.code === "ENOTDIR" ? new BackupError(`${directory} is a file, not a directory`) : error;
  });
  const others = names.filter((name) => name !== unfinishedRestoreName);
  if (others.length > 0) {
    throw new BackupError(
      `the directory ${directory} is not empty (it holds ${others.slice(0, 3).join(", ")}); restore into a new one, and put it in the place of the old one`,
    );
  }
}
