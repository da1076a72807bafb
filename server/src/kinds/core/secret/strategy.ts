import { copyMembers } from "@gatehouse/apiserver/objects";
import type { KindStrategy } from "@gatehouse/apiserver/registry";
import { type JsonObject, textAt } from "@gatehouse/envelopes/json";
import { secretValidation } from "./validation.js";
import { secretWarnings } from "./warnings.js";

/** Restores the old type if the update has none. */
function keepSecretType(secret: JsonObject, old: JsonObject): void {
  if (textAt(secret, "type") === "") {
    copyMembers(old, secret, ["type"]);
  }
}

/** The strategy of Secret, whose type an update may leave out. */
export const secretStrategy: KindStrategy = {
  validation: secretValidation,
  warnings: secretWarnings,
  metadata: { rechecks: "inValidation" },
  update: { prepareForUpdate: keepSecretType },
};
