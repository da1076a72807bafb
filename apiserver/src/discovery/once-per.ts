/**
 * A function of a value that computes its result when first asked about that value, and keeps it as long as the value
 * itself is held by somebody. What is made from parts of a snapshot so outlives the snapshot, where the parts do.
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
