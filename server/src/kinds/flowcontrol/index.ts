import { defineResources, type ResourceDefinition } from "@gatehouse/apiserver/registry";
import { flowSchemaRow, flowSchemaV1Row } from "./flow-schema/definition.js";
import {
  priorityLevelConfigurationRow,
  priorityLevelConfigurationV1Row,
} from "./priority-level-configuration/definition.js";

/**
 * The resources of flowcontrol.apiserver.k8s.io; both versions show the same objects, stored in the form of v1beta3.
 */
export const flowcontrolResources: readonly ResourceDefinition[] = [
  ...defineResources("flowcontrol.apiserver.k8s.io", "v1", [flowSchemaV1Row, priorityLevelConfigurationV1Row]),
  ...defineResources("flowcontrol.apiserver.k8s.io", "v1beta3", [flowSchemaRow, priorityLevelConfigurationRow]),
];
