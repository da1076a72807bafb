// Values inside of objects: where they are, and the same object with another one.

/** Value that stands for leaving the member out. */
export const absent = Symbol("absent");

/** The value at a path; undefined when a step is missing. */
export function at(object, path) {
  return path.reduce((value, key) => value?.[key], object);
}

/** A copy with another value at a path. Objects on the way are made where they are missing. */
export function withValue(object, path, value) {
  if (path.length === 0) {
    return value;
  }
  const [key, ...rest] = path;
  const copy = Array.isArray(object) ? [...object] : { ...object };
  const next = rest.length === 0 ? value : withValue(copy[key] ?? {}, rest, value);
  if (next === absent) {
    delete copy[key];
    return Array.isArray(copy) ? copy.filter((_, index) => String(index) !== String(key)) : copy;
  }
  copy[key] = next;
  return copy;
}

/** Every value inside of one, with its path. */
export function* pathsOf(value, path = []) {
  if (value !== null && typeof value === "object") {
    for (const key of Object.keys(value)) {
      yield [[...path, key], value[key]];
      yield* pathsOf(value[key], [...path, key]);
    }
  }
}
