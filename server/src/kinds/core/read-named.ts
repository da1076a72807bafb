import type { ServedResource } from "@gatehouse/apiserver/registry";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { notFound } from "@gatehouse/envelopes/status";

/** Reads an object from the store. Rejects with 404 when there is none. */
export async function readNamed(served: ServedResource, namespace: string, name: string): Promise<JsonObject> {
  const object = await findNamed(served, namespace, name);
  if (object === undefined) {
    throw notFound(served, name);
  }
  return object;
}

/** Reads an object from the store; undefined when there is none. */
export async function findNamed(
  served: ServedResource | undefined,
  namespace: string,
  name: string,
): Promise<JsonObject | undefined> {
  const entry = await served?.storage.read(served.storage.keyOf(namespace, name));
  return entry === undefined ? undefined : served?.form.decode(entry);
}
