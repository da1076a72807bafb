import type { KindDefinition } from "@gatehouse/apiserver/registry";
import { textAt } from "@gatehouse/envelopes/json";
import { secretColumns } from "./columns.js";
import { secretStrategy } from "./strategy.js";

/** The definition of Secret, whose `type` is a selectable field. */
export const secretDefinition: KindDefinition = {
  resource: "secrets",
  kind: "Secret",
  namespaced: true,
  storageVersionHash: "S6u1pOWzb84=",
  fields: { type: (secret) => textAt(secret, "type") },
  table: secretColumns,
  strategy: secretStrategy,
};
