import { StoreDamagedError, StoredValueUnavailableError, StoreUnwritableError } from "../../errors/errors.js";
import type { Keyspace } from "../keyspace.js";
import type {
  GetResult,
  KeyValue,
  PutOptions,
  RangeOptions,
  RangeResult,
  Store,
  StoreEvent,
  WatchBatch,
  WatchOptions,
  WriteResult,
} from "../store.js";
import { type StoreCondition, type StoreObserver, silentObserver } from "../store-condition.js";
import { type ReadValue, type ValueTransformer, ValueUnavailableError } from "./value-transformer.js";

/**
 * Returns a store whose values lie in another one in the form that a transformer gives them. A value that the transformer
 * cannot read is a damaged one (StoreDamagedError): it hides no other, and the observer is told of it. One that it cannot
 * read now (StoredValueUnavailableError) makes the whole read fail, which is to be tried again. Closing it closes the store
 * behind it.
 */
export function transformedStore(
  store: Store,
  transformer: ValueTransformer,
  observer: Pick<StoreObserver, "storeDamaged"> = silentObserver,
): Store {
  return new TransformedStore(store, transformer, observer);
}

/** Number of unreadable values that are remembered, so that each is told of once. */
const maxTold = 1000;

class TransformedStore implements Store {
  readonly #store: Store;
  readonly #transformer: ValueTransformer;
  /** Values of this process that are being written, by their form at rest: their events need not be read. */
  readonly #written = new WeakMap<Buffer, ReadValue>();
  readonly isStale: ((key: string) => Promise<boolean>) | undefined;
  readonly #observer: Pick<StoreObserver, "storeDamaged">;
  /** Keys and revisions of unreadable values that the observer has been told of. */
  readonly #told = new Set<string>();

  constructor(store: Store, transformer: ValueTransformer, observer: Pick<StoreObserver, "storeDamaged">) {
    this.#observer = observer;
    this.#store = store;
    this.#transformer = transformer;
    this.isStale = transformer.isUniform === true ? undefined : (key) => this.#isStale(key);
  }

  /** The keyspace of the store behind, if it has one: its values are those at rest, as etcd would have them. */
  get keyspace(): Keyspace | undefined {
    return this.#store.keyspace;
  }

  currentRevision(): number | Promise<number> {
    return this.#store.currentRevision();
  }

  async get(key: string, options?: { readonly revision?: number }): Promise<GetResult> {
    const result = await this.#store.get(key, options);
    return result.kv === undefined ? result : { revision: result.revision, kv: await this.#read(result.kv) };
  }

  async range(options: RangeOptions): Promise<RangeResult> {
    const result = await this.#store.range(options);
    const kvs: KeyValue[] = [];
    const damaged = [...result.damaged];
    for (const stored of result.kvs) {
      try {
        const kv = this.#read(stored);
        kvs.push(kv instanceof Promise ? await kv : kv);
      } catch (error) {
        if (error instanceof StoredValueUnavailableError) {
          throw error;
        }
        damaged.push(error as StoreDamagedError);
      }
    }
    return { ...result, kvs, damaged: damaged.length > result.damaged.length ? damaged.sort(byKey) : result.damaged };
  }

  async put(key: string, value: Buffer, options: PutOptions): Promise<WriteResult> {
    const stored = await this.#toStored(key, value);
    if (stored !== value) {
      this.#written.set(stored, { value, isStale: false });
    }
    return this.#readLoser(await this.#store.put(key, stored, options));
  }

  async delete(key: string, options: { readonly expectedRevision: number }): Promise<WriteResult> {
    return this.#readLoser(await this.#store.delete(key, options));
  }

  async *watch(options: WatchOptions): AsyncGenerator<WatchBatch> {
    const position = { revision: options.afterRevision };
    while (yield* this.#watchOnce(options, position)) {
      // The log has what could not be read at once.
    }
  }

  compact(revision: number): Promise<void> {
    return this.#store.compact(revision);
  }

  ping(): Promise<void> {
    return this.#store.ping();
  }

  condition(): StoreCondition {
    return this.#store.condition();
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.#store[Symbol.asyncDispose]();
  }

  /**
   * Watches until the signal aborts, or until a batch that came the short way cannot be read at once: the key of
   * one of its values has to be asked for. Returns true then: that batch and those after it are to be read from
   * the log.
   */
  async *#watchOnce(options: WatchOptions, position: { revision: number }): AsyncGenerator<WatchBatch, boolean> {
    const { onCommitted, signal } = options;
    if (signal.aborted) {
      return false;
    }
    const restart = new AbortController();
    const stop = (): void => restart.abort();
    signal.addEventListener("abort", stop, { once: true });
    const takeCommitted = (batch: WatchBatch): void => {
      const read = restart.signal.aborted ? undefined : this.#readBatch(batch);
      if (read instanceof Promise) {
        read.catch(() => {}); // It is read again, and throws then.
        restart.abort();
      } else if (read !== undefined) {
        position.revision = read.revision;
        onCommitted?.(read);
      }
    };
    try {
      const watch = this.#store.watch({
        ...options,
        afterRevision: position.revision,
        signal: restart.signal,
        ...(onCommitted === undefined ? {} : { onCommitted: takeCommitted }),
      });
      for await (const batch of watch) {
        if (restart.signal.aborted) {
          break;
        }
        const read = await this.#readBatch(batch);
        position.revision = read.revision;
        yield read;
      }
      return restart.signal.aborted && !signal.aborted;
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  #readBatch(batch: WatchBatch): WatchBatch | Promise<WatchBatch> {
    const events = batch.events.map((event) => this.#readEvent(event));
    return events.some((event) => event instanceof Promise)
      ? Promise.all(events).then((read) => ({ events: read, revision: batch.revision }))
      : { events: events as StoreEvent[], revision: batch.revision };
  }

