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
    watcher.on("all", () => {
      this.#changed = true;
      this.#wake();
    });
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
    await new Promise<void>((done) => watcher.once("ready", done));
    return changes;
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
