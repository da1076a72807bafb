import { yieldToEventLoop } from "@gatehouse/envelopes/scheduling";
import { StoreDamagedError, StoreUnavailableError } from "../../errors/errors.js";
import type { KeyChange } from "../keyspace.js";
import { ValueMemory } from "../value-memory.js";
import type { Commit, Environment } from "./environment.js";
import { commitsKey, encodeCommits, encodeState, readInteger, stateKey } from "./layout.js";
import type { Operation, OperationGroup } from "./operations.js";
import { PendingWrites } from "./pending-writes.js";
import { Reader } from "./reader.js";
import type { Tables } from "./tables.js";

/** A group runs on the event loop, so its length in time is bounded through these. */
const maxGroupOperations = 512;
const maxGroupBytes = 8 * 2 ** 20;

/** Callbacks of a group commit. */
export interface GroupCommitOptions {
  /** A group of about so many bytes could not be written. Answers the error for its writers. */
  readonly onFailure: (cause: Error, bytes: number) => Error;
  /**
   * Reports whether the next commit may find no space. lmdb 3.5.6 then describes the write in 100 bytes of memory, which are too
   * few where the thread that writes has executed the operations itself, and its process ends.
   */
  readonly isSpaceScarce: () => boolean;
}

/**
 * Milliseconds for which a group waits for the next of the writers that are expected, a fraction of a flush. Writers that take
 * longer, since each costs much of the event loop, are better off in the next group, which gathers during that flush.
 */
const gatherPauseMs = 0.2;
/** Rounds of the event loop for which a group waits for the next writer: those that bring nothing cost processor time. */
const gatherPauseRounds = 8;
/** Milliseconds for which a group waits in all. */
const longestGatherMs = 2;

/** Number of groups after a conflict with another process for which the lock of the file is taken first. */
const groupsUnderLock = 64;

interface Pending {
  readonly operation: Operation<unknown>;
  readonly bytes: number;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Executes operations in groups, as many in each as have gathered while the one before was being flushed to disk: durable
 * writes per second grow with the number of concurrent writers. A promise settles only when the operation's group is on
 * disk.
 * A group is prepared on the event loop, with the newest commit as it is read then, and written by a thread under the
 * condition that nobody has committed since. The thread then waits for nobody: a process may end at any time, where one
 * that ends while a thread of LMDB waits for its event loop would never end. Where processes share the file, a group that
 * came too late is executed again with the lock of the file in hand, as are those after it, and those on a disk that is
 * nearly full.
 * An operation that meets damage fails alone (see Operation). When another error is thrown, or the group cannot be
 * committed, nothing of it is written and all of it fails.
 */
export class GroupCommit {
  readonly #environment: Environment;
  readonly #memory = new ValueMemory();
  readonly #options: GroupCommitOptions;
  #queue: Pending[] = [];
  #running: Promise<void> | undefined;
  #closed = false;
  /** Number of writers that may write next: those that waited when a group was answered, and those of the group. */
  #expected = 0;
  /** Number of groups that are to take the lock first. */
  #underLock = 0;
  /** The tables whose log has been found to end with the newest revision; every commit keeps it so. */
  #checked: Tables | undefined;

  constructor(environment: Environment, options: GroupCommitOptions) {
    this.#environment = environment;
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
   * Waits for the writers that have just been answered and write again, and as long as others come: groups of half the size
   * take twice the flushes. A single writer waits for one round of the event loop.
   */
  async #gather(): Promise<void> {
    const begunAt = performance.now();
    let grownAt = begunAt;
    let pauseRounds = 0;
    let size = 0;
    for (let now = begunAt; now - begunAt < longestGatherMs; now = performance.now()) {
      if (this.#queue.length > size) {
        size = this.#queue.length;
        grownAt = now;
        pauseRounds = 0;
      } else if (size >= this.#expected || now - grownAt > gatherPauseMs || ++pauseRounds > gatherPauseRounds) {
        return;
      }
      await yieldToEventLoop();
    }
  }

