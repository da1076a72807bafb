import type { KindStrategy } from "@gatehouse/apiserver/registry";
import { isSet, type JsonObject, ownObject, textAt } from "@gatehouse/envelopes/json";
import { nodeValidation } from "./validation.js";

/**
 * The strategy of Node. Kubelets are no longer configured through nodes; only an old node keeps its configuration
 * source.
 */
export const nodeStrategy: KindStrategy = {
  validation: nodeValidation,
  warnings: nodeWarnings,
  metadata: { rechecks: "inValidation" },
  create: {
    // Nodes describe themselves: a kubelet sends the status with its new node.
    resetStatus: (node) => dropMember(node, "status", "config"),
    prepareForCreate: (node) => dropMember(node, "spec", "configSource"),
  },
  update: {
    prepareForUpdate(node, old) {
      if (!isSet(old, "spec", "configSource")) {
        dropMember(node, "spec", "configSource");
      }
    },
  },
  status: {
    prepareForUpdate(node, old) {
      if (!isSet(old, "status", "config")) {
        dropMember(node, "status", "config");
      }
    },
  },
};

/** Returns the warnings about a node. A configuration source is present only if the stored node has one. */
function nodeWarnings(node: JsonObject): readonly string[] {
  return [
    ...(isSet(node, "spec", "configSource") ? ["spec.configSource: the feature is removed"] : []),
    ...(textAt(node, "spec", "externalID") === ""
      ? []
      : ["spec.externalID: this field is deprecated, and is unused by Kubernetes"]),
  ];
}

function dropMember(node: JsonObject, holder: "spec" | "status", name: string): void {
  if (isSet(node, holder, name)) {
    delete ownObject(node, holder)[name];
  }
}
