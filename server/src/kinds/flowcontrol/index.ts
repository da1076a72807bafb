import { defineResources, type ResourceDefinition } from "@gatehouse/apiserver/registry";
import { flowSchemaDefinition, flowSchemaV1Definition } from "./flow-schema/definition.js";
import {
  priorityLevelConfigurationDefinition,
  priorityLevelConfigurationV1Definition,
} from "./priority-level-configuration/definition.js";

/**
 * The resources of flowcontrol.apiserver.k8s.io; both versions show the same objects, stored in the form of v1beta3.
 */
export const flowcontrolResources: readonly ResourceDefinition[] = [
  ...defineResources("flowcontrol.apiserver.k8s.io", "v1", [
    flowSchemaV1Definition,
    priorityLevelConfigurationV1Definition,
  ]),
  ...defineResources("flowcontrol.apiserver.k8s.io", "v1beta3", [
    flowSchemaDefinition,
    priorityLevelConfigurationDefinition,
  ]),
];
