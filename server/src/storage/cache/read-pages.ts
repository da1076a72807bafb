import type { KeyValue, Store } from "../store.js";

/** So that neither the store's answer nor its garbage needs as much memory as the whole resource. */
const pageKeys = 2000;

export interface StorePage {
  readonly revision: number;
  readonly kvs: readonly KeyValue[];
}

/** Everything under a prefix at one revision (the newest when none is given), in key order. */
export async function* readPages(store: Store, prefix: string, revision?: number): AsyncGenerator<StorePage> {
  let options: { startKey: string; revision?: number } = {
    startKey: prefix,
    ...(revision === undefined ? {} : { revision }),
  };
  for (;;) {
    const page = await store.range({ prefix, limit: pageKeys, ...options });
    yield page;
    const last = page.kvs.at(-1);
    if (page.remaining === 0 || last === undefined) {
      return;
    }
    options = { startKey: `${last.key}\0`, revision: page.revision };
  }
}
