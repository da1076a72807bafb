import { statfsSync } from "node:fs";
import { constants } from "node:os";
import { StoreUnwritableError } from "../../errors/errors.js";
import type { StoreObserver } from "../store-condition.js";

/** Intervals in milliseconds between two tries of a gate that is shut. */
export interface WriteRetry {
  readonly firstMs: number;
  /** Longest interval; each try that fails doubles the interval up to this. */
  readonly maxMs: number;
}

/** The intervals by default: short enough for a prompt return of writes, and long enough to cost nothing. */
export const defaultWriteRetry: WriteRetry = { firstMs: 1000, maxMs: 10_000 };

/** The parts of a store that its gate uses. */
export interface WriteGateOptions {
  /** Directory of the data file. */
  readonly directory: string;
  readonly observer: StoreObserver;
  readonly retry: WriteRetry;
  /** Tries to write so many bytes; when that fails, `shut` is called, as for any other commit. */
  readonly probe: (bytes: number) => Promise<void>;
}

/** A probe writes as much as the group that failed, within these bounds: what works for it works for clients. */
const minProbeBytes = 64 * 1024;
const maxProbeBytes = 2 * 2 ** 20;

/** A gate that shuts again within this time goes on waiting as long as before. */
const calmMs = 60_000;

/** Bytes that file systems keep for themselves. */
const spareBytes = 2 ** 20;

/** A disk with less than this may be full at the next write: more than anybody writes between two looks. */
const scarceBytes = 64 * 2 ** 20;
/** Milliseconds for which a look at the free space counts. */
const lookMs = 20;

const noSpaceErrors = new Set<unknown>([constants.errno.ENOSPC, constants.errno.EDQUOT, constants.errno.EFBIG]);

/**
 * Refuses puts from the first commit that fails until one of its own works again, so that a full disk costs a try now and
 * then, not one for each request. Deletions and compaction pass it: they make space.
 */
export class WriteGate implements Disposable {
  readonly #options: WriteGateOptions;
  #problem: StoreUnwritableError | undefined;
  #probeBytes = minProbeBytes;
  #retryMs: number;
  #openedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #disposed = false;
  #isSpaceScarce = false;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(options: WriteGateOptions) {
    this.#options = options;
    this.#retryMs = options.retry.firstMs;
  }

  /** The reason why puts are refused; undefined while they are not. */
  get problem(): StoreUnwritableError | undefined {
    return this.#problem;
  }

  /** True when a commit may find no space: the disk is nearly full. */
  get isSpaceScarce(): boolean {
    const now = performance.now();
    if (now - this.#lookedAt > lookMs) {
      this.#lookedAt = now;
      this.#isSpaceScarce = this.#freeBytes() < scarceBytes;
    }
    return this.#isSpaceScarce;
  }

  /** Shuts the gate after a failed commit of about `bytes` bytes. Returns the error for those who wait for it. */
  shut(cause: Error, bytes: number): StoreUnwritableError {
    const problem = new StoreUnwritableError(
      `the store cannot write: ${this.#describe(cause, bytes)}; it tries again by itself`,
      { cause },
    );
    if (this.#problem === undefined && !this.#disposed) {
      this.#problem = problem;
      this.#probeBytes = Math.min(Math.max(bytes, minProbeBytes), maxProbeBytes);
      if (performance.now() - this.#openedAt > calmMs) {
        this.#retryMs = this.#options.retry.firstMs;
      }
      this.#options.observer.storeUnwritable(problem);
      this.#scheduleProbe();
    }
    return problem;
  }

  [Symbol.dispose](): void {
    this.#disposed = true;
    clearTimeout(this.#timer);
  }

  #scheduleProbe(): void {
    this.#timer = setTimeout(() => void this.#probe(), this.#retryMs).unref();
    this.#retryMs = Math.min(this.#retryMs * 2, this.#options.retry.maxMs);
  }

  async #probe(): Promise<void> {
    try {
      await this.#options.probe(this.#probeBytes);
      this.#problem = undefined;
      this.#openedAt = performance.now();
      this.#options.observer.storeWritable();
    } catch {
      if (!this.#disposed) {
        this.#scheduleProbe();
      }
    }
  }

  /**
   * Describes the cause of a failed commit. LMDB takes a write that ends early for an I/O error, so the file system's
   * free space is read.
   */
  #describe(cause: Error, bytes: number): string {
    const isFull =
      noSpaceErrors.has((cause as { readonly code?: unknown }).code) || this.#freeBytes() < bytes + spareBytes;
    return isFull ? `no space is left in the data directory (${cause.message})` : cause.message;
  }

  #freeBytes(): number {
    try {
      const { bavail, bsize } = statfsSync(this.#options.directory);
      return bavail * bsize;
    } catch {
      return Number.POSITIVE_INFINITY; // cannot be told
    }
  }
}
