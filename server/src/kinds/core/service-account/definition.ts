import type { KindDefinition } from "@gatehouse/apiserver/registry";
import { serviceAccountColumns } from "./columns.js";
import { serviceAccountStrategy } from "./strategy.js";

/** The definition of ServiceAccount, the identity of pods. /token issues tokens for it. */
export const serviceAccountDefinition: KindDefinition = {
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
  table: serviceAccountColumns,
  strategy: serviceAccountStrategy,
};
