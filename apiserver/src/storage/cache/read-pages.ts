import type { RangeResult, Store } from "../store.js";
import { ValueMemory } from "../value-memory.js";

/** Keys of a page, so that neither the store's answer nor its garbage needs as much memory as the whole resource. */
const pageKeys = 2000;

/** A page of the keys and values under a prefix. */
export type StorePage = Pick<RangeResult, "revision" | "kvs" | "damaged">;

/** The revision to read, the newest by default, and the memory for values. */
export interface ReadPagesOptions {
  readonly revision?: number;
  /** True for values that are valid until the next page is asked for. Default: they remain valid. */
  readonly reusesMemory?: boolean;
}

/** Yields the keys and values under a prefix at one revision, in key order. */
export async function* readPages(
  store: Store,
  prefix: string,
  { revision, reusesMemory = false }: ReadPagesOptions = {},
): AsyncGenerator<StorePage> {
  const memory = reusesMemory ? new ValueMemory() : undefined;
  let options: { startKey: string; revision?: number } = {
    startKey: prefix,
    ...(revision === undefined ? {} : { revision }),
  };
  for (;;) {
    memory?.reuse();
    const page = await store.range({ prefix, limit: pageKeys, ...options, ...(memory && { memory }) });
    yield page;
    const last = lastKey(page);
    if (!page.more || last === undefined) {
      return;
    }
    options = { startKey: `${last}\0`, revision: page.revision };
  }
}

function lastKey({ kvs, damaged }: StorePage): string | undefined {
  const whole = kvs.at(-1)?.key;
  const other = damaged.at(-1)?.key;
  if (whole === undefined || other === undefined) {
    return whole ?? other;
  }
  return Buffer.compare(Buffer.from(whole), Buffer.from(other)) > 0 ? whole : other;
}
