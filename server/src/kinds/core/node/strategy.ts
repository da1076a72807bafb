import type { ResourceStrategy } from "@gatehouse/apiserver/registry";
import { isSet, type JsonObject, ownObject, textAt } from "@gatehouse/envelopes/json";

/**
 * The strategy of Node. Kubelets are no longer configured through nodes; only an old node keeps its configuration
 * source.
 */
export const nodeStrategy: ResourceStrategy = {
  prepareForCreate(node) {
    dropMember(node, "spec", "configSource");
    dropMember(node, "status", "config");
  },
  prepareForUpdate(node, old) {
    if (!isSet(old, "spec", "configSource")) {
      dropMember(node, "spec", "configSource");
    }
  },
  prepareForStatusUpdate(node, old) {
    if (!isSet(old, "status", "config")) {
      dropMember(node, "status", "config");
    }
  },
  warnings: nodeWarnings,
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
