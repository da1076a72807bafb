import type { ObjectClient, Source } from "@gatehouse/apiserver/client";
import type { CacheEntry } from "@gatehouse/apiserver/storage";
import { textAt } from "@gatehouse/envelopes/json";
import { namespaces } from "../core-resources.js";

const activeMark = Buffer.from('"phase":"Active"');

/** Namespaces as sources of work: those that can be written to, by name. */
export const activeNamespaces: Source = {
  resource: namespaces,
  keyOf: ({ name, entry }, event) => (event !== "DELETED" && entry.bytes.includes(activeMark) ? name : undefined),
};

/** Reports whether objects can be created in a namespace, as far as the cache knows. */
export function isActiveNamespace(client: ObjectClient, name: string): boolean {
  const entry = client.cached(namespaces, "", name);
  return entry !== undefined && isActive(entry);
}

function isActive(entry: CacheEntry): boolean {
  return entry.bytes.includes(activeMark) && textAt(entry.object(), "status", "phase") === "Active";
}
