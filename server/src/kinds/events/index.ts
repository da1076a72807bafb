import { defineResources, type ResourceDefinition } from "@gatehouse/apiserver/registry";
import { eventDefinition } from "./event/definition.js";

/** The resources of events.k8s.io: events in their newer form; the core group serves the same objects. */
export const eventsResources: readonly ResourceDefinition[] = defineResources("events.k8s.io", "v1", [eventDefinition]);
