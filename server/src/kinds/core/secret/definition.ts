import type { ResourceRow } from "@gatehouse/apiserver/registry";
import { textAt } from "@gatehouse/envelopes/json";
import { secretTable } from "./columns.js";
import { secretRules } from "./rules.js";
import { secretStrategy } from "./strategy.js";
import { secretWarnings } from "./warnings.js";

/** The definition of Secret, whose `type` is a selectable field. */
export const secretRow: ResourceRow = {
  resource: "secrets",
  kind: "Secret",
  namespaced: true,
  metadataRechecks: "inRules",
  storageVersionHash: "S6u1pOWzb84=",
  fields: { type: (secret) => textAt(secret, "type") },
  table: secretTable,
  warnings: secretWarnings,
  rules: secretRules,
  ...secretStrategy,
};
