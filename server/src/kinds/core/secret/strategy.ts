import { copyMembers } from "@gatehouse/apiserver/objects";
import type { ResourceStrategy } from "@gatehouse/apiserver/registry";
import { type JsonObject, textAt } from "@gatehouse/envelopes";

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