  async #commitGroup(): Promise<void> {
    const run: GroupRun = { group: [], prepared: undefined };
    try {
      await this.#environment.use((tables) => this.#writeGroup(tables, run));
    } catch (error) {
      const failed = run.group.length > 0 ? run.group : this.#takeGroup();
      const isOurs = error instanceof StoreUnavailableError || (run.group.length > 0 && run.prepared === undefined);
      const failure = isOurs ? error : this.#options.onFailure(await commitFailure(error), bytesOf(failed));
      for (const pending of failed) {
        pending.reject(failure);
      }
      return;
    }
    const { outcomes, commit } = run.prepared as PreparedGroup;
    this.#expected = Math.min(this.#queue.length + run.group.length, maxGroupOperations);
    // Before the writers are told: whoever reads what he has written finds it in the caches already.
    this.#environment.committed(commit);
    for (let i = 0; i < run.group.length; i++) {
      const { resolve, reject } = run.group[i] as Pending;
      const outcome = outcomes[i] as Outcome;
      if (outcome.damage === undefined) {
        resolve(outcome.result);
      } else {
        reject(outcome.damage);
      }
    }
  }

  /** Writes a group; `run` says how far it has come, also when this throws. */
  async #writeGroup(tables: Tables, run: GroupRun): Promise<void> {
    if (this.#underLock === 0 && !this.#options.isSpaceScarce()) {
      tables.root.resetReadTxn();
      if (await writeIfFirst(tables, this.#prepare(run))) {
        return;
      }
      this.#underLock = groupsUnderLock;
    } else {
      this.#underLock = Math.max(0, this.#underLock - 1);
    }
    // A child transaction, because only that can be rolled back when something throws.
    await tables.root.childTransaction(() => this.#prepare(run).writes.writeSync(tables));
  }

  /** Executes the operations of a group, for the first time or once more. */
  #prepare(run: GroupRun): PreparedGroup {
    run.prepared = undefined;
    if (run.group.length === 0) {
      run.group = this.#takeGroup();
    }
    run.prepared = this.#execute(run.group);
    return run.prepared;
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

  #execute(group: readonly Pending[]): PreparedGroup {
    const writes = new PendingWrites();
    const reader = new Reader(this.#environment, { memory: this.#memory, writes });
    const state = reader.state();
    const before = { ...state };
    const commitsBefore = reader.commits();
    const events: KeyChange[] = [];
    const followed = this.#environment.commitFollowers.size > 0 ? events : undefined;
    const operationGroup = { reader, writes, state, events: followed };
    const outcomes = group.map(({ operation }) => outcomeOf(operation, operationGroup));
    if (state.revision !== before.revision) {
      this.#checkLog(before.revision);
    }
    if (
      state.revision !== before.revision ||
      state.compactRevision !== before.compactRevision ||
      state.purgedRevision !== before.purgedRevision
    ) {
      writes.put("meta", stateKey, encodeState(state));
    }
    if (!writes.isEmpty) {
      writes.put("meta", commitsKey, encodeCommits((commitsBefore ?? 0) + 1));
    }
    const commit = { afterRevision: before.revision, revision: state.revision, events };
    return { outcomes, writes, commitsBefore, commit };
  }

  /** Throws when the log has a revision after the newest one: LMDB would not append to it, and commit the rest. */
  #checkLog(newest: number): void {
    const { tables } = this.#environment;
    if (tables === this.#checked) {
      return;
    }
    const [last] = tables.log.getKeys({ reverse: true, limit: 1 });
    if (last !== undefined && readInteger(last, 0) > newest) {
      throw new Error(`the store's log already has a revision after ${newest}`);
    }
    this.#checked = tables;
  }
}

/** A group on its way to the disk. */
interface GroupRun {
  /** The operations; none until they are taken from the queue. */
  group: Pending[];
  /** The group with its writes; undefined while the operations are executed. */
  prepared: PreparedGroup | undefined;
}

/** A group whose operations have been executed. */
interface PreparedGroup {
  readonly outcomes: readonly Outcome[];
  readonly writes: PendingWrites;
  /** The number of commits that the operations have seen. */
  readonly commitsBefore: number | undefined;
  readonly commit: Commit;
}

/** Writes a group, unless somebody else has written since it was executed: then resolves to false. */
function writeIfFirst(tables: Tables, { writes, commitsBefore }: PreparedGroup): boolean | Promise<boolean> {
  if (writes.isEmpty) {
    return true;
  }
  const { meta } = tables;
  const queue = (): void => writes.queue(tables);
  return commitsBefore === undefined
    ? meta.ifNoExists(commitsKey, queue)
    : meta.ifVersion(commitsKey, commitsBefore, queue);
}

/** The outcome of one operation of a group. */
interface Outcome {
  readonly result?: unknown;
  readonly damage?: StoreDamagedError;
}

function outcomeOf(operation: Operation<unknown>, group: OperationGroup): Outcome {
  try {
    return { result: operation(group) };
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
