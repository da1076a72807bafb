import { type FSWatcher, watch } from "node:fs";
import { stat } from "node:fs/promises";
import { dirname } from "node:path";

/** The files to follow, the function that makes a value of them, and the callbacks for their changes. */
export interface FollowFilesOptions<T> {
  readonly files: readonly string[];
  /** Makes something of the files as they are now. */
  readonly read: () => Promise<T>;
  /** Interval in milliseconds between looks at the files. A change counts within that time, wherever the files are. */
  readonly pollIntervalMs: number;
  readonly onReload: (value: T) => void;
  /** Called when the files cannot be used as they are now; the value made of their earlier content stays in use. */
  readonly onRefusal: (error: Error) => void;
}

/** The value made of some files, replaced as they change, until it is disposed of. */
export interface FollowedFiles<T> extends Disposable {
  readonly current: T;
  /** Looks at the files now. What cannot be used changes nothing, and is tried again when it changes. */
  checkNow(): Promise<"unchanged" | "reloaded" | "refused">;
}

/** Time in milliseconds between an event of a folder and the look at its files, so that a file that is being written is whole. */
const settleMs = 100;

/**
 * Reads files and follows them: looks at them after each event of their folders, as kube-apiserver does, and at intervals,
 * because network file systems have no events. Rejects as `read` does when the files cannot be used now.
 */
export async function followFiles<T>(options: FollowFilesOptions<T>): Promise<FollowedFiles<T>> {
  const { files, read, pollIntervalMs } = options;
  // The stamp is taken before the content: a change in between shows up as a change at the next look.
  let stamp = await stampOf(files);
  let current = await read();

  async function checkNow(): Promise<"unchanged" | "reloaded" | "refused"> {
    const seen = await stampOf(files);
    if (seen === stamp) {
      return "unchanged";
    }
    stamp = seen;
    try {
      current = await read();
    } catch (error) {
      options.onRefusal(error instanceof Error ? error : new Error(String(error)));
      return "refused";
    }
    options.onReload(current);
    return "reloaded";
  }

  let looking = false;
  let again = false;
  const look = (): void => {
    again = looking;
    if (!looking) {
      looking = true;
      void checkNow().finally(() => {
        looking = false;
        if (again) {
          look();
        }
      });
    }
  };
  const timer = setInterval(look, pollIntervalMs);
  timer.unref();
  let settling: NodeJS.Timeout | undefined;
  const watchers = watchFolders(files, () => {
    settling ??= setTimeout(() => {
      settling = undefined;
      look();
    }, settleMs).unref();
  });
  return {
    get current() {
      return current;
    },
    checkNow,
    [Symbol.dispose]() {
      clearInterval(timer);
      clearTimeout(settling);
      for (const watcher of watchers) {
        watcher.close();
      }
    },
  };
}

/** Watches the folders of files. A folder that cannot be watched has no events: its files are looked at in intervals. */
function watchFolders(files: readonly string[], onEvent: () => void): readonly FSWatcher[] {
  const watchers: FSWatcher[] = [];
  for (const folder of new Set(files.map((file) => dirname(file)))) {
    try {
      watchers.push(watch(folder, { persistent: false }, onEvent).on("error", () => {}));
    } catch {
      // The machine has no more watches, or the folder is gone.
    }
  }
  return watchers;
}

async function stampOf(files: readonly string[]): Promise<string> {
  const stamps = await Promise.all(
    files.map(async (path) => {
      const found = await stat(path).catch(() => undefined);
      // A file that is gone for the moment is a change as well; reading it then says so, once.
      return found === undefined ? "gone" : `${found.ino}:${found.size}:${found.mtimeMs}`;
    }),
  );
  return stamps.join(" ");
}
