import { type DefaultingRules, rulesOf } from "../../defaults/defaulting-rule.js";
import { textAt } from "../../json/json-fields.js";
import { ownObject } from "../../json/own-members.js";

/** Defaults of Namespace: the label with its own name, by which selectors find it (KEP-2161). */
export const namespaceDefaults: DefaultingRules = rulesOf("k8s.io.api.core.v1", {
  Namespace(namespace) {
    const name = textAt(namespace, "metadata", "name");
    if (name !== "") {
      ownObject(ownObject(namespace, "metadata"), "labels")["kubernetes.io/metadata.name"] = name;
    }
  },
});
