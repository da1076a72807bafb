import type { KindDefinition } from "@gatehouse/apiserver/registry";
import { validatePathSegmentName } from "@gatehouse/envelopes/validation";
import { eventColumns } from "./columns.js";
import { eventFields } from "./selectable-fields.js";
import { eventValidation } from "./validation.js";

/** The definition of Event, which expires after the event time-to-live; events.k8s.io serves the same objects. */
export const eventDefinition: KindDefinition = {
  resource: "events",
  kind: "Event",
  namespaced: true,
  shortNames: ["ev"],
  storageVersionHash: "r2yiGXH7wu8=",
  expires: true,
  fields: eventFields,
  table: eventColumns,
  strategy: {
    validation: eventValidation,
    metadata: {
      onCreate: "afterValidation",
      rechecks: [],
      knownFinalizersOnly: false,
      validateName: validatePathSegmentName,
    },
    update: { allowCreateOnUpdate: true },
    deletion: { defaultPropagation: "Unsupported" },
  },
};
