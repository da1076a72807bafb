import { flowControlGroup } from "@gatehouse/apiserver/flow-control";
import type { GroupResource } from "@gatehouse/envelopes/status";

/** The resource of FlowSchemas. */
export const flowSchemas: GroupResource = Object.freeze({ group: flowControlGroup, resource: "flowschemas" });
/** The resource of PriorityLevelConfigurations. */
export const priorityLevels: GroupResource = Object.freeze({
  group: flowControlGroup,
  resource: "prioritylevelconfigurations",
});
