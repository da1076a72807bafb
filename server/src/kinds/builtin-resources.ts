import type { ResourceDefinition } from "@gatehouse/apiserver/registry";
import { admissionregistrationResources } from "./admissionregistration/index.js";
import { apiextensionsResources } from "./apiextensions/index.js";
import { apiregistrationResources } from "./apiregistration/index.js";
import { appsResources } from "./apps/index.js";
import { authenticationResources } from "./authentication/index.js";
import { authorizationResources } from "./authorization/index.js";
import { autoscalingResources } from "./autoscaling/index.js";
import { batchResources } from "./batch/index.js";
import { certificatesResources } from "./certificates/index.js";
import { coordinationResources } from "./coordination/index.js";
import { coreResources } from "./core/index.js";
import { discoveryResources } from "./discovery/index.js";
import { eventsResources } from "./events/index.js";
import { flowcontrolResources } from "./flowcontrol/index.js";
import { internalResources } from "./internal/index.js";
import { networkingResources } from "./networking/index.js";
import { nodeResources } from "./node/index.js";
import { policyResources } from "./policy/index.js";
import { rbacResources } from "./rbac/index.js";
import { resourceResources } from "./resource/index.js";
import { schedulingResources } from "./scheduling/index.js";
import { storageResources } from "./storage/index.js";
import { withStoredForm } from "./stored-forms/index.js";

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
  ...admissionregistrationResources,
  ...apiextensionsResources,
  ...schedulingResources,
  ...coordinationResources,
  ...nodeResources,
  ...discoveryResources,
  ...flowcontrolResources,
  ...internalResources,
  ...resourceResources,
].map(withStoredForm);
