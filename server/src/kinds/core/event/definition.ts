import type { KindDefinition } from "@gatehouse/apiserver/registry";
import { eventColumns } from "./columns.js";
import { eventFields } from "./selectable-fields.js";
import { eventValidation } from "./validation.js";

/** The definition of Event, which expires after the event time-to-live; events.k8s.io serves the same objects. */
export const eventDefinition: KindDefinition = {
  resource: "events",
  kind: "Event",
  namespaced: true,
  metadataOnCreate: "afterValidation",
  metadataRechecks: [],
  finalizerNames: "any",
  shortNames: ["ev"],
  storageVersionHash: "r2yiGXH7wu8=",
  nameFormat: "pathSegment",
  allowCreateOnUpdate: true,
  expires: true,
  fields: eventFields,
  table: eventColumns,
  validation: eventValidation,
};
