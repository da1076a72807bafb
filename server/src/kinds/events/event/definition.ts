import type { KindDefinition } from "@gatehouse/apiserver/registry";
import { eventColumns } from "../../core/event/columns.js";
import { eventFieldLabels, eventFields } from "../../core/event/selectable-fields.js";
import { newerEventValidation } from "../../core/event/validation.js";
import { eventConversion } from "./conversion.js";

/**
 * The definition of Event in events.k8s.io: stored as events of the core group, with fields and labels by their newer
 * names.
 */
export const eventDefinition: KindDefinition = {
  resource: "events",
  kind: "Event",
  namespaced: true,
  metadataOnCreate: "inValidation",
  metadataRechecks: "inValidation",
  shortNames: ["ev"],
  storage: { group: "" },
  storageVersionHash: "r2yiGXH7wu8=",
  nameFormat: "dnsSubdomain",
  allowCreateOnUpdate: true,
  expires: true,
  fields: eventFields,
  fieldLabels: eventFieldLabels,
  table: eventColumns,
  validation: newerEventValidation(eventConversion.toStored),
  conversion: eventConversion,
};
