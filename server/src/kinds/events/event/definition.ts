import type { ResourceRow } from "@gatehouse/apiserver/registry";
import { eventTable } from "../../core/event/columns.js";
import { newerEventRules } from "../../core/event/rules.js";
import { eventFieldLabels, eventFields } from "../../core/event/selectable-fields.js";
import { eventConversion } from "./conversion.js";

/**
 * The definition of Event in events.k8s.io: stored as events of the core group, with fields and labels by their newer
 * names.
 */
export const eventRow: ResourceRow = {
  resource: "events",
  kind: "Event",
  namespaced: true,
  metadataOnCreate: "inRules",
  metadataRechecks: "inRules",
  shortNames: ["ev"],
  storage: { group: "" },
  storageVersionHash: "r2yiGXH7wu8=",
  nameRule: "dnsSubdomain",
  allowCreateOnUpdate: true,
  expires: true,
  fields: eventFields,
  fieldLabels: eventFieldLabels,
  table: eventTable,
  rules: newerEventRules(eventConversion.toStored),
  conversion: eventConversion,
};
