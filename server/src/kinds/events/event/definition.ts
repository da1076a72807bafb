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
  shortNames: ["ev"],
  storage: { group: "" },
  storageVersionHash: "r2yiGXH7wu8=",
  expires: true,
  fields: eventFields,
  fieldLabels: eventFieldLabels,
  table: eventColumns,
  conversion: eventConversion,
  strategy: {
    validation: newerEventValidation(eventConversion.toStored),
    metadata: { onCreate: "inValidation", rechecks: "inValidation" },
    update: { allowCreateOnUpdate: true },
    deletion: { defaultPropagation: "Unsupported" },
  },
};
