import { type DefaultingFunctions, inPackage } from "../../defaults/defaulting-function.js";
import { textAt } from "../../json/json-fields.js";
import { ownObject } from "../../json/own-members.js";

/** Defaults of Namespace: the label with its own name, by which selectors find it (KEP-2161). */
export const namespaceDefaults: DefaultingFunctions = inPackage("k8s.io.api.core.v1", {
  Namespace(namespace) {
    const name = textAt(namespace, "metadata", "name");
    if (name !== "") {
      ownObject(ownObject(namespace, "metadata"), "labels")["kubernetes.io/metadata.name"] = name;
    }
  },
});
