import type { WantedResource } from "@gatehouse/apiserver/client";
import { flowControlGroup } from "@gatehouse/apiserver/flow-control";

/** The resource of FlowSchemas, in the version in which v1.29 writes them. */
export const flowSchemas: WantedResource = Object.freeze({
  group: flowControlGroup,
  version: "v1",
  resource: "flowschemas",
});

/** The resource of PriorityLevelConfigurations, in the version in which v1.29 writes them. */
export const priorityLevels: WantedResource = Object.freeze({
  group: flowControlGroup,
  version: "v1",
  resource: "prioritylevelconfigurations",
});
