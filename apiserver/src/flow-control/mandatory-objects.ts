import type { JsonObject } from "@gatehouse/envelopes/json";

/** The group of FlowSchema and PriorityLevelConfiguration. */
export const flowControlGroup = "flowcontrol.apiserver.k8s.io";

/** The annotation by which the server may change an object that it has made: `true`, or `false` when it must not. */
export const autoUpdateAnnotation = "apf.kubernetes.io/autoupdate-spec";

/** The name of the level and of the schema whose requests are not limited. */
export const exemptName = "exempt";
/** The name of the level and of the schema for requests that no other schema matches. */
export const catchAllName = "catch-all";

/** Returns a FlowSchema of v1 that the server makes itself. */
export function bootstrapFlowSchema(name: string, spec: JsonObject): JsonObject {
  return bootstrapObject("FlowSchema", name, spec);
}

/** Returns a PriorityLevelConfiguration of v1 that the server makes itself. */
export function bootstrapPriorityLevel(name: string, spec: JsonObject): JsonObject {
  return bootstrapObject("PriorityLevelConfiguration", name, spec);
}

function bootstrapObject(kind: string, name: string, spec: JsonObject): JsonObject {
  return {
    kind,
    apiVersion: `${flowControlGroup}/v1`,
    metadata: { name, annotations: { [autoUpdateAnnotation]: "true" } },
    spec,
    status: {},
  };
}

/** Rules that match every request of a resource. */
export const everyResource: JsonObject = {
  verbs: ["*"],
  apiGroups: ["*"],
  resources: ["*"],
  clusterScope: true,
  namespaces: ["*"],
};
/** Rules that match every other request. */
export const everyPath: JsonObject = { verbs: ["*"], nonResourceURLs: ["*"] };

/** Subjects that together are all users. */
export const everybody: readonly JsonObject[] = [
  { kind: "Group", group: { name: "system:unauthenticated" } },
  { kind: "Group", group: { name: "system:authenticated" } },
];

/** The levels that always exist, in the order in which they are made; they count even while they are not stored. */
export const mandatoryPriorityLevels: readonly JsonObject[] = [
  bootstrapPriorityLevel(catchAllName, {
    type: "Limited",
    limited: { nominalConcurrencyShares: 5, limitResponse: { type: "Reject" }, lendablePercent: 0 },
  }),
  bootstrapPriorityLevel(exemptName, { type: "Exempt", exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } }),
];

/** The schemas that always exist, in the order in which they are made; they count even while they are not stored. */
export const mandatoryFlowSchemas: readonly JsonObject[] = [
  bootstrapFlowSchema(exemptName, {
    priorityLevelConfiguration: { name: exemptName },
    matchingPrecedence: 1,
    rules: [
      {
        subjects: [{ kind: "Group", group: { name: "system:masters" } }],
        resourceRules: [everyResource],
        nonResourceRules: [everyPath],
      },
    ],
  }),
  bootstrapFlowSchema(catchAllName, {
    priorityLevelConfiguration: { name: catchAllName },
    matchingPrecedence: 10_000,
    distinguisherMethod: { type: "ByUser" },
    rules: [{ subjects: [...everybody], resourceRules: [everyResource], nonResourceRules: [everyPath] }],
  }),
];
