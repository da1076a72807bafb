import type { ResourceDefinition } from "../../catalogue/resource-definition.js";
import { defineResources } from "../define-resource.js";
import { runtimeClassRow } from "./runtime-class/definition.js";

/** Runtime classes. */
export const nodeResources: readonly ResourceDefinition[] = defineResources("node.k8s.io", "v1", [runtimeClassRow]);
