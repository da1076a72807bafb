import { copyMembers } from "@gatehouse/apiserver/objects";
import type { ResourceStrategy } from "@gatehouse/apiserver/registry";
import { type JsonObject, textAt } from "@gatehouse/envelopes/json";

/** Restores the old type if the update has none. */
function keepSecretType(secret: JsonObject, old: JsonObject): void {
  if (textAt(secret, "type") === "") {
    copyMembers(old, secret, ["type"]);
  }
}

/** The strategy of Secret, whose type an update may leave out. */
export const secretStrategy: ResourceStrategy = {
  prepareForUpdate: keepSecretType,
};
