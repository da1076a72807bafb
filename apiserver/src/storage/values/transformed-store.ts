import { StoreDamagedError, StoredValueUnavailableError, StoreUnwritableError } from "../../errors/errors.js";
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
import type { StoreCondition } from "../store-condition.js";
import { type ReadValue, type ValueTransformer, ValueUnavailableError } from "./value-transformer.js";

/**
 * Returns a store whose values lie in another one in the form that a transformer gives them. A value that the transformer
 * cannot read is a damaged one (StoreDamagedError): it hides no other. One that it cannot read now
 * (StoredValueUnavailableError) makes the whole read fail, which is to be tried again. Closing it closes the store behind
 * it.
 */
export function transformedStore(store: Store, transformer: ValueTransformer): Store {
  return new TransformedStore(store, transformer);
}

class TransformedStore implements Store {
  readonly #store: Store;
  readonly #transformer: ValueTransformer;
  /** Values of this process that are being written, by their form at rest: their events need not be read. */
  readonly #written = new WeakMap<Buffer, ReadValue>();
  readonly isStale: ((key: string) => Promise<boolean>) | undefined;

  constructor(store: Store, transformer: ValueTransformer) {
    this.#store = store;
    this.#transformer = transformer;
    this.isStale = transformer.isUniform === true ? undefined : (key) => this.#isStale(key);
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
        ...rest,
        afterRevision: position.revision,
        signal: restart.signal,
        ...(onCommitted === undefined ? {} : { onCommitted: takeCommitted }),
      });
      for await (const batch of watch) {
        if (restart.signal.aborted) {
          break;
        }
        const reading = this.#readBatch(batch);
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

  #readBatch(batch: WatchBatch): WatchBatch | Promise<WatchBatch> {
    const events = batch.events.map((event) => this.#readEvent(event));
    return events.some((event) => event instanceof Promise)
      ? Promise.all(events).then((read) => ({ events: read, revision: batch.revision }))
      : { events: events as StoreEvent[], revision: batch.revision };
  }

  #readEvent(event: StoreEvent): StoreEvent | Promise<StoreEvent> {
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
      throw new StoreDamagedError({ key, revision, detail: `it cannot be read: ${messageOf(cause)}` }, { cause });
    };
    try {
      const read = this.#transformer.fromStored(key, stored);
      return read instanceof Promise ? read.catch(unreadable) : read;
    } catch (error) {
      return unreadable(error);
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function byKey(a: StoreDamagedError, b: StoreDamagedError): number {
  return Buffer.compare(Buffer.from(a.key ?? ""), Buffer.from(b.key ?? ""));
}
