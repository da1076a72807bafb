import { AsyncLocalStorage } from "node:async_hooks";
import fs from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { Server } from "node:net";

/** Fate of the write that is under way when a process is killed: half of it is on disk, or none. */
export type TornWrite = "half" | "none";

/** Point at which a process is killed: before its n-th change of the disk, counted from 0, or in the middle of it. */
export interface CrashPoint {
  readonly change: number;
  readonly torn: TornWrite;
}

/** Error of a synchronous operation in a killed process, since it cannot wait for ever. */
class ProcessKilled extends Error {
  override readonly name = "ProcessKilled";
}

/**
 * A process in the process: what `run` begins uses the disk as any other, until it is killed at a chosen change. From there
 * on nothing it begins ever ends, and nothing reaches the disk; everybody else goes on. What it is made of need not know:
 * `node:fs` and `node:fs/promises` look who calls. Disposing of it does what the operating system does for a dead process.
 */
export class MortalProcess implements AsyncDisposable {
  readonly #point: CrashPoint;
  readonly #killed: Promise<"killed">;
  readonly #left = new Set<() => Promise<unknown>>();
  readonly #fds = new Set<number>();
  /** Operations with a callback that have begun and not ended: what they use must not be closed, or given to others. */
  readonly #underWay = new Set<Promise<void>>();
  #kill: () => void = () => {};
  #changes = 0;
  #isDead = false;
  #isBuried = false;

