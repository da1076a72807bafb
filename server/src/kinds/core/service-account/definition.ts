import type { ResourceRow } from "@gatehouse/apiserver/registry";
import { serviceAccountTable } from "./columns.js";
import { serviceAccountRules } from "./rules.js";
import { serviceAccountStrategy } from "./strategy.js";

/** The definition of ServiceAccount, the identity of pods. /token issues tokens for it. */
export const serviceAccountRow: ResourceRow = {
  resource: "serviceaccounts",
  kind: "ServiceAccount",
  namespaced: true,
  shortNames: ["sa"],
  subresources: [
    {
      name: "token",
      kind: { group: "authentication.k8s.io", version: "v1", kind: "TokenRequest" },
      verbs: ["create"],
      handledBy: "kind",
    },
  ],
  storageVersionHash: "pbx9ZvyFpBE=",
  returnsDeletedObject: true,
  table: serviceAccountTable,
  rules: serviceAccountRules,
  ...serviceAccountStrategy,
};
