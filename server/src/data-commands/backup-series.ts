import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type BackupFile, openBackup, takeFullBackup, takeIncrement } from "@gatehouse/apiserver/storage/backup";
import { lockDirectory, makeFolder } from "@gatehouse/component-base/files";
import { pause } from "@gatehouse/component-base/time";
import type { CommandStore } from "./open-command-store.js";

/** A series of backups in a folder. */
export interface BackupSeriesOptions {
  /** The folder of the files; made when absent, for its owner only. */
  readonly folder: string;
  /** Time in milliseconds from the beginning of one backup to that of the next. */
  readonly everyMs: number;
  /** Number of full backups that are kept, each with its increments. */
  readonly keep: number;
  /** Number of increments after a full backup, before the next full one. */
  readonly increments: number;
  /** Opens the store for one backup. A store that cannot be opened now may be there the next time. */
  readonly open: () => Promise<CommandStore>;
  /** Called with each backup that was made. */
  readonly onBackup: (file: BackupFile) => void;
  /** Called with sentences for people: failures, and reasons for a full backup. */
  readonly note: (sentence: string) => void;
  readonly now?: () => number;
}

/** Names of files of a series: the time at which the backup began, and its kind. */
const fileName = /^(\d{8}T\d{6}\.\d{3}Z)-(full|increment)\.backup$/;

/**
 * Takes a backup at once and then in intervals, until the signal aborts: an increment where the log of changes reaches
 * back to the backup before, otherwise a full one. A failure is noted, and the next backup tries again. Full backups
 * beyond `keep` are removed with their increments, after a newer one was made. Rejects when another process has the folder.
 */
export async function runBackupSeries(options: BackupSeriesOptions, signal: AbortSignal): Promise<void> {
  const { folder, everyMs, note, now = Date.now } = options;
  await makeFolder(folder, 0o700);
  await using _ = await lockDirectory(folder);
  const series = new BackupSeries(options);
  while (!signal.aborted) {
    const startedAtMs = now();
    try {
      await series.next();
    } catch (error) {
      note(`no backup was made: ${(error as Error).message}; the next one begins in ${everyMs / 1000} s at the latest`);
    }
    await pause(Math.max(0, startedAtMs + everyMs - now()), signal);
  }
}

class BackupSeries {
  readonly #options: BackupSeriesOptions;
  /** The newest backup; undefined when the next one is to be full. */
  #last: BackupFile | undefined;
  #hasLooked = false;

  constructor(options: BackupSeriesOptions) {
    this.#options = options;
  }

  /** Takes one backup. */
  async next(): Promise<void> {
    const { folder, open, increments, onBackup } = this.#options;
    const names = await backupNames(folder);
    await this.#lookForLast(names);
    const since = names.findLastIndex((name) => name.endsWith("-full.backup"));
    const isFull = this.#last === undefined || names.length - 1 - since >= increments;
    const opened = await open();
    await using _ = opened.store;
    const file = isFull ? await this.#takeFull(opened) : await this.#takeNext(opened, this.#last as BackupFile);
    this.#last = file;
    onBackup(file);
    if (file.header.kind === "full") {
      await this.#removeOld();
    }
  }

  /** Finds the backup that a former run has made last. */
  async #lookForLast(names: readonly string[]): Promise<void> {
    const { folder, note } = this.#options;
    const newest = names.at(-1);
    if (this.#hasLooked || newest === undefined) {
      this.#hasLooked = true;
      return;
    }
    this.#hasLooked = true;
    try {
      this.#last = await openBackup(join(folder, newest));
    } catch (error) {
      note(`a full backup is taken, since the newest one cannot be continued: ${(error as Error).message}`);
    }
  }

  async #takeNext(opened: CommandStore, previous: BackupFile): Promise<BackupFile> {
    try {
      return await takeIncrement(this.#backupOf(opened, "increment"), previous);
    } catch (error) {
      this.#options.note(`a full backup is taken, since there can be no increment: ${(error as Error).message}`);
      return await this.#takeFull(opened);
    }
  }

  #takeFull(opened: CommandStore): Promise<BackupFile> {
    return takeFullBackup(this.#backupOf(opened, "full"));
  }

  #backupOf({ store, prefix }: CommandStore, kind: "full" | "increment") {
    const { folder, note, now = Date.now } = this.#options;
    const time = new Date(now()).toISOString().replaceAll(/[-:]/g, "");
    return { store, prefix, path: join(folder, `${time}-${kind}.backup`), note };
  }

  /** Removes the full backups that are too many, and all that is older than those that stay. */
  async #removeOld(): Promise<void> {
    const { folder, keep } = this.#options;
    const names = await backupNames(folder);
    const oldestKept = names.filter((name) => name.endsWith("-full.backup")).at(-keep);
    for (const name of names) {
      if (oldestKept !== undefined && name < oldestKept) {
        await rm(join(folder, name));
      }
    }
  }
}

/** Returns the names of the series' files, the oldest one first. Other files are left alone. */
async function backupNames(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => fileName.test(name)).sort();
}
