import { stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { type FSWatcher, watch } from "chokidar";
import { pause } from "../time/index.js";

/** Milliseconds without a change that end a burst: editors and compilers write several files at once. */
const settleMs = 200;

/** Names of folders that are not watched: they hold many files, and none that people edit. */
const unwatched: ReadonlySet<string> = new Set(["node_modules", ".git"]);

/** A watch of files in some folders, until its signal aborts. */
export class Changes {
  readonly #signal: AbortSignal;
  #changed = false;
  #wake = (): void => {};

  private constructor(watcher: FSWatcher, signal: AbortSignal) {
    this.#signal = signal;
    watcher.on("all", () => this.#note());
    const end = (): void => {
      void watcher.close();
      this.#wake();
    };
    signal.addEventListener("abort", end, { once: true });
  }

  /**
   * Begins to watch files and folders with their content. Resolves when no later change will be missed. `onError` is
   * called with errors of the system, such as too many watches of a user; changes may be missed from then on.
   */
  static async watch(
    paths: readonly string[],
    signal: AbortSignal,
    onError: (error: unknown) => void,
  ): Promise<Changes> {
    const roots = paths.map((path) => resolve(path));
    // The recursive watch of Node loses files on Linux that are saved by replacement.
    const watcher = watch(roots, {
      ignoreInitial: true,
      ignored: (path) => unwatched.has(basename(path)) && !roots.includes(resolve(path)),
    });
    watcher.on("error", onError);
    watcher.on("all", (event, path) => {
      // What is watched from the start is forgotten when it goes; it may come back, as when git changes the branch.
      if (event.startsWith("unlink") && roots.includes(path)) {
        watcher.add(path);
      }
    });
    const changes = new Changes(watcher, signal);
    const ready = new Promise<void>((done) => watcher.once("ready", done));
    const folders = await WatchedFolders.of(roots, watcher);
    // Chokidar may tell of the files of a folder that is deleted, and not of the folder: it is deaf then.
    watcher.on("all", () => void folders.keep().then((isNew) => isNew && changes.#note()));
    await ready;
    return changes;
  }

  #note(): void {
    this.#changed = true;
    this.#wake();
  }

  /** Calls back after each burst of changes, one call at a time. */
  async follow(onChange: () => Promise<void>): Promise<void> {
    while (!this.#signal.aborted) {
      if (!this.#changed) {
        await new Promise<void>((done) => {
          this.#wake = done;
        });
      }
      await pause(settleMs, this.#signal);
      this.#changed = false;
      if (!this.#signal.aborted) {
        await onChange();
      }
    }
  }
}

/** Folders that are watched, and which ones those were that their paths have led to. */
class WatchedFolders {
  readonly #watcher: FSWatcher;
  readonly #identities: Map<string, string | undefined>;
  #keeping: Promise<boolean> = Promise.resolve(false);

  private constructor(watcher: FSWatcher, identities: Map<string, string | undefined>) {
    this.#watcher = watcher;
    this.#identities = identities;
  }

  /** Resolves to those of some paths that are folders. */
  static async of(paths: readonly string[], watcher: FSWatcher): Promise<WatchedFolders> {
    const identities = new Map<string, string>();
    for (const path of paths) {
      const identity = await identityOf(path);
      if (identity !== undefined) {
        identities.set(path, identity);
      }
    }
    return new WatchedFolders(watcher, identities);
  }

  /** Watches folders anew that are gone, or that others have come in place of. Resolves to true if there are any. */
  keep(): Promise<boolean> {
    // One after the other: what is under way may have looked before this change.
    this.#keeping = this.#keeping.then(() => this.#keep());
    return this.#keeping;
  }

  async #keep(): Promise<boolean> {
    let isNew = false;
    for (const [path, before] of this.#identities) {
      const identity = await identityOf(path);
      if (before !== undefined && identity !== before && !this.#watcher.closed) {
        this.#watcher.unwatch(path);
        this.#watcher.add(path);
        isNew = true;
      }
      this.#identities.set(path, identity);
    }
    return isNew;
  }
}

/** Resolves to what tells a folder from a later one of its path; undefined for what is no folder, or not there. */
async function identityOf(path: string): Promise<string | undefined> {
  try {
    const status = await stat(path);
    return status.isDirectory() ? `${status.dev} ${status.ino} ${status.birthtimeMs}` : undefined;
  } catch {
    return undefined;
  }
}