  #readEvent(event: StoreEvent): StoreEvent | Promise<StoreEvent> {
    if (this.#transformer.isImmediate === true) {
      return this.#readEventAtOnce(event);
    }
    const previous = event.previous === undefined ? undefined : this.#read(event.previous);
    if (event.type === "delete") {
      return previous instanceof Promise
        ? previous.then((kv) => ({ ...event, previous: kv }))
        : { ...event, previous: previous as KeyValue };
    }
    const value = this.#readValue(event.key, event.revision, event.value);
    return value instanceof Promise || previous instanceof Promise
      ? Promise.all([value, previous]).then(([read, kv]) => ({ ...event, value: read.value, previous: kv }))
      : { ...event, value: value.value, previous };
  }

  /** Reads a change whose former value is read only when it is asked for: a cache that is up to date has it already. */
  #readEventAtOnce(event: StoreEvent): StoreEvent {
    const previous = event.previous === undefined ? undefined : this.#readLater(event.previous);
    if (event.type === "delete") {
      return { ...event, previous: previous as KeyValue };
    }
    const { value } = this.#readValue(event.key, event.revision, event.value) as ReadValue;
    return { ...event, value, previous };
  }

  #readLater({ key, createRevision, modRevision, value: stored }: KeyValue): KeyValue {
    const read = (): Buffer => (this.#readValue(key, modRevision, stored) as ReadValue).value;
    let value: Buffer | undefined;
    return {
      key,
      createRevision,
      modRevision,
      get value() {
        value ??= read();
        return value;
      },
    };
  }

  #readLoser(result: WriteResult): WriteResult | Promise<WriteResult> {
    if (result.succeeded || result.current === undefined) {
      return result;
    }
    const current = this.#read(result.current);
    return current instanceof Promise
      ? current.then((kv) => ({ succeeded: false, current: kv }))
      : { succeeded: false, current };
  }

  #read(kv: KeyValue): KeyValue | Promise<KeyValue> {
    const read = this.#readValue(kv.key, kv.modRevision, kv.value);
    return read instanceof Promise
      ? read.then(({ value }) => ({ ...kv, value }))
      : read.value === kv.value
        ? kv
        : { ...kv, value: read.value };
  }

  async #isStale(key: string): Promise<boolean> {
    const { kv } = await this.#store.get(key);
    return kv !== undefined && (await this.#transformer.fromStored(key, kv.value)).isStale;
  }

  async #toStored(key: string, value: Buffer): Promise<Buffer> {
    try {
      return await this.#transformer.toStored(key, value);
    } catch (error) {
      throw new StoreUnwritableError(messageOf(error), { cause: error });
    }
  }

  #readValue(key: string, revision: number, stored: Buffer): ReadValue | Promise<ReadValue> {
    const written = this.#written.get(stored);
    if (written !== undefined) {
      return written;
    }
    const unreadable = (cause: unknown): never => {
      if (cause instanceof ValueUnavailableError) {
        throw new StoredValueUnavailableError({ key, revision, detail: messageOf(cause) }, { cause });
      }
      const error = new StoreDamagedError(
        { key, revision, detail: `it cannot be read: ${messageOf(cause)}` },
        { cause },
      );
      this.#tell(error);
      throw error;
    };
    try {
      const read = this.#transformer.fromStored(key, stored);
      return read instanceof Promise ? read.catch(unreadable) : read;
    } catch (error) {
      return unreadable(error);
    }
  }

  #tell(error: StoreDamagedError): void {
    const what = `${error.key} ${error.revision}`;
    if (!this.#told.has(what)) {
      if (this.#told.size === maxTold) {
        this.#told.clear();
      }
      this.#told.add(what);
      this.#observer.storeDamaged(error);
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function byKey(a: StoreDamagedError, b: StoreDamagedError): number {
  return Buffer.compare(Buffer.from(a.key ?? ""), Buffer.from(b.key ?? ""));
}
