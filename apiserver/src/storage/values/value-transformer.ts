/**
 * The translation between the values that the server works with and their form at rest: a serialization that other
 * programs share, or encryption. Both directions answer at once where they can; a promise is for what has to be asked of
 * another process.
 */
export interface ValueTransformer {
  /** True if no value is ever read through a promise; false when absent. */
  readonly isImmediate?: boolean;

  /** Returns the form at rest of the value of a key. Rejects or throws when it cannot be made; nothing is stored then. */
  toStored(key: string, value: Buffer): Buffer | Promise<Buffer>;

  /** Returns the value of a form at rest. Rejects or throws when it cannot be read. */
  fromStored(key: string, stored: Buffer): ReadValue | Promise<ReadValue>;

  /** True if all that can be read is in the form in which it would be written. */
  readonly isUniform?: boolean;
}

/** A value that has been read. */
export interface ReadValue {
  readonly value: Buffer;
  /** True if the value would be stored in another form now: by another key, or in another serialization. */
  readonly isStale: boolean;
}

/**
 * The error for a value that cannot be read or written now, since a process that has to be asked does not answer.
 * Transformers reject with it; whoever tries again later may succeed.
 */
export class ValueUnavailableError extends Error {
  override readonly name = "ValueUnavailableError";
}

/** Chains transformers: values pass them in order on their way to the store, and in reverse order on their way back. */
export function chainTransformers(transformers: readonly ValueTransformer[]): ValueTransformer {
  return transformers.reduce(chain);
}

function chain(first: ValueTransformer, second: ValueTransformer): ValueTransformer {
  return {
    isImmediate: first.isImmediate === true && second.isImmediate === true,
    toStored(key, value) {
      const stored = first.toStored(key, value);
      return stored instanceof Promise
        ? stored.then((buffer) => second.toStored(key, buffer))
        : second.toStored(key, stored);
    },
    isUniform: first.isUniform === true && second.isUniform === true,
    fromStored(key, stored) {
      const outer = second.fromStored(key, stored);
      return outer instanceof Promise
        ? outer.then((read) => readFurther(first, key, read))
        : readFurther(first, key, outer);
    },
  };
}

function readFurther(transformer: ValueTransformer, key: string, outer: ReadValue): ReadValue | Promise<ReadValue> {
  const inner = transformer.fromStored(key, outer.value);
  return inner instanceof Promise ? inner.then((read) => staleAs(read, outer)) : staleAs(inner, outer);
}

function staleAs(read: ReadValue, outer: ReadValue): ReadValue {
  return outer.isStale && !read.isStale ? { value: read.value, isStale: true } : read;
}
