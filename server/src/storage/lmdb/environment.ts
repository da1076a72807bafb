import type { StoreEvent } from "../store.js";
import { residentFileBytes } from "./resident-file-bytes.js";
import { openTables, type Tables } from "./tables.js";

/**
 * Pages of the file that have been read stay in the process's resident memory for as long as they are mapped, although
 * the watch cache holds the same objects. So when they have become many, the file is closed and opened again. That takes
 * some milliseconds, in which nothing can be read, so it is not done too often.
 */
export interface MappingLimits {
  /** So much of the file may be resident before it is mapped anew. */
  readonly maxResidentBytes: number;
  /** How often to look. */
  readonly checkIntervalMs: number;
}

/** What one transaction of this process has changed: everything after one revision and up to another. */
export interface Commit {
  readonly afterRevision: number;
  readonly revision: number;
  readonly events: readonly StoreEvent[];
}

export const defaultMappingLimits: MappingLimits = { maxResidentBytes: 32 * 2 ** 20, checkIntervalMs: 2000 };

/** The open tables, shared by the stores of this process. They change when the file is mapped anew. */
export class Environment {
  readonly path: string;
  /** Called after a commit of this process is on disk; lets several stores of one process see each other at once. */
  readonly commitListeners = new Set<() => void>();
  /** Called with what such a commit has changed, before the listeners. They must not throw. */
  readonly commitFollowers = new Set<(commit: Commit) => void>();
  readonly #limits: MappingLimits;
  #tables: Tables;
  #users = 0;
  #hasBeenRead = false;
  #lastCheck = performance.now();
  #residentWhenOpened = residentFileBytes();
  #nextCheck: NodeJS.Timeout | undefined;
  #remapping: Promise<void> | undefined;

  private constructor(path: string, tables: Tables, limits: MappingLimits) {
    this.path = path;
    this.#tables = tables;
    this.#limits = limits;
  }

  static async open(path: string, limits: MappingLimits): Promise<Environment> {
    return new Environment(path, await openTables(path), limits);
  }

  /** Not to be kept across an `await`, except inside `use`. */
  get tables(): Tables {
    return this.#tables;
  }

  /**
   * False for a moment while the file is mapped anew. To be asked right before the tables are used, since every `await`
   * may be that moment: `while (!environment.isAvailable) { await environment.available(); }`.
   */
  get isAvailable(): boolean {
    return this.#remapping === undefined;
  }

  /** Rejects if the file could not be opened again. */
  async available(): Promise<void> {
    await this.#remapping;
  }

  /** Runs something that needs the same tables over several turns of the event loop. */
  async use<T>(work: (tables: Tables) => Promise<T>): Promise<T> {
    while (!this.isAvailable) {
      await this.available();
    }
    this.#users++;
    try {
      return await work(this.#tables);
    } finally {
      this.#users--;
      this.remapWhenDue();
    }
  }

  /** Tells that pages of the file may have become resident. */
  noteRead(): void {
    this.#hasBeenRead = true;
  }

  /** Maps the file anew if that is worth it and nobody uses it. To be called when something has been read. */
  remapWhenDue(): void {
    if (!this.#hasBeenRead || this.#users > 0 || !this.isAvailable || this.#residentWhenOpened === undefined) {
      return;
    }
    const now = performance.now();
    const { maxResidentBytes, checkIntervalMs } = this.#limits;
    if (now - this.#lastCheck < checkIntervalMs) {
      this.#nextCheck ??= setTimeout(() => {
        this.#nextCheck = undefined;
        this.remapWhenDue();
      }, checkIntervalMs).unref();
      return;
    }
    this.#lastCheck = now;
    this.#hasBeenRead = false;
    if ((residentFileBytes() ?? 0) - this.#residentWhenOpened > maxResidentBytes) {
      this.#remapping = this.#remap();
      this.#remapping.catch(() => {}); // whoever waits for it sees the error
    }
  }

  /** To be called when a commit is on disk. */
  committed(commit: Commit): void {
    if (commit.events.length > 0) {
      for (const follow of this.commitFollowers) {
        follow(commit);
      }
    }
    for (const listener of this.commitListeners) {
      listener();
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#nextCheck);
    await this.#remapping?.catch(() => {});
    await this.#tables.root.close();
  }

  async #remap(): Promise<void> {
    await this.#tables.root.close();
    this.#tables = await openTables(this.path);
    this.#residentWhenOpened = residentFileBytes();
    this.#remapping = undefined;
  }
}
