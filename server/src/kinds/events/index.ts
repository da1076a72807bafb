import type { ResourceDefinition } from "@gatehouse/apiserver/registry";
import { defineResources } from "@gatehouse/apiserver/registry";
import { eventRow } from "./event/definition.js";

/** Events, once more, in their newer form; both APIs show the same objects. */
export const eventsResources: readonly ResourceDefinition[] = defineResources("events.k8s.io", "v1", [eventRow]);
