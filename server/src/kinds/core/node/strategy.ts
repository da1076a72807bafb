import type { JsonObject } from "@gatehouse/envelopes";
import type { ResourceStrategy } from "../../../catalogue/resource-definition.js";
import { isSet } from "../../../objects/json-fields.js";
import { ownObject } from "../../../objects/own-members.js";

/** Kubelets are no longer configured through their nodes; an old node keeps what it says about that. */
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
};

function dropMember(node: JsonObject, holder: "spec" | "status", name: string): void {
  if (isSet(node, holder, name)) {
    delete ownObject(node, holder)[name];
  }
}
