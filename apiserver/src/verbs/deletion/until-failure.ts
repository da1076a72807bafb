/**
 * Runs a task for every item, so many at a time, until one fails: then no other is begun, those under way are waited for,
 * and the first error is thrown.
 */
export async function eachUntilFailure<T>(
  items: Iterable<T>,
  limit: number,
  task: (item: T) => Promise<void>,
): Promise<void> {
  const errors: unknown[] = [];
  const queue = items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    while (errors.length === 0) {
      const next = queue.next();
      if (next.done === true) {
        return;
      }
      try {
        await task(next.value);
      } catch (error) {
        errors.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: limit }, worker));
  if (errors.length > 0) {
    throw errors[0];
  }
}
