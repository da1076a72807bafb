import type { KindDefinition } from "@gatehouse/apiserver/registry";
import { controllerRevisionColumns } from "./columns.js";
import { controllerRevisionValidation } from "./validation.js";

/** The definition of ControllerRevision, an old template that a StatefulSet or DaemonSet can go back to. */
export const controllerRevisionDefinition: KindDefinition = {
  resource: "controllerrevisions",
  kind: "ControllerRevision",
  namespaced: true,
  storageVersionHash: "85nkx63pcBU=",
  table: controllerRevisionColumns,
  strategy: { validation: controllerRevisionValidation },
};
