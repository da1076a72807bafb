import type { KindStrategy } from "@gatehouse/apiserver/registry";
import { type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";
import { serviceAccountValidation } from "./validation.js";

/** Drops all members of secret references but the name. */
function keepSecretNamesOnly(serviceAccount: JsonObject): void {
  const secrets = listAt(serviceAccount, "secrets");
  if (secrets.length > 0) {
    serviceAccount["secrets"] = secrets.map((secret) => ({ name: textAt(secret, "name") }));
  }
}

/** The strategy of ServiceAccount, which keeps only the names in secret references. */
export const serviceAccountStrategy: KindStrategy = {
  validation: serviceAccountValidation,
  create: { prepareForCreate: keepSecretNamesOnly },
  update: { prepareForUpdate: keepSecretNamesOnly },
  deletion: { returnsDeletedObject: true },
};
