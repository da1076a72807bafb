import { type KindDefinition, statusSubresource } from "@gatehouse/apiserver/registry";
import { textAt } from "@gatehouse/envelopes/json";
import { namespaceColumns } from "./columns.js";
import { namespaceStrategy } from "./strategy.js";

/** The definition of Namespace, never deleted as a collection; /finalize removes its own finalizers. */
export const namespaceDefinition: KindDefinition = {
  resource: "namespaces",
  kind: "Namespace",
  namespaced: false,
  shortNames: ["ns"],
  verbs: ["create", "delete", "get", "list", "patch", "update", "watch"],
  subresources: [
    { name: "finalize", kind: undefined, verbs: ["update"], handledBy: "object", hasNoTable: true },
    statusSubresource,
  ],
  storageVersionHash: "Q3oi5N2YM8M=",
  fields: { "status.phase": (namespace) => textAt(namespace, "status", "phase") },
  table: namespaceColumns,
  strategy: namespaceStrategy,
};
