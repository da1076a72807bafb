import type { JsonObject } from "@gatehouse/envelopes/json";

const everything: JsonObject = {
  resourceRules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"], clusterScope: true, namespaces: ["*"] }],
  nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
};

/** Specs of the flow schemas that every server has, by name; they may not be changed. */
export const mandatoryFlowSchemas: ReadonlyMap<string, JsonObject> = new Map([
  [
    "exempt",
    {
      priorityLevelConfiguration: { name: "exempt" },
      matchingPrecedence: 1,
      rules: [{ subjects: [group("system:masters")], ...everything }],
    },
  ],
  [
    "catch-all",
    {
      priorityLevelConfiguration: { name: "catch-all" },
      matchingPrecedence: 10_000,
      distinguisherMethod: { type: "ByUser" },
      rules: [{ subjects: [group("system:unauthenticated"), group("system:authenticated")], ...everything }],
    },
  ],
]);

function group(name: string): JsonObject {
  return { kind: "Group", group: { name } };
}
