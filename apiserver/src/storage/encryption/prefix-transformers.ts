import { goAggregate } from "@gatehouse/envelopes/go";
import { startsWith } from "../values/identity.js";
import type { ReadValue } from "../values/value-transformer.js";
import type { PartsTransformer, StoredParts } from "./ciphers/cipher.js";
import type { TransformationMetrics } from "./transformation-metrics.js";

/** A transformer whose values at rest begin with a prefix, empty for values that are stored as they are. */
export interface PrefixedTransformer {
  readonly prefix: string;
  readonly transformer: PartsTransformer;
}

/**
 * Returns a transformer that writes by the first of several transformers, with its prefix, and reads by the first one
 * whose prefix a value has and that can read it. What another than the first one has read is stale.
 */
export function prefixTransformers(
  list: readonly PrefixedTransformer[],
  options: PrefixTransformersOptions,
): PartsTransformer {
  return new PrefixTransformers(list, options);
}

/** The error text for values that have none of the prefixes, and the metrics of every transformation. */
export interface PrefixTransformersOptions {
  readonly noMatch: string;
  readonly metrics: TransformationMetrics;
}

interface Branch {
  readonly prefix: string;
  readonly prefixBytes: Buffer;
  readonly transformer: PartsTransformer;
}

class PrefixTransformers implements PartsTransformer {
  readonly #branches: readonly Branch[];
  readonly #writer: Branch;
  readonly #options: PrefixTransformersOptions;

  constructor(list: readonly PrefixedTransformer[], options: PrefixTransformersOptions) {
    this.#branches = list.map(({ prefix, transformer }) => ({ prefix, prefixBytes: Buffer.from(prefix), transformer }));
    const [writer] = this.#branches;
    if (writer === undefined) {
      throw new TypeError("a list of transformers must have one");
    }
    this.#writer = writer;
    this.#options = options;
  }

  toParts(key: string, value: Buffer): StoredParts | Promise<StoredParts> {
    const { metrics } = this.#options;
    const { prefix, prefixBytes, transformer } = this.#writer;
    const startMs = performance.now();
    const succeed = (parts: StoredParts): StoredParts => {
      metrics.record("to_storage", prefix, startMs, undefined);
      return prefixBytes.length === 0 ? parts : [prefixBytes, ...parts];
    };
    const fail = (error: unknown): never => {
      metrics.record("to_storage", prefix, startMs, error);
      throw error;
    };
    let parts: StoredParts | Promise<StoredParts>;
    try {
      parts = transformer.toParts(key, value);
    } catch (error) {
      return fail(error);
    }
    return parts instanceof Promise ? parts.then(succeed, fail) : succeed(parts);
  }

  fromStored(key: string, stored: Buffer): ReadValue | Promise<ReadValue> {
    return this.#read(key, stored, 0, []);
  }

  /** Tries the transformers from the `from`th on. `errors` are those of earlier ones. */
  #read(key: string, stored: Buffer, from: number, errors: unknown[]): ReadValue | Promise<ReadValue> {
    const startMs = performance.now();
    for (let index = from; index < this.#branches.length; index++) {
      const branch = this.#branches[index] as Branch;
      if (!startsWith(stored, branch.prefixBytes)) {
        continue;
      }
      try {
        const read = branch.transformer.fromStored(key, stored.subarray(branch.prefixBytes.length));
        if (read instanceof Promise) {
          return read.then(
            (value) => this.#succeed(value, index, startMs),
            (error: unknown) => {
              this.#noteFailure(branch, startMs, error, errors);
              return this.#read(key, stored, index + 1, errors);
            },
          );
        }
        return this.#succeed(read, index, startMs);
      } catch (error) {
        this.#noteFailure(branch, startMs, error, errors);
      }
    }
    throw this.#failure(startMs, errors);
  }

  #succeed(read: ReadValue, index: number, startMs: number): ReadValue {
    const { prefix } = this.#branches[index] as Branch;
    this.#options.metrics.record("from_storage", prefix === "" ? "identity" : prefix, startMs, undefined);
    return index === 0 || read.isStale ? read : { value: read.value, isStale: true };
  }

  /** Notes a failure, unless it is that of a transformer without a prefix: another one may have encrypted the value. */
  #noteFailure({ prefix }: Branch, startMs: number, error: unknown, errors: unknown[]): void {
    if (prefix !== "") {
      this.#options.metrics.record("from_storage", prefix, startMs, error);
      errors.push(error);
    }
  }

  #failure(startMs: number, errors: readonly unknown[]): unknown {
    if (errors.length > 0) {
      return errors.length === 1 ? errors[0] : aggregate(errors);
    }
    const error = new Error(this.#options.noMatch);
    this.#options.metrics.record("from_storage", "unknown", startMs, error);
    return error;
  }
}

function aggregate(errors: readonly unknown[]): Error {
  const texts = errors.map((error) => (error instanceof Error ? error.message : String(error)));
  return new AggregateError(errors, goAggregate(texts));
}
