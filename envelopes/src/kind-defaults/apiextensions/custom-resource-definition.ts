import { type DefaultingFunctions, setIfZero } from "../../defaults/defaulting-function.js";
import type { JsonObject } from "../../json/json.js";
import { booleanAt, listAt, textAt } from "../../json/json-fields.js";
import { ownList, ownObject } from "../../json/own-members.js";

/**
 * Defaults of CustomResourceDefinition: names that follow from the kind, and the storage version as the first of
 * `status.storedVersions`.
 */
export const customResourceDefinitionDefaults: DefaultingFunctions = {
  "k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition": noteStoredVersion,
  "k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinitionSpec"(spec) {
    const names = ownObject(spec, "names");
    const kind = textAt(names, "kind");
    if (kind !== "") {
      setIfZero(names, "singular", kind.toLowerCase());
      setIfZero(names, "listKind", `${kind}List`);
    }
  },
};

function noteStoredVersion(definition: JsonObject): void {
  if (listAt(definition, "status", "storedVersions").length > 0) {
    return;
  }
  const stored = listAt(definition, "spec", "versions").find((version) => booleanAt(version, "storage"));
  if (stored !== undefined) {
    ownList(ownObject(definition, "status"), "storedVersions").push(textAt(stored, "name"));
  }
}
