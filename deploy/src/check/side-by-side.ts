/** The number of documents that are put to the server at a time. */
const width = 16;

/**
 * Calls `work` with each item, some side by side; items of one key one after another, in their order. Resolves to the
 * results in the order of the items.
 */
export async function sideBySide<T, R>(
  items: readonly T[],
  keyOf: (item: T) => string,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: Promise<R>[] = [];
  const lastOfKey = new Map<string, Promise<R>>();
  const next = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of next) {
      const before = lastOfKey.get(keyOf(item));
      const result = before === undefined ? work(item) : before.then(() => work(item));
      lastOfKey.set(keyOf(item), result);
      results[index] = result;
      await result;
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  return await Promise.all(results);
}
