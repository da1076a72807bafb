import type { ResourceDefinition } from "../../catalogue/resource-definition.js";
import { defineResources } from "../define-resource.js";
import { runtimeClassRow } from "./runtime-class/definition.js";

/** The resources of node.k8s.io: runtime classes. */
export const nodeResources: readonly ResourceDefinition[] = defineResources("node.k8s.io", "v1", [runtimeClassRow]);
