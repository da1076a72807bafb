import type { ResourceDefinition } from "../../catalogue/resource-definition.js";
import { defineResources } from "../define-resource.js";
import { customResourceDefinitionRow } from "./custom-resource-definition/definition.js";

/** The resources of apiextensions.k8s.io: definitions of custom resources. */
export const apiextensionsResources: readonly ResourceDefinition[] = defineResources("apiextensions.k8s.io", "v1", [
  customResourceDefinitionRow,
]);
