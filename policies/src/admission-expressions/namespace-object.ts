import type { JsonObject } from "@gatehouse/envelopes/json";
import { intType, listType, mapType, objectType, stringType, timestampType } from "../cel/index.js";

const metadataType = objectType("kubernetes.NamespaceMetadata", {
  name: stringType,
  generateName: stringType,
  namespace: stringType,
  labels: mapType(stringType, stringType),
  annotations: mapType(stringType, stringType),
  // v1.29 declares the field under a name that no object has.
  UID: stringType,
  creationTimestamp: timestampType,
  deletionGracePeriodSeconds: intType,
  deletionTimestamp: timestampType,
  generation: intType,
  resourceVersion: stringType,
  finalizers: listType(stringType),
});

const conditionType = objectType("kubernetes.NamespaceCondition", {
  status: stringType,
  type: stringType,
  lastTransitionTime: timestampType,
  message: stringType,
  reason: stringType,
});

/** The type of the variable `namespaceObject`. */
export const namespaceType = objectType("kubernetes.Namespace", {
  metadata: metadataType,
  spec: objectType("kubernetes.NamespaceSpec", { finalizers: listType(stringType) }),
  status: objectType("kubernetes.NamespaceStatus", { conditions: listType(conditionType), phase: stringType }),
});

/** Members of a namespace that `namespaceObject` lacks. */
const hiddenMembers = new Set(["managedFields", "ownerReferences", "selfLink"]);

/** Returns a namespace as the variable `namespaceObject` shows it. Meant for `ObjectAccess.view`. */
export function namespaceObjectOf({ metadata, spec, status }: JsonObject): JsonObject {
  const members = Object.entries((metadata ?? {}) as JsonObject).filter(([name]) => !hiddenMembers.has(name));
  return { metadata: Object.fromEntries(members), spec: spec ?? {}, status: status ?? {} };
}
