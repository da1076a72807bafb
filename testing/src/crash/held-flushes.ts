import { open } from "node:fs/promises";

/** Flushes of files (`datasync`) that wait to be let through. Disposed of, it lets all through, from then on at once. */
export interface HeldFlushes extends Disposable {
  /** Resolves when the first flush is waiting. */
  readonly first: Promise<void>;
  /** Lets through those that wait. */
  release(): void;
}

/** Holds all flushes of this process: whoever says before they are let through that something is on disk has not waited. */
export async function holdFlushes(): Promise<HeldFlushes> {
  const file = await open(process.execPath, "r");
  const prototype = Object.getPrototypeOf(file) as { datasync: () => Promise<void> };
  await file.close();
  const { datasync } = prototype;
  let held: (() => void)[] = [];
  let noteFirst = (): void => {};
  const first = new Promise<void>((resolve) => {
    noteFirst = resolve;
  });
  const release = (): void => {
    const waiting = held;
    held = [];
    for (const letThrough of waiting) {
      letThrough();
    }
  };
  prototype.datasync = function (this: unknown) {
    return new Promise<void>((resolve, reject) => {
      held.push(() => datasync.call(this).then(resolve, reject));
      noteFirst();
    });
  };
  return {
    first,
    release,
    [Symbol.dispose]() {
      prototype.datasync = datasync;
      release();
    },
  };
}
