import type { KindDefinition } from "@gatehouse/apiserver/registry";
import { endpointsColumns } from "./columns.js";
import { endpointsValidation } from "./validation.js";

/** The definition of Endpoints, the older form of EndpointSlice. Stored under `services/endpoints`. */
export const endpointsDefinition: KindDefinition = {
  resource: "endpoints",
  kind: "Endpoints",
  namespaced: true,
  shortNames: ["ep"],
  storage: { prefix: "services/endpoints" },
  storageVersionHash: "fWeeMqaN/OA=",
  table: endpointsColumns,
  strategy: {
    validation: endpointsValidation,
    update: { allowCreateOnUpdate: true },
  },
};
