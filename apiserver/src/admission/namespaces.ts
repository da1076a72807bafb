import { type JsonObject, textAt } from "@gatehouse/envelopes/json";
import { notFound } from "@gatehouse/envelopes/status";
import { metaOf } from "../objects/object-meta.js";
import type { MaybePromise } from "../request/handler.js";
import type { AdmissionAttributes } from "./attributes.js";
import type { ObjectAccess, ObjectView } from "./object-access.js";

/** The facts about a namespace that plugins use. */
export interface NamespaceFacts {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly isTerminating: boolean;
}

export const namespacesResource = Object.freeze({ group: "", resource: "namespaces" });

/** Returns a view of the namespaces by name: `get("", name)`. */
export function namespaceView(objects: ObjectAccess): ObjectView<NamespaceFacts> {
  return objects.view(namespacesResource, factsOf);
}

function factsOf(namespace: JsonObject): NamespaceFacts {
  const { labels, annotations } = metaOf(namespace);
  return {
    labels: labels ?? {},
    annotations: annotations ?? {},
    isTerminating: textAt(namespace, "status", "phase") === "Terminating",
  };
}

/** Calls a step with the facts about the namespace of a write; after a fresh read if the cache does not know it. */
export function withNamespace<T>(
  namespaces: ObjectView<T>,
  attributes: AdmissionAttributes,
  step: (known: T) => void,
): MaybePromise<void> {
  const known = namespaces.get("", attributes.namespace);
  return known === undefined ? afterFreshRead(namespaces, attributes, step) : step(known);
}

/**
 * Calls a step with the facts about the namespace of a write, after the cache has caught up with the store. Rejects
 * with 404 when there is no such namespace.
 */
export async function afterFreshRead<T>(
  namespaces: ObjectView<T>,
  { namespace, signal }: AdmissionAttributes,
  step: (known: T) => void,
): Promise<void> {
  await namespaces.catchUp(signal, { namespace: "", name: namespace });
  const fresh = namespaces.get("", namespace);
  if (fresh === undefined) {
    throw notFound(namespacesResource, namespace);
  }
  step(fresh);
}
