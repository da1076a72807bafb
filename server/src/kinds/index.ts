import type { ResourceDefinition } from "../catalogue/resource-definition.js";
import { admissionregistrationResources } from "./admissionregistration.js";
import { apiextensionsResources } from "./apiextensions.js";
import { apiregistrationResources } from "./apiregistration.js";
import { appsResources } from "./apps.js";
import { authenticationResources } from "./authentication.js";
import { authorizationResources } from "./authorization.js";
import { autoscalingResources } from "./autoscaling.js";
import { batchResources } from "./batch.js";
import { certificatesResources } from "./certificates.js";
import { coordinationResources } from "./coordination.js";
import { coreResources } from "./core.js";
import { discoveryResources } from "./discovery.js";
import { eventsResources } from "./events.js";
import { flowcontrolResources } from "./flowcontrol.js";
import { internalResources } from "./internal.js";
import { networkingResources } from "./networking.js";
import { nodeResources } from "./node.js";
import { policyResources } from "./policy.js";
import { rbacResources } from "./rbac.js";
import { resourceResources } from "./resource.js";
import { schedulingResources } from "./scheduling.js";
import { storageResources } from "./storage.js";

export { type BuiltinGroup, type BuiltinGroupVersion, builtinGroups } from "./groups.js";

/** Every built-in resource in every version, groups and versions in the order of discovery. */
export const builtinResources: readonly ResourceDefinition[] = [
  ...apiregistrationResources,
  ...coreResources,
  ...appsResources,
  ...eventsResources,
  ...authenticationResources,
  ...authorizationResources,
  ...autoscalingResources,
  ...batchResources,
  ...certificatesResources,
  ...networkingResources,
  ...policyResources,
  ...rbacResources,
  ...storageResources,
  ...apiextensionsResources,
  ...admissionregistrationResources,
  ...schedulingResources,
  ...coordinationResources,
  ...nodeResources,
  ...discoveryResources,
  ...flowcontrolResources,
  ...internalResources,
  ...resourceResources,
];
