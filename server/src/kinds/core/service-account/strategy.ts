import type { ResourceStrategy } from "@gatehouse/apiserver/registry";
import { type JsonObject, listAt, textAt } from "@gatehouse/envelopes";

/** Of the references to secrets only the names count. */
function keepSecretNamesOnly(serviceAccount: JsonObject): void {
  const secrets = listAt(serviceAccount, "secrets");
  if (secrets.length > 0) {
    serviceAccount["secrets"] = secrets.map((secret) => ({ name: textAt(secret, "name") }));
  }
}

/** References to secrets are cut down to their names. */
export const serviceAccountStrategy: ResourceStrategy = {
  prepareForCreate: keepSecretNamesOnly,
  prepareForUpdate: keepSecretNamesOnly,
};
