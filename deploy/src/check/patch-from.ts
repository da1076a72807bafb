import { isJsonObject, type JsonObject } from "@gatehouse/envelopes/json";

/** Returns the patch by which `kubectl apply` turns an object that it has applied into the next one: what is gone is null. */
export function patchFrom(previous: JsonObject, next: JsonObject): JsonObject {
  const gone = Object.keys(previous).filter((name) => !Object.hasOwn(next, name));
  const members = Object.entries(next).map(([name, value]) => {
    const before = Object.hasOwn(previous, name) ? previous[name] : undefined;
    return [name, isJsonObject(value) && isJsonObject(before) ? patchFrom(before, value) : value] as const;
  });
  return Object.fromEntries([...gone.map((name) => [name, null] as const), ...members]);
}
