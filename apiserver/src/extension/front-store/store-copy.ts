import { HttpClientError } from "@gatehouse/component-base/errors";
import { pause, unlessAborted } from "@gatehouse/component-base/time";
import { integerAt, type JsonObject, textAt } from "@gatehouse/envelopes/json";
import { StatusError } from "@gatehouse/envelopes/status";
import { StoreTimeoutError, StoreUnavailableError, StoreUnusableError } from "../../errors/errors.js";
import { MemoryData, newValueTree, type StoreImage } from "../../storage/memory/index.js";
import { SharedRequests } from "../../storage/shared-requests.js";
import type { KeyValue } from "../../storage/store.js";
import type { StoreObserver } from "../../storage/store-condition.js";
import type { FrontEvent } from "../front-client.js";
import { type BackingObjects, type ObjectVersion, storeErrorOf, versionOf } from "./backing-objects.js";
import { decodeHead, encodeHead, type Head, revisionAfter, type StoredHead, sequenceOf } from "./head.js";
import { decodeRecord } from "./record.js";
import { Records } from "./records.js";

/** The parts that a copy needs. */
export interface StoreCopyOptions {
  readonly objects: BackingObjects;
  /** The name of the store, which is that of its head. */
  readonly store: string;
  readonly observer: StoreObserver;
  /** Called with failures of which no caller learns. */
  readonly onTrouble: (error: unknown) => void;
  readonly signal: AbortSignal;
}

/** A store as a list of its objects has it. */
interface Loaded {
  readonly head: StoredHead;
  readonly image: StoreImage;
  readonly versions: ReadonlyMap<string, ObjectVersion>;
  readonly abandoned: Head["abandoned"];
  /** The resource version of the list. */
  readonly resourceVersion: string;
}

const firstDelayMs = 200;
const longestDelayMs = 10_000;
/** The time in milliseconds for which a reader waits for changes that the head is known to have. */
const catchUpMs = 10_000;

/**
 * The content of a store that lies in front, in memory: loaded once, and then led on by a watch of the head, of which
 * every version has a batch of changes.
 */
export class StoreCopy {
  readonly data: MemoryData;
  readonly records: Records;
  readonly #options: StoreCopyOptions;
  readonly #reads: SharedRequests<number>;
  readonly #waiting = new Set<() => void>();
  #head: StoredHead;
  #abandoned: Head["abandoned"];
  #watchedTo: string;
  #awaited: { readonly batch: string; isSeen: boolean } | undefined;
  #reloads = 0;
  /** Ends the pause before the next watch, for readers who have learned that the front has more. */
  #hurry = new AbortController();
  #isLost = false;

  /** Loads a store, which is founded where there is none. Rejects when the objects are not those of one store. */
  static async open(options: StoreCopyOptions): Promise<StoreCopy> {
    const copy = new StoreCopy(options, (await load(options)) ?? (await found(options)));
    void copy.#follow();
    return copy;
  }

  private constructor(options: StoreCopyOptions, loaded: Loaded) {
    this.#options = options;
    this.data = new MemoryData(loaded.image);
    this.records = new Records(options.objects, options.store);
    this.records.restart(loaded.versions);
    this.#head = loaded.head;
    this.#abandoned = loaded.abandoned;
    this.#watchedTo = loaded.resourceVersion;
    this.#reads = new SharedRequests(() => this.#readSequence());
  }

  /** The newest head that is known; all its changes are in `data`. */
  get head(): StoredHead {
    return this.#head;
  }

  /** Records that processes have left behind which ended before they could commit a key. */
  get abandoned(): Head["abandoned"] {
    return this.#abandoned;
  }

  /** The number of times that changes have been missed, so that all was loaded anew. */
  get reloads(): number {
    return this.#reloads;
  }

  /** Resolves when everything is known that had been committed before the call. */
  async catchUp(): Promise<void> {
    const sequence = await this.#reads.ask();
    if (sequence <= this.#head.sequence) {
      return;
    }
    const head = await this.#options.objects.get(this.#options.store);
    if (head !== undefined) {
      this.take(decodeHead(head));
    }
    if (sequence > this.#head.sequence) {
      await this.#arrives(sequence);
    }
  }

  /** Reads whether the head can be read. */
  async ping(timeoutMs: number): Promise<void> {
    this.#checkHead(await this.#options.objects.tryMetadata(this.#options.store, timeoutMs));
  }

