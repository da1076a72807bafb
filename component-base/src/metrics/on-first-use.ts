/**
 * Returns a function that makes its value with the first call and keeps it. For series that must not be shown before they have
 * a value.
 */
export function onFirstUse<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
