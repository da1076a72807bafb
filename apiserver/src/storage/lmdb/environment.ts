import { StoreUnavailableError } from "../../errors/errors.js";
import type { KeyChange } from "../keyspace.js";
import { DamageReport } from "./damage-report.js";
import type { MappingLimits } from "./mapping-limits.js";
import { residentFileBytes } from "./resident-file-bytes.js";
import { openTables, type Tables } from "./tables.js";

/** The changes of one transaction of this process: all those after one revision and up to another. */
export interface Commit {
  readonly afterRevision: number;
  readonly revision: number;
  readonly events: readonly KeyChange[];
}

/** Time between two tries to open the file again when that has failed; doubles with each try. */
const firstReopenMs = 50;
const maxReopenMs = 5000;

/** Opens the tables in a directory. */
type OpenTables = (path: string) => Promise<Tables>;

/** Callbacks for the loss of the file's mapping, and for its return. */
export interface MappingListener {
  /** Called when nothing can be read or written any more; the environment tries again by itself. */
  lost(error: StoreUnavailableError): void;
  /** Reads and writes work again. */
  recovered(): void;
}

/** The open tables, shared by the stores of this process. They change when the file is mapped anew. */
export class Environment {
  readonly path: string;
  /** Called after a commit of this process is on disk; lets several stores of one process see each other at once. */
  readonly commitListeners = new Set<() => void>();
  /**
   * Functions called with the changes of a commit of this process that is on disk, before `commitListeners`. They must
   * not throw.
   */
  readonly commitFollowers = new Set<(commit: Commit) => void>();
  /** The damage that has been found in the file. */
  readonly damage = new DamageReport();
  /** Listeners for the loss and the return of the file; each is called once. */
  readonly mappingListeners = new Set<MappingListener>();
  readonly #limits: MappingLimits;
  readonly #open: OpenTables;
  #tables: Tables;
  /** True except between the end of one mapping and the beginning of the next. */
  #isOpen = true;
  #isClosing = false;
  #users = 0;
  #hasBeenRead = false;
  #lastCheck = performance.now();
  #residentWhenOpened = residentFileBytes();
  #nextCheck: NodeJS.Timeout | undefined;
  /** The mapping anew that is under way, or the last one, if it has failed: then it rejects, until the next begins. */
  #remapping: Promise<void> | undefined;
  #isRemapWanted = false;
  #reopenMs = firstReopenMs;
  #reopenTimer: NodeJS.Timeout | undefined;

  private constructor(path: string, tables: Tables, limits: MappingLimits, open: OpenTables) {
    this.path = path;
    this.#tables = tables;
    this.#limits = limits;
    this.#open = open;
  }

  /** Opens the file in the directory `path`, now and each time it is mapped anew. Throws StoreUnusableError. */
  static async open(path: string, limits: MappingLimits, open: OpenTables = openTables): Promise<Environment> {
    return new Environment(path, await open(path), limits, open);
  }

  /** The open tables. They must not be kept across an `await`, except inside `use`. */
  get tables(): Tables {
    return this.#tables;
  }

  /**
   * True if the tables can be used. False for a moment while the file is mapped anew, and as long as that fails. To be
   * read right before the tables are used, since every `await` may be that moment: `while (!environment.isAvailable) {
   * await environment.available(); }`.
   */
  get isAvailable(): boolean {
    return this.#remapping === undefined;
  }

  /** Resolves when it is worth asking again. Rejects with StoreUnavailableError when the file could not be opened. */
  async available(): Promise<void> {
    await this.#remapping;
  }

  /** Runs something that needs the same tables over several turns of the event loop. Throws StoreUnavailableError. */
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

  /** Notes that pages of the file may have become resident. */
  noteRead(): void {
    this.#hasBeenRead = true;
  }

  /** Requests that the file is mapped anew as soon as it is not in use: LMDB has given it up. */
  wantRemap(): void {
    this.#isRemapWanted = true;
  }

  /** Maps the file anew if that is worth it and it is not in use. To be called after reads. */
  remapWhenDue(): void {
    if (this.#users > 0 || !this.isAvailable || this.#isClosing) {
      return;
    }
    if (this.#isRemapWanted) {
      this.#remap();
    } else if (this.#hasBeenRead && this.#residentWhenOpened !== undefined) {
      this.#remapWhenLarge(this.#residentWhenOpened);
    }
  }

  /** Closes the file when the work under way has ended. */
  async close(): Promise<void> {
    this.#isClosing = true;
    clearTimeout(this.#nextCheck);
    await this.#remapping?.catch(() => {});
    clearTimeout(this.#reopenTimer);
    if (this.#isOpen) {
      await this.#tables.root.close();
    }
  }

  #remapWhenLarge(residentWhenOpened: number): void {
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
    if ((residentFileBytes() ?? 0) - residentWhenOpened > maxResidentBytes) {
      this.#remap();
    }
  }

  /** Notes a commit that is on disk, and passes it on. */
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

  #remap(): void {
    this.#isRemapWanted = false;
    this.#remapping = this.#closeAndOpen();
    this.#remapping.catch(() => {}); // whoever waits for it sees the error
  }

  async #closeAndOpen(): Promise<void> {
    try {
      if (this.#isOpen) {
        await this.#tables.root.close();
        this.#isOpen = false;
      }
      this.#tables = await this.#open(this.path);
      this.#isOpen = true;
    } catch (error) {
      throw this.#tryLater(error);
    }
    this.#residentWhenOpened = residentFileBytes();
    this.#remapping = undefined;
    if (this.#reopenMs !== firstReopenMs) {
      this.#reopenMs = firstReopenMs;
      this.#tell((listener) => listener.recovered());
    }
  }

  #tryLater(cause: unknown): StoreUnavailableError {
    const failure = new StoreUnavailableError(
      `the store's file could not be opened again: ${(cause as Error).message}; it is tried again`,
      { cause },
    );
    if (this.#reopenMs === firstReopenMs) {
      this.#tell((listener) => listener.lost(failure));
    }
    if (!this.#isClosing) {
      this.#reopenTimer = setTimeout(() => this.#remap(), this.#reopenMs).unref();
    }
    this.#reopenMs = Math.min(this.#reopenMs * 2, maxReopenMs);
    return failure;
  }

  #tell(what: (listener: MappingListener) => void): void {
    for (const listener of this.mappingListeners) {
      what(listener);
    }
  }
}
