import type { ResourceDefinition } from "../../catalogue/resource-definition.js";
import { defineResources } from "../define-resource.js";
import { customResourceDefinitionRow } from "./custom-resource-definition/definition.js";

/** Definitions of custom resources. */
export const apiextensionsResources: readonly ResourceDefinition[] = defineResources("apiextensions.k8s.io", "v1", [
  customResourceDefinitionRow,
]);
