import { yieldToEventLoop } from "@gatehouse/envelopes/scheduling";
import { StoreDamagedError, StoreUnavailableError } from "../../errors/errors.js";
import type { KeyChange } from "../keyspace.js";
import type { Commit, Environment } from "./environment.js";
import { encodeState, type StoreState, stateKey } from "./layout.js";
import type { Operation } from "./operations.js";
import { Reader } from "./reader.js";

/** A group runs on the event loop, so its length in time is bounded through these. */
const maxGroupOperations = 512;
const maxGroupBytes = 8 * 2 ** 20;

/** Callbacks of a group commit. */
export interface GroupCommitOptions {
  /** A group of about so many bytes could not be written. Answers the error for its writers. */
  readonly onFailure: (cause: Error, bytes: number) => Error;
}

/** Rounds of the event loop for which a group waits for more writers. */
const maxGatherRounds = 8;

interface Pending {
  readonly operation: Operation<unknown>;
  readonly bytes: number;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Executes operations in write transactions, as many in each as have gathered while the one before was being flushed to
 * disk: durable writes per second grow with the number of concurrent writers. A promise settles only when the operation's
 * transaction is on disk.
 * An operation that meets damage fails alone (see Operation). When another error is thrown, or the transaction cannot be
 * committed, the whole group is rolled back and fails.
 */
export class GroupCommit {
  readonly #environment: Environment;
  readonly #reader: Reader;
  readonly #options: GroupCommitOptions;
  #queue: Pending[] = [];
  #running: Promise<void> | undefined;
  #closed = false;

  constructor(environment: Environment, options: GroupCommitOptions) {
    this.#environment = environment;
    this.#reader = new Reader(environment);
    this.#options = options;
  }

  /** Resolves to the operation's result when it is on disk. `bytes` is roughly how much the operation writes. */
  run<T>(operation: Operation<T>, bytes: number): Promise<T> {
    if (this.#closed) {
      return Promise.reject(new Error("the store is closed"));
    }
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ operation, bytes, resolve: resolve as (result: unknown) => void, reject });
      this.#running ??= this.#drain();
    });
  }

  /** Lets queued operations finish and refuses later ones. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      await this.#gather();
      await this.#commitGroup();
    }
    this.#running = undefined;
  }

  /**
   * Waits for writers that have just been answered and write again, as long as every round of the event loop brings
   * another: groups of half the size take twice the flushes. A single writer waits for one round.
   */
  async #gather(): Promise<void> {
    let size = 0;
    for (let round = 0; round < maxGatherRounds && size < this.#queue.length; round++) {
      size = this.#queue.length;
      await yieldToEventLoop();
    }
  }

  async #commitGroup(): Promise<void> {
    let group: Pending[] = [];
    let outcomes: Outcome[] = [];
    let commit: Commit | undefined;
    try {
      // A child transaction, because only that can be rolled back when something throws.
      await this.#environment.use(({ root }) =>
        root.childTransaction(() => {
          group = this.#takeGroup();
          ({ outcomes, commit } = this.#execute(group));
        }),
      );
    } catch (error) {
      const failed = group.length > 0 ? group : this.#takeGroup();
      const isOurs = error instanceof StoreUnavailableError || (group.length > 0 && commit === undefined);
      const failure = isOurs ? error : this.#options.onFailure(await commitFailure(error), bytesOf(failed));
      for (const pending of failed) {
        pending.reject(failure);
      }
      return;
    }
    if (commit !== undefined) {
      // Before the writers are told: whoever reads what he has written finds it in the caches already.
      this.#environment.committed(commit);
    }
    for (let i = 0; i < group.length; i++) {
      const { resolve, reject } = group[i] as Pending;
      const outcome = outcomes[i] as Outcome;
      if (outcome.damage === undefined) {
        resolve(outcome.result);
      } else {
        reject(outcome.damage);
      }
    }
  }

  #takeGroup(): Pending[] {
    const queue = this.#queue;
    let count = 0;
    let bytes = 0;
    while (count < queue.length && count < maxGroupOperations && bytes < maxGroupBytes) {
      bytes += (queue[count] as Pending).bytes;
      count++;
    }
    if (count === queue.length) {
      this.#queue = [];
      return queue;
    }
    return queue.splice(0, count);
  }

  #execute(group: readonly Pending[]): { outcomes: Outcome[]; commit: Commit } {
    const reader = this.#reader;
    const state = reader.state();
    const before = { ...state };
    const events: KeyChange[] = [];
    const followed = this.#environment.commitFollowers.size > 0 ? events : undefined;
    const outcomes = group.map(({ operation }) => outcomeOf(operation, reader, state, followed));
    if (
      state.revision !== before.revision ||
      state.compactRevision !== before.compactRevision ||
      state.purgedRevision !== before.purgedRevision
    ) {
      this.#environment.tables.meta.putSync(stateKey, encodeState(state));
    }
    return { outcomes, commit: { afterRevision: before.revision, revision: state.revision, events } };
  }
}

/** The outcome of one operation of a group. */
interface Outcome {
  readonly result?: unknown;
  readonly damage?: StoreDamagedError;
}

function outcomeOf(
  operation: Operation<unknown>,
  reader: Reader,
  state: StoreState,
  events: KeyChange[] | undefined,
): Outcome {
  try {
    return { result: operation(reader, state, events) };
  } catch (error) {
    if (error instanceof StoreDamagedError) {
      return { damage: error };
    }
    throw error;
  }
}

function bytesOf(group: readonly Pending[]): number {
  return group.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Returns the reason of a failed commit, such as a full disk, with which lmdb rejects a second promise. */
async function commitFailure(error: unknown): Promise<Error> {
  const commitError = (error as { commitError?: Promise<unknown> }).commitError;
  try {
    await commitError;
  } catch (reason) {
    return reason instanceof Error ? reason : new Error(String(reason));
  }
  return error instanceof Error ? error : new Error(String(error));
}