  /** Begins to look whether a batch is seen, whose writer may not have had an answer. */
  await(batch: string): void {
    this.#awaited = { batch, isSeen: false };
  }

  /** True if the batch that is looked for has been committed. */
  get hasSeenAwaited(): boolean {
    return this.#awaited?.isSeen ?? false;
  }

  /** Takes the changes of a head. Returns false when some before them are missing. */
  take(head: StoredHead): boolean {
    if (head.sequence <= this.#head.sequence) {
      return true;
    }
    const { data } = this;
    if (head.fromRevision !== data.revision) {
      return false;
    }
    // The head first: who is told of a change may look at it.
    this.#head = head;
    if (this.#awaited?.batch === head.batch) {
      this.#awaited.isSeen = true;
    }
    const gone = new Set(head.abandoned.map(({ uid }) => uid));
    this.#abandoned = this.#abandoned.filter(({ uid }) => !gone.has(uid));
    for (const { key, uid, value, expiresAtMs } of head.changes) {
      this.records.learn(key, uid, value === undefined);
      const expectedRevision = data.get(key, data.revision)?.modRevision ?? 0;
      if (value === undefined) {
        data.delete(key, expectedRevision);
      } else {
        data.put({ key, value, expectedRevision, expiresAtMs });
      }
    }
    data.compact(Math.min(head.compactRevision, data.revision));
    this.#wake();
    return true;
  }

