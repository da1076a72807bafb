import { stat } from "node:fs/promises";

/** The files to follow, the function that makes a value of them, and the callbacks for their changes. */
export interface FollowFilesOptions<T> {
  readonly files: readonly string[];
  /** Makes something of the files as they are now. */
  readonly read: () => Promise<T>;
  /** Interval in milliseconds between looks at the files. A change counts within that time. */
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

/**
 * Reads files and follows them. Polls, because they are often symbolic links into a mounted Secret or ConfigMap, where file
 * events do not arrive. Rejects as `read` does when the files cannot be used now.
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
  const timer = setInterval(() => {
    if (!looking) {
      looking = true;
      void checkNow().finally(() => {
        looking = false;
      });
    }
  }, pollIntervalMs);
  timer.unref();
  return {
    get current() {
      return current;
    },
    checkNow,
    [Symbol.dispose]() {
      clearInterval(timer);
    },
  };
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
