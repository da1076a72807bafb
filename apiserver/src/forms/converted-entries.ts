import { encodeJson } from "@gatehouse/envelopes/codec";
import type { JsonObject } from "@gatehouse/envelopes/json";
import type { StepContext } from "@gatehouse/envelopes/scheduling";
import type { CacheEntry } from "../storage/cache/cache-entry.js";
import { restamp } from "../storage/cache/resource-version-bytes.js";
import type { UnstructuredConversion } from "./unstructured-conversion.js";

/** Limits of one call of a converter: the entries, and about how many bytes they may have together. */
const maxEntriesAtOnce = 500;
const maxBytesAtOnce = 4 * 1024 * 1024;

/** The bytes of entries in a served version, for entries whose own bytes may be others. Kept as long as the entries. */
export class ConvertedEntries {
  readonly #conversion: UnstructuredConversion;
  /** `same` where the bytes are those of the entry. */
  readonly #bytes = new WeakMap<CacheEntry, Buffer | "same">();

  constructor(conversion: UnstructuredConversion) {
    this.#conversion = conversion;
  }

  /** Reports whether an entry, or the one that it repeats at another revision, has been converted. */
  has(entry: CacheEntry): boolean {
    return this.#bytes.has(entry) || this.#bytes.has(entry.original);
  }

  /** Returns the bytes of an entry. Throws if it has not been converted. */
  bytesOf(entry: CacheEntry): Buffer {
    const known = this.#bytes.get(entry);
    if (known !== undefined) {
      return known === "same" ? entry.bytes : known;
    }
    const { original } = entry;
    const bytes = this.#bytes.get(original);
    if (bytes === undefined) {
      throw new Error(`the entry ${entry.key} is shown before it has been converted`);
    }
    return bytes === "same" ? entry.bytes : restamp(bytes, original.revision, entry.revision);
  }

  /** Converts entries, several with each call of the converter. */
  async convert(entries: readonly CacheEntry[], context?: StepContext): Promise<void> {
    let batch: CacheEntry[] = [];
    let current: JsonObject[] = [];
    let bytesAtOnce = 0;
    for (const [index, entry] of entries.entries()) {
      await context?.yield();
      const { object, addedBytes } = this.#conversion.toCurrentSchema(entry.object());
      batch.push(entry);
      current.push(object);
      bytesAtOnce += entry.length + addedBytes;
      const isLast = index === entries.length - 1;
      if (isLast || batch.length === maxEntriesAtOnce || bytesAtOnce > maxBytesAtOnce) {
        await this.#convertBatch(batch, current, context);
        batch = [];
        current = [];
        bytesAtOnce = 0;
      }
    }
  }

  async #convertBatch(
    entries: readonly CacheEntry[],
    current: readonly JsonObject[],
    context: StepContext | undefined,
  ): Promise<void> {
    const objects = await this.#conversion.toServed(current, context?.signal);
    for (const [index, object] of objects.entries()) {
      await context?.yield();
      const shown = object === current[index] ? object : this.#conversion.prune(object);
      await context?.yield();
      const bytes = Buffer.from(encodeJson(shown));
      const entry = entries[index] as CacheEntry;
      this.#bytes.set(entry, bytes.equals(entry.bytes) ? "same" : bytes);
    }
  }
}
