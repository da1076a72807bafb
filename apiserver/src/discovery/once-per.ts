/**
 * Returns a function that computes its result for a value once, and keeps it as long as the value is reachable. Results
 * for parts of a snapshot so outlive the snapshot, if the parts do.
 */
export function oncePer<K extends object, V>(make: (value: K) => V): (value: K) => V {
  const made = new WeakMap<K, { readonly result: V }>();
  return (value) => {
    let known = made.get(value);
    if (known === undefined) {
      known = { result: make(value) };
      made.set(value, known);
    }
    return known.result;
  };
}
