import type { NumberRange } from "@gatehouse/apiserver/options";
import type { KeyValue, Store } from "@gatehouse/apiserver/storage";
import type { AllocationScope, AllocatorMetrics } from "./allocator-metrics.js";
import { Bitmap } from "./bitmap.js";
import { pickFree } from "./pick-free.js";
import { decodeRange, encodeRange } from "./range-record.js";

/** The numbers to allocate, and the record of the taken ones in the store. */
export interface RangeAllocatorOptions {
  readonly store: Pick<Store, "get" | "put">;
  /** The key of the RangeAllocation in the store: `/registry/ranges/serviceips`. */
  readonly key: string;
  readonly range: NumberRange;
  /** Returns a random number from 0 up to 1. Default: Math.random. */
  readonly random?: () => number;
  /** Metrics of the allocator; none when absent. */
  readonly metrics?: AllocatorMetrics;
}

/** The operations of an update on the numbers of a range. */
export interface RangeEdit {
  has(number: number): boolean;
  allocate(number: number): "allocated" | "taken" | "outside";
  /** Allocates a free number; undefined when the range is full. */
  allocateNext(): number | undefined;
  /** Frees a number. Numbers that are outside the range or not taken are ignored. */
  release(number: number): void;
}

/** An error for a range that cannot be allocated from now; clients may see its message. */
export class RangeUnavailableError extends Error {
  override readonly name = "RangeUnavailableError";
}

interface Waiting {
  run(edit: RangeEdit): void;
  /**
   * Settles the promise of the update with the outcome of `run`, once the state that it ran on is known to be current.
   */
  settle(): void;
  fail(error: unknown): void;
}

/** An attempt to allocate a number. */
interface Attempt {
  readonly scope: AllocationScope;
  readonly succeeded: boolean;
}

/** The state of the range after a batch of updates, and whether they have changed it. */
interface Written {
  readonly taken: Bitmap;
  readonly changed: boolean;
}

/**
 * An allocator of numbers of a range that is kept in the store, for any number of processes: every change is a
 * compare-and-set. Updates that arrive during a write are written together with the next one.
 */
export class RangeAllocator {
  readonly range: NumberRange;
  readonly #store: Pick<Store, "get" | "put">;
  readonly #key: string;
  readonly #random: () => number;
  readonly #metrics: AllocatorMetrics | undefined;
  #waiting: Waiting[] = [];
  #draining = false;
  /** The attempts of the updates as they ran last; an update that throws may have made some before. */
  #attempts: Attempt[] = [];
  /** The state as last read or written. */
  #known: { readonly revision: number; readonly taken: Bitmap } | undefined;

  constructor(options: RangeAllocatorOptions) {
    this.range = options.range;
    this.#store = options.store;
    this.#key = options.key;
    this.#random = options.random ?? Math.random;
    this.#metrics = options.metrics;
  }

  /**
   * Runs `update` on the current state and stores its changes; all of them, or none when it throws. It may run several
   * times, and must have no other effects. Rejects with RangeUnavailableError, or with an error of the store: then it
   * is unknown whether the changes have been stored.
   */
  update<T>(update: (edit: RangeEdit) => T): Promise<T> {
    return new Promise((resolve, reject) => {
      let settle: () => void;
      this.#waiting.push({
        run(edit) {
          try {
            const result = update(edit);
            settle = () => resolve(result);
          } catch (error) {
            settle = () => reject(error);
            throw error;
          }
        },
        settle: () => settle(),
        fail: reject,
      });
      void this.#drain();
    });
  }

  /** Frees numbers. Those that are outside the range or not taken are ignored. */
  async release(numbers: readonly number[]): Promise<void> {
    if (numbers.length > 0) {
      await this.update((edit) => {
        for (const number of numbers) {
          edit.release(number);
        }
      });
    }
  }

  async #drain(): Promise<void> {
    if (this.#draining) {
      return;
    }
    this.#draining = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        this.#measure(await this.#write(batch));
        for (const waiting of batch) {
          waiting.settle();
        }
      } catch (error) {
        this.#known = undefined;
        this.#measure(undefined);
        for (const waiting of batch) {
          waiting.fail(error);
        }
      }
    }
    this.#draining = false;
  }

  /** Measures a batch that has been written; without a result it has failed. */
  #measure(written: Written | undefined): void {
    const attempts = this.#attempts;
    this.#attempts = [];
    for (const { scope, succeeded } of attempts) {
      this.#metrics?.attempted(scope, succeeded && written !== undefined);
    }
    // A dry run neither attempts nor changes anything.
    if (written !== undefined && (written.changed || attempts.length > 0)) {
      const { count, size } = written.taken;
      this.#metrics?.counted(count, size - count);
    }
  }

  /** Runs a batch of updates and stores their changes. */
  async #write(batch: readonly Waiting[]): Promise<Written> {
    let { kv } = await this.#store.get(this.#key);
    for (;;) {
      const { taken, revision } = this.#stateOf(kv);
      this.#known = undefined;
      this.#attempts = [];
      let changed = false;
      for (const waiting of batch) {
        changed = this.#run(waiting, taken) || changed;
      }
      if (!changed) {
        this.#known = { taken, revision };
        return { taken, changed };
      }
      const result = await this.#store.put(this.#key, encodeRange(this.range, taken), { expectedRevision: revision });
      if (result.succeeded) {
        this.#known = { taken, revision: result.revision };
        return { taken, changed };
      }
      kv = result.current;
    }
  }

  #stateOf(kv: KeyValue | undefined): { readonly taken: Bitmap; readonly revision: number } {
    if (kv === undefined) {
      throw new RangeUnavailableError(`the range ${this.range.text} has not been set up yet`);
    }
    const known = this.#known;
    if (known?.revision === kv.modRevision) {
      return known;
    }
    const { range, taken } = decodeRange(kv.value);
    if (range !== this.range.text) {
      throw new RangeUnavailableError("the provided range does not match the current range");
    }
    return { taken: Bitmap.decode(this.range.size, taken), revision: kv.modRevision };
  }

  /** Runs one update; returns true if it has changed the state. */
  #run(waiting: Waiting, taken: Bitmap): boolean {
    const undo: (() => void)[] = [];
    try {
      waiting.run(this.#edit(taken, undo));
      return undo.length > 0;
    } catch {
      for (const step of undo.reverse()) {
        step();
      }
      return false;
    }
  }

  #edit(taken: Bitmap, undo: (() => void)[]): RangeEdit {
    const { range } = this;
    const offsetOf = (number: number): number | undefined =>
      number >= range.first && number < range.first + range.size ? number - range.first : undefined;
    const add = (offset: number): boolean => {
      const added = taken.add(offset);
      if (added) {
        undo.push(() => taken.remove(offset));
      }
      return added;
    };
    const attempt = (scope: AllocationScope, succeeded: boolean): void => {
      this.#attempts.push({ scope, succeeded });
    };
    return {
      has(number) {
        const offset = offsetOf(number);
        return offset !== undefined && taken.has(offset);
      },
      allocate(number) {
        const offset = offsetOf(number);
        const outcome = offset === undefined ? "outside" : add(offset) ? "allocated" : "taken";
        attempt("static", outcome === "allocated");
        return outcome;
      },
      allocateNext: () => {
        const offset = pickFree(taken, range.reserved, this.#random);
        attempt("dynamic", offset !== undefined);
        if (offset === undefined) {
          return undefined;
        }
        add(offset);
        return range.first + offset;
      },
      release(number) {
        const offset = offsetOf(number);
        if (offset !== undefined && taken.remove(offset)) {
          undo.push(() => taken.add(offset));
        }
      },
    };
  }
}
