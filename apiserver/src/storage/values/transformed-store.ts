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
import { RecentValues } from "./recent-values.js";
import { messageOf, ValueReader } from "./value-reader.js";
import type { ValueTransformer } from "./value-transformer.js";

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

class TransformedStore implements Store {
  readonly #store: Store;
  readonly #transformer: ValueTransformer;
  readonly #recent = new RecentValues();
  readonly #reader: ValueReader;
  readonly isStale: ((key: string) => Promise<boolean>) | undefined;

  constructor(store: Store, transformer: ValueTransformer, observer: Pick<StoreObserver, "storeDamaged">) {
    this.#store = store;
    this.#transformer = transformer;
    this.#reader = new ValueReader({ transformer, recent: this.#recent, observer });
    this.isStale = transformer.isUniform === true ? undefined : (key) => this.#isStale(key);
  }

  /** The forms at rest, which is what etcd would see. */
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
    const made = this.#toStored(key, value);
    const stored = made instanceof Promise ? await made : made;
    if (stored !== value) {
      this.#recent.add(key, { stored, value });
    }
    const result = await this.#store.put(key, stored, options);
    return result.succeeded ? result : this.#readLoser(result);
  }

  async delete(key: string, options: { readonly expectedRevision: number }): Promise<WriteResult> {
    const result = await this.#store.delete(key, options);
    return result.succeeded ? result : this.#readLoser(result);
  }

  async *watch(options: WatchOptions): AsyncGenerator<WatchBatch> {
    const position = { revision: options.afterRevision };
    const { onCommitted } = options;
    // What cannot be read at once is read by iterating, which can wait, and which ends when it cannot be read.
    while (yield* this.#watchOnce(options, position, onCommitted)) {
      if (!(yield* this.#watchOnce(options, position, undefined))) {
        return;
      }
    }
  }

  compact(revision: number): Promise<void> {
    return this.#store.compact(revision);
  }

  ping(timeoutMs?: number): Promise<void> {
    return this.#store.ping(timeoutMs);
  }

  condition(): StoreCondition {
    return this.#store.condition();
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.#store[Symbol.asyncDispose]();
  }

  /**
   * Watches until the signal aborts, and returns false then. Returns true when it is to be continued in the other way:
   * with the short way, when a batch that came by it cannot be read at once, because the key of one of its values has to
   * be asked for; where the short way has been left out, when a batch could be read at once.
   */
  async *#watchOnce(
    options: WatchOptions,
    position: { revision: number },
    onCommitted: WatchOptions["onCommitted"],
  ): AsyncGenerator<WatchBatch, boolean> {
    const { onCommitted: shortWay, signal, ...rest } = options;
    if (signal.aborted) {
      return false;
    }
    const restart = new AbortController();
    const stop = (): void => restart.abort();
    signal.addEventListener("abort", stop, { once: true });
    const takeCommitted = (batch: WatchBatch): void => {
      const read = restart.signal.aborted ? undefined : this.#readBatch(batch, options);
      if (read instanceof Promise) {
        read.catch(() => {}); // It is read again, and throws then.
        restart.abort();
      } else if (read?.unreadable !== undefined) {
        restart.abort(); // The reader has to wait for something else before it goes on.
      } else if (read !== undefined) {
        position.revision = read.revision;
        onCommitted?.(read);
      }
    };
    try {
      const watch = this.#store.watch({
        ...rest,
        afterRevision: position.revision,
        signal: restart.signal,
        ...(onCommitted === undefined ? {} : { onCommitted: takeCommitted }),
      });
      for await (const batch of watch) {
        if (restart.signal.aborted) {
          break;
        }
        const reading = this.#readBatch(batch, options);
        const read = await reading;
        position.revision = read.revision;
        yield read;
        if (onCommitted !== shortWay && !(reading instanceof Promise)) {
          restart.abort();
        }
      }
      return restart.signal.aborted && !signal.aborted;
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  #readBatch(batch: WatchBatch, { isWanted, withUnreadable = false }: WatchOptions): WatchBatch | Promise<WatchBatch> {
    if (this.#transformer.isImmediate === true) {
      return { events: batch.events.map((event) => this.#readEventAtOnce(event)), revision: batch.revision };
    }
    const wanted = isWanted === undefined ? batch.events : batch.events.filter(({ key }) => isWanted(key));
    const read = withUnreadable
      ? wanted.map((event) => orUnreadable(event, (one) => this.#readEvent(one)))
      : wanted.map((event) => this.#readEvent(event));
    return read.some((event) => event instanceof Promise)
      ? Promise.all(read).then((events) => batchOf(events, batch.revision))
      : batchOf(read as ReadEvent[], batch.revision);
  }

  #readEvent(event: StoreEvent): StoreEvent | Promise<StoreEvent> {
    const previous = event.previous === undefined ? undefined : this.#read(event.previous);
    if (event.type === "delete") {
      return previous instanceof Promise
        ? previous.then((kv) => ({ ...event, previous: kv }))
        : { ...event, previous: previous as KeyValue };
    }
    const value = this.#reader.readChange(event.key, event.revision, event.value);
    return value instanceof Promise || previous instanceof Promise
      ? Promise.all([value, previous]).then(([read, kv]) => ({ ...event, value: read, previous: kv }))
      : { ...event, value, previous };
  }

  /** Reads a change whose former value is read only when it is asked for: a cache that is up to date has it already. */
  #readEventAtOnce(event: StoreEvent): StoreEvent {
    const previous = event.previous === undefined ? undefined : new UnreadKeyValue(event.previous, this.#reader);
    if (event.type === "delete") {
      return { ...event, previous: previous as KeyValue };
    }
    return { ...event, value: this.#reader.readChange(event.key, event.revision, event.value) as Buffer, previous };
  }

  async #readLoser(result: LostWrite): Promise<WriteResult> {
    return result.current === undefined ? result : { succeeded: false, current: await this.#read(result.current) };
  }

  #read(kv: KeyValue): KeyValue | Promise<KeyValue> {
    const value = this.#reader.read(kv.key, kv.modRevision, kv.value);
    if (value instanceof Promise) {
      return value.then((read) => ({ ...kv, value: read }));
    }
    return value === kv.value ? kv : { ...kv, value };
  }

  async #isStale(key: string): Promise<boolean> {
    const { kv } = await this.#store.get(key);
    return kv !== undefined && (await this.#transformer.fromStored(key, kv.value)).isStale;
  }

  #toStored(key: string, value: Buffer): Buffer | Promise<Buffer> {
    try {
      const stored = this.#transformer.toStored(key, value);
      return stored instanceof Promise ? stored.catch(failWrite) : stored;
    } catch (error) {
      return failWrite(error);
    }
  }
}

/** A change that was read, or the error in its place. */
type ReadEvent = StoreEvent | StoreDamagedError;

function orUnreadable(
  event: StoreEvent,
  read: (event: StoreEvent) => StoreEvent | Promise<StoreEvent>,
): ReadEvent | Promise<ReadEvent> {
  try {
    const made = read(event);
    return made instanceof Promise ? made.catch(unreadable) : made;
  } catch (error) {
    return unreadable(error);
  }
}

function unreadable(error: unknown): StoreDamagedError {
  if (error instanceof StoreDamagedError) {
    return error;
  }
  throw error;
}

function batchOf(read: readonly ReadEvent[], revision: number): WatchBatch {
  const events = read.filter((one): one is StoreEvent => !(one instanceof StoreDamagedError));
  const errors = read.filter((one) => one instanceof StoreDamagedError);
  return errors.length === 0 ? { events, revision } : { events, revision, unreadable: errors };
}

type LostWrite = Extract<WriteResult, { readonly succeeded: false }>;

/** A former value whose form at rest is read when it is first asked for. */
class UnreadKeyValue implements KeyValue {
  readonly key: string;
  readonly createRevision: number;
  readonly modRevision: number;
  readonly expiresAtMs?: number;
  readonly #stored: Buffer;
  readonly #reader: ValueReader;
  #value: Buffer | undefined;

  constructor({ key, createRevision, modRevision, value, expiresAtMs }: KeyValue, reader: ValueReader) {
    if (expiresAtMs !== undefined) {
      this.expiresAtMs = expiresAtMs;
    }
    this.key = key;
    this.createRevision = createRevision;
    this.modRevision = modRevision;
    this.#stored = value;
    this.#reader = reader;
  }

  get value(): Buffer {
    this.#value ??= this.#reader.read(this.key, this.modRevision, this.#stored) as Buffer;
    return this.#value;
  }
}

function failWrite(cause: unknown): never {
  throw new StoreUnwritableError(messageOf(cause), { cause });
}

function byKey(a: StoreDamagedError, b: StoreDamagedError): number {
  return Buffer.compare(Buffer.from(a.key ?? ""), Buffer.from(b.key ?? ""));
}
