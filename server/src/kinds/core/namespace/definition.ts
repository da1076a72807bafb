import { type ResourceRow, statusSubresource } from "@gatehouse/apiserver/registry";
import { textAt } from "@gatehouse/envelopes/json";
import { namespaceTable } from "./columns.js";
import { namespaceRules } from "./rules.js";
import { namespaceStrategy } from "./strategy.js";

/** The definition of Namespace, never deleted as a collection; /finalize removes its own finalizers. */
export const namespaceRow: ResourceRow = {
  resource: "namespaces",
  kind: "Namespace",
  metadataRechecks: "inRules",
  resetFields: { finalize: ["status"] },
  namespaced: false,
  shortNames: ["ns"],
  verbs: ["create", "delete", "get", "list", "patch", "update", "watch"],
  subresources: [{ name: "finalize", kind: undefined, verbs: ["update"], handledBy: "object" }, statusSubresource],
  storageVersionHash: "Q3oi5N2YM8M=",
  returnsDeletedObject: true,
  nameRule: "dnsLabel",
  fields: { "status.phase": (namespace) => textAt(namespace, "status", "phase") },
  table: namespaceTable,
  rules: namespaceRules,
  ...namespaceStrategy,
};
