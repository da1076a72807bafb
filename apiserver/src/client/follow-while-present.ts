/** Things that come and go, each known by a key. */
export interface Followable<Key, Thing> {
  /** Returns all that are there. */
  current(): ReadonlyMap<Key, Thing>;
  /** Calls `listener` after every change, until the result is disposed of. */
  onChange(listener: () => void): Disposable;
}

/**
 * Calls `begin` with each thing that is there or comes later, and with a signal that aborts when it goes or `signal` aborts.
 * Returns those that are followed, as they are at any time.
 */
export function followWhilePresent<Key, Thing>(
  { current, onChange }: Followable<Key, Thing>,
  begin: (thing: Thing, present: AbortSignal) => void,
  signal: AbortSignal,
): ReadonlyMap<Key, AbortController> {
  const followed = new Map<Key, AbortController>();
  const follow = (): void => {
    const things = current();
    for (const [key, controller] of followed) {
      if (!things.has(key)) {
        followed.delete(key);
        controller.abort();
      }
    }
    for (const [key, thing] of things) {
      if (!followed.has(key)) {
        const controller = new AbortController();
        followed.set(key, controller);
        begin(thing, controller.signal);
      }
    }
  };
  if (signal.aborted) {
    return followed;
  }
  const listening = onChange(follow);
  const end = (): void => {
    listening[Symbol.dispose]();
    for (const controller of followed.values()) {
      controller.abort();
    }
  };
  signal.addEventListener("abort", end, { once: true });
  follow();
  return followed;
}
