/** Starts work when its result is first wanted, and never again, unless it fails: then the next one tries anew. */
export function once<T>(start: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    if (result === undefined) {
      const started = start();
      result = started;
      started.catch(() => {
        if (result === started) {
          result = undefined;
        }
      });
    }
    return result;
  };
}
