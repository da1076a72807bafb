import type { JsonObject } from "@gatehouse/envelopes";
import { textAt } from "../../objects/json-fields.js";
import { metaOf } from "../../objects/object-meta.js";
import type { ObjectAccess, ObjectView } from "../object-access.js";

/** What plugins want to know of a namespace. */
export interface NamespaceFacts {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly isTerminating: boolean;
}

export const namespacesResource = Object.freeze({ group: "", resource: "namespaces" });

/** The namespaces, by their names: `get("", name)`. */
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