  constructor(point: CrashPoint) {
    this.#point = point;
    this.#killed = new Promise((killed) => {
      this.#kill = () => killed("killed");
    });
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  /** Tells whether the caller is part of a process that has been killed: for what it talks to besides the disk. */
  static get isCallerDead(): boolean {
    return callers.getStore()?.isDead === true;
  }

  /** Resolves when the work has ended, or its process has been killed in it. */
  async run(work: () => Promise<unknown>): Promise<"finished" | "killed"> {
    standIn();
    const finished = callers.run(this, work).then(
      () => "finished" as const,
      (error: unknown) => {
        if (this.#isDead) {
          return this.#killed;
        }
        throw error;
      },
    );
    return await Promise.race([finished, this.#killed]);
  }

  /** Runs an operation that ends later; `tear` does half of it. */
  async do(isChange: boolean, operation: () => unknown, tear?: () => unknown): Promise<unknown> {
    const wasDead = this.#isDead;
    if (!this.#dies(isChange)) {
      const result = await operation();
      return this.#isDead ? await never() : result;
    }
    if (!wasDead && this.#point.torn === "half") {
      await tear?.();
    }
    return await never();
  }

  /** Runs an operation that ends at once. */
  doNow(isChange: boolean, operation: () => unknown, tear?: () => unknown): unknown {
    const wasDead = this.#isDead;
    if (!this.#dies(isChange)) {
      return operation();
    }
    if (!wasDead && this.#point.torn === "half") {
      tear?.();
    }
    throw new ProcessKilled();
  }

  /** Begins an operation that calls back. A dead process is not called back; `note` gets the arguments all the same. */
  begin(isChange: boolean, operation: Operation, args: readonly unknown[], note?: Operation): void {
    if (this.#dies(isChange)) {
      return;
    }
    const done = args.at(-1) as Operation;
    const ended = new Promise<void>((resolve) => {
      operation(...args.slice(0, -1), (...results: unknown[]) => {
        note?.(...results);
        resolve();
        if (!this.#isDead) {
          done(...results);
        }
      });
    });
    this.#underWay.add(ended);
    void ended.then(() => this.#underWay.delete(ended));
  }

  /** Is closed with the process. */
  leaves(close: () => Promise<unknown>): void {
    if (this.#isBuried) {
      void close().catch(() => {});
    } else {
      this.#left.add(close);
    }
  }

  opened(fd: number): void {
    this.#fds.add(fd);
  }

  closed(fd: number): void {
    this.#fds.delete(fd);
  }

  /** Tells whether the process dies here, or has died before. */
  #dies(isChange: boolean): boolean {
    if (!this.#isDead && isChange && this.#changes++ === this.#point.change) {
      this.#isDead = true;
      this.#kill();
    }
    return this.#isDead;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDead = true;
    this.#isBuried = true;
    await Promise.all(this.#underWay);
    await Promise.all([...this.#left].map((close) => close().catch(() => {})));
    this.#left.clear();
    for (const fd of this.#fds) {
      fs.closeSync(fd);
    }
    this.#fds.clear();
  }
}

/** Lives that go on beside each other: each waits for the disk most of its time. */
const livesAtATime = 8;

/**
 * Lets a process live once for each change of the disk that it makes, and has it killed there, before the change and in the
 * middle of it. `live` says how a life went; lives go on beside each other until one has ended by itself. Returns how many
 * there were.
 */
export async function forEachCrash(live: (point: CrashPoint) => Promise<"finished" | "killed">): Promise<number> {
  let lives = 0;
  for (const torn of ["none", "half"] as const) {
    let change = 0;
    let isOver = false;
    const liveOn = async (): Promise<void> => {
      while (!isOver) {
        lives++;
        try {
          isOver = (await live({ change: change++, torn })) === "finished" || isOver;
        } catch (error) {
          isOver = true;
          throw error;
        }
      }
    };
    // All have ended before one that has failed is told: the test may then take away what the others use.
    const outcomes = await Promise.allSettled(Array.from({ length: livesAtATime }, liveOn));
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") {
        throw outcome.reason;
      }
    }
  }
  return lives;
}

type Operation = (...args: unknown[]) => unknown;
type Operations = Record<string, Operation>;

const callers = new AsyncLocalStorage<MortalProcess>();
const never = (): Promise<never> => new Promise(() => {});

/** Functions of `node:fs/promises` that change the disk. `open` counts as a change where it may make or empty a file. */
const pathChanges = ["mkdir", "rename", "rm", "unlink", "truncate", "writeFile", "appendFile", "link", "copyFile"];
const pathLooks = ["readdir", "readFile", "stat", "lstat", "access"];
const handleChanges = ["write", "writev", "writeFile", "appendFile", "truncate"];
const handleLooks = ["read", "readv", "readFile", "stat", "close", "chmod"];
/** Flushes, which are skipped: written bytes outlive the process without them. */
const flushes = ["sync", "datasync"];
const syncChanges = ["mkdirSync", "renameSync", "rmSync", "unlinkSync", "writeFileSync"];
/** Operations that streams use. A read moves on in the file, which by then may be another's. */
const callbackChanges = ["write", "writev"];
const callbackLooks = ["read", "readv"];

let isStandingIn = false;

/** Replaces the functions of `node:fs` for good, since code of a dead process may call them at any time. */
function standIn(): void {
  if (isStandingIn) {
    return;
  }
  isStandingIn = true;
  const promises = fs.promises as unknown as Operations;
  const plain = fs as unknown as Operations;
  for (const name of [...pathChanges, ...pathLooks]) {
    replace(promises, name, (process, original, args) =>
      process.do(pathChanges.includes(name), () => original(...args)),
    );
  }
  replace(promises, "open", (process, original, args) =>
    process.do(mayMake(args[1]), async () => mortalHandle(process, (await original(...args)) as FileHandle)),
  );
  for (const name of syncChanges) {
    replace(plain, name, (process, original, args) => process.doNow(true, () => original(...args)));
  }
  replace(plain, "openSync", (process, original, args) => {
    const fd = process.doNow(mayMake(args[1]), () => original(...args)) as number;
    process.opened(fd);
    return fd;
  });
  replace(plain, "writeSync", (process, original, args) =>
    process.doNow(
      true,
      () => original(...args),
      () => original(args[0], halfOf(args[1])),
    ),
  );
  replace(plain, "fsyncSync", (process) => process.doNow(false, () => undefined));
  // What a dead one has open is closed once, when it is disposed of: its numbers may be of other files by then.
  const closeBy = (process: MortalProcess, original: Operation, args: unknown[]): unknown => {
    process.closed(args[0] as number);
    return original(...args);
  };
  replace(plain, "closeSync", (process, original, args) =>
    process.doNow(false, () => closeBy(process, original, args)),
  );
  replace(plain, "close", (process, original, args) =>
    process.begin(false, (...withDone) => closeBy(process, original, withDone), args),
  );
  replace(plain, "open", (process, original, args) =>
    process.begin(mayMake(args[1]), original, args, (error, fd) => {
      if (error === null) {
        process.opened(fd as number);
      }
    }),
  );
  for (const name of [...callbackChanges, ...callbackLooks]) {
    replace(plain, name, (process, original, args) => process.begin(callbackChanges.includes(name), original, args));
  }
  replace(Server.prototype as unknown as Operations, "listen", (process, original, args, self) => {
    process.leaves(async () => (self as Server).close());
    return original.apply(self, args);
  });
  syncBuiltinESMExports();
}

/** Replaces an operation for those who belong to a mortal process. */
function replace(
  owner: Operations,
  name: string,
  act: (process: MortalProcess, original: Operation, args: unknown[], self: unknown) => unknown,
): void {
  const original = owner[name] as Operation;
  owner[name] = function (this: unknown, ...args: unknown[]) {
    const process = callers.getStore();
    return process === undefined ? original.apply(this, args) : act(process, original, args, this);
  };
}

function mortalHandle(process: MortalProcess, handle: FileHandle): FileHandle {
  const operations = handle as unknown as Operations;
  process.leaves(handle.close.bind(handle));
  for (const name of [...handleChanges, ...handleLooks]) {
    const original = (operations[name] as Operation).bind(handle);
    const tear = (args: readonly unknown[]): unknown =>
      name === "truncate" ? undefined : original(halfOf(args[0]), ...placeOf(name, args));
    operations[name] = (...args) =>
      process.do(
        handleChanges.includes(name),
        () => original(...args),
        () => tear(args),
      );
  }
  for (const name of flushes) {
    operations[name] = () => process.do(false, () => undefined);
  }
  return handle;
}

function mayMake(flags: unknown): boolean {
  return typeof flags === "number"
    ? (flags & fs.constants.O_CREAT) !== 0
    : typeof flags === "string" && /^[aw]/.test(flags);
}

function halfOf(content: unknown): unknown {
  if (Array.isArray(content)) {
    return [halfOf(Buffer.concat(content as Buffer[]))];
  }
  const bytes = Buffer.isBuffer(content) ? content : Buffer.from(String(content));
  return bytes.subarray(0, bytes.length >> 1);
}

/** The arguments of a torn write behind its content: where it goes. */
function placeOf(name: string, [content, offset, length, position]: readonly unknown[]): readonly unknown[] {
  if (name === "writev") {
    return [offset];
  }
  const isPlaced = name === "write" && Buffer.isBuffer(content) && typeof position === "number";
  return isPlaced ? [0, Math.min(content.length >> 1, Number(length)), position] : [];
}