  async #readSequence(): Promise<number> {
    const { objects, store } = this.#options;
    return this.#checkHead(await objects.getMetadata(store));
  }

  #checkHead(metadata: JsonObject | undefined): number {
    const { objects, store } = this.#options;
    const head = `the ${objects.kind} ${store}, which is the head of the store,`;
    if (metadata === undefined) {
      throw new StoreUnavailableError(`${head} is gone`);
    }
    if (versionOf(metadata).uid !== this.#head.version.uid) {
      throw new StoreUnavailableError(`${head} is not the same any more`);
    }
    return sequenceOf(metadata);
  }

  async #arrives(sequence: number): Promise<void> {
    const { signal } = this.#options;
    const timeout = AbortSignal.timeout(catchUpMs);
    const either = AbortSignal.any([signal, timeout]);
    this.#hurry.abort();
    while (this.#head.sequence < sequence) {
      let wake = (): void => {};
      const change = new Promise<void>((resolve) => {
        wake = resolve;
      });
      this.#waiting.add(wake);
      try {
        await unlessAborted(change, either);
      } catch (cause) {
        throw timeout.aborted ? new StoreTimeoutError({ cause }) : cause;
      } finally {
        this.#waiting.delete(wake);
      }
    }
  }

  #wake(): void {
    for (const wake of this.#waiting) {
      wake();
    }
  }

  async #follow(): Promise<void> {
    const { objects, store, signal, observer, onTrouble } = this.#options;
    let delayMs = firstDelayMs;
    let hasMissed = false;
    while (!signal.aborted) {
      const startedAt = performance.now();
      try {
        if (hasMissed) {
          await this.#reload();
          hasMissed = false;
        }
        if (this.#isLost) {
          // Not catchUp(), which would wait for what the watch is about to bring.
          await this.#reads.ask();
          this.#isLost = false;
          observer.storeRecovered();
        }
        await objects.watch(store, this.#watchedTo, (event) => this.#apply(event));
      } catch (error) {
        if (signal.aborted) {
          return;
        }
        if (isMissed(error)) {
          hasMissed = true;
        } else {
          const trouble = storeErrorOf(error);
          if (!this.#isLost && trouble instanceof StoreUnavailableError) {
            this.#isLost = true;
            observer.storeLost(trouble);
          } else if (!this.#isLost) {
            onTrouble(trouble);
          }
        }
      }
      const isAwaited = this.#waiting.size > 0;
      delayMs = isAwaited || performance.now() - startedAt > longestDelayMs ? firstDelayMs : delayMs;
      this.#hurry = new AbortController();
      await pause(delayMs * (1 + Math.random() * 0.2), AbortSignal.any([signal, this.#hurry.signal]));
      delayMs = this.#hurry.signal.aborted ? firstDelayMs : Math.min(delayMs * 2, longestDelayMs);
    }
  }

  #apply({ type, object }: FrontEvent): void {
    if (type === "ERROR") {
      throw new StatusError(Number(integerAt(object, "code")), textAt(object, "reason"), textAt(object, "message"));
    }
    if (type === "DELETED") {
      throw new StoreUnavailableError(
        `the ${textAt(object, "kind")} ${this.#options.store}, the head of the store, is gone`,
      );
    }
    if (type !== "BOOKMARK" && !this.take(decodeHead(object))) {
      throw new MissedChangesError();
    }
    this.#watchedTo = versionOf(object).resourceVersion;
  }

  async #reload(): Promise<void> {
    const loaded = await load(this.#options);
    if (loaded === undefined || loaded.head.version.uid !== this.#head.version.uid) {
      throw new StoreUnavailableError("the head of the store is gone, or is not the same any more");
    }
    this.#watchedTo = loaded.resourceVersion;
    if (this.take(loaded.head)) {
      return;
    }
    this.#head = loaded.head;
    this.#abandoned = loaded.abandoned;
    this.#reloads++;
    this.records.restart(loaded.versions);
    this.data.restart(loaded.image);
    this.#wake();
  }
}

/** The error for a head between which and the one before there were others. Thrown to the watch, which then loads anew. */
class MissedChangesError extends Error {
  override readonly name = "MissedChangesError";
}

function isMissed(error: unknown): boolean {
  const cause = error instanceof HttpClientError ? error.cause : error;
  return (
    cause instanceof MissedChangesError ||
    (cause instanceof StatusError && (cause.code === 410 || cause.reason === "Expired"))
  );
}

/** Loads a store from a list of its objects. Undefined when there are none. */
async function load({ objects, store }: StoreCopyOptions): Promise<Loaded | undefined> {
  let head: StoredHead | undefined;
  const kvs = new Map<string, KeyValue>();
  const versions = new Map<string, ObjectVersion>();
  const placeholders = new Map<string, string>();
  const resourceVersion = await objects.list((object) => {
    if (textAt(object, "metadata", "name") === store) {
      head = decodeHead(object);
      return;
    }
    const { key, kv } = decodeRecord(object);
    versions.set(key, versionOf(object));
    if (kv === undefined) {
      placeholders.set(key, versionOf(object).uid);
    } else {
      kvs.set(key, kv);
    }
  });
  if (head === undefined) {
    if (versions.size > 0) {
      throw new StoreUnusableError(
        `the ${objects.kind} ${store}, the head of the store, is missing, though there are ${versions.size} of its keys`,
      );
    }
    return undefined;
  }
  addChanges(head, { kvs, versions, placeholders });
  const revision = revisionAfter(head);
  const tree = newValueTree();
  for (const [key, kv] of kvs) {
    if (kv.modRevision > revision) {
      throw new StoreUnusableError(
        `the key ${JSON.stringify(key)} has revision ${kv.modRevision}, though the head ${store} has come to ${revision} only`,
      );
    }
    tree.set(key, kv);
  }
  for (const key of placeholders.keys()) {
    versions.delete(key);
  }
  const abandoned = [...placeholders].map(([key, uid]) => ({ key, uid }));
  return { head, image: { revision, tree }, versions, abandoned, resourceVersion };
}

/** Adds the changes of a head to the keys where they are still missing. */
function addChanges(
  { fromRevision, changes }: Head,
  {
    kvs,
    versions,
    placeholders,
  }: {
    readonly kvs: Map<string, KeyValue>;
    readonly versions: Map<string, ObjectVersion>;
    readonly placeholders: Map<string, string>;
  },
): void {
  for (const [index, { key, value, expiresAtMs }] of changes.entries()) {
    const modRevision = fromRevision + 1 + index;
    const before = kvs.get(key);
    if (value === undefined) {
      kvs.delete(key);
      versions.delete(key);
      continue;
    }
    placeholders.delete(key);
    if (before === undefined || before.modRevision < modRevision) {
      const createRevision = before?.createRevision ?? modRevision;
      kvs.set(key, { key, value, createRevision, modRevision, ...(expiresAtMs !== undefined && { expiresAtMs }) });
    }
  }
}

/** Writes the first head of a store, unless another process has. */
async function found(options: StoreCopyOptions): Promise<Loaded> {
  const { objects, store } = options;
  const first = { sequence: 1, batch: "", fromRevision: 1, compactRevision: 1, changes: [], abandoned: [] };
  await objects.create(store, encodeHead(first));
  const loaded = await load(options);
  if (loaded === undefined) {
    throw new StoreUnusableError(`the ${objects.kind} ${store} exists, but does not belong to a store`);
  }
  return loaded;
}
