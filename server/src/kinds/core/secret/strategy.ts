import { type JsonObject, textAt } from "@gatehouse/envelopes";
import type { ResourceStrategy } from "../../../catalogue/resource-definition.js";
import { copyMembers } from "../../../objects/object-meta.js";

/** An empty type means "as before". */
function keepSecretType(secret: JsonObject, old: JsonObject): void {
  if (textAt(secret, "type") === "") {
    copyMembers(old, secret, ["type"]);
  }
}

/** An update may leave the type out. */
export const secretStrategy: ResourceStrategy = {
  prepareForUpdate: keepSecretType,
};
