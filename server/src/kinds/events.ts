import type { ResourceDefinition } from "../catalogue/resource-definition.js";
import { defineResources } from "./define-resource.js";
import { eventFieldLabels, eventFields } from "./event-fields.js";

/** Events, once more, in their newer form; both APIs show the same objects. */
export const eventsResources: readonly ResourceDefinition[] = defineResources("events.k8s.io", "v1", [
  {
    resource: "events",
    kind: "Event",
    namespaced: true,
    shortNames: ["ev"],
    storage: { group: "" },
    storageVersionHash: "r2yiGXH7wu8=",
    nameRule: "dnsSubdomain",
    allowCreateOnUpdate: true,
    expires: true,
    fields: eventFields,
    fieldLabels: eventFieldLabels,
  },
]);
