import type { ResourceRow } from "@gatehouse/apiserver/registry";
import { eventTable } from "./columns.js";
import { eventRules } from "./rules.js";
import { eventFields } from "./selectable-fields.js";

/** The definition of Event, which expires after the event time-to-live; events.k8s.io serves the same objects. */
export const eventRow: ResourceRow = {
  resource: "events",
  kind: "Event",
  namespaced: true,
  metadataOnCreate: "afterRules",
  metadataRechecks: [],
  finalizerRule: "any",
  shortNames: ["ev"],
  storageVersionHash: "r2yiGXH7wu8=",
  nameRule: "pathSegment",
  allowCreateOnUpdate: true,
  expires: true,
  fields: eventFields,
  table: eventTable,
  rules: eventRules,
};
