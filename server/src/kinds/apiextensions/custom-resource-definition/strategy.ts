import type { JsonObject } from "@gatehouse/envelopes";
import type { ResourceStrategy } from "../../../catalogue/resource-definition.js";
import { booleanAt, listAt, textAt } from "../../../objects/json-fields.js";
import { ownList, ownObject } from "../../../objects/own-members.js";

/** A definition notes every version that objects may have been stored in. */
export const customResourceDefinitionStrategy: ResourceStrategy = {
  prepareForCreate(definition) {
    noteStoredVersion(definition);
  },
  prepareForUpdate(definition) {
    noteStoredVersion(definition);
  },
};

function noteStoredVersion(definition: JsonObject): void {
  const stored = listAt(definition, "spec", "versions").find((version) => booleanAt(version, "storage"));
  const name = textAt(stored, "name");
  if (name === "") {
    return;
  }
  const storedVersions = ownList(ownObject(definition, "status"), "storedVersions");
  if (!storedVersions.includes(name)) {
    storedVersions.push(name);
  }
}
