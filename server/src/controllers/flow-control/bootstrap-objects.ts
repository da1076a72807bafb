import {
  bootstrapFlowSchema,
  bootstrapPriorityLevel,
  everybody,
  everyPath,
  everyResource,
  mandatoryFlowSchemas,
  mandatoryPriorityLevels,
} from "@gatehouse/apiserver/flow-control";
import type { JsonObject } from "@gatehouse/envelopes/json";

/** A configuration object that the server makes itself. */
export interface BootstrapObject {
  readonly object: JsonObject;
  /** True if the server does not let anybody change it. */
  readonly isMandatory: boolean;
}

/** Makes the specification of a level that queues requests. */
function queueing(shares: number, lendablePercent: number, queues: number, handSize = 6): JsonObject {
  return {
    type: "Limited",
    limited: {
      nominalConcurrencyShares: shares,
      limitResponse: { type: "Queue", queuing: { queues, handSize, queueLengthLimit: 50 } },
      lendablePercent,
    },
  };
}

const suggestedPriorityLevels: readonly JsonObject[] = [
  bootstrapPriorityLevel("system", queueing(30, 33, 64)),
  bootstrapPriorityLevel("node-high", queueing(40, 25, 64)),
  bootstrapPriorityLevel("leader-election", queueing(10, 0, 16, 4)),
  bootstrapPriorityLevel("workload-high", queueing(40, 50, 128)),
  bootstrapPriorityLevel("workload-low", queueing(100, 90, 128)),
  bootstrapPriorityLevel("global-default", queueing(20, 50, 128)),
];

const user = (name: string): JsonObject => ({ kind: "User", user: { name } });
const group = (name: string): JsonObject => ({ kind: "Group", group: { name } });
const systemAccount = (name: string): JsonObject => ({
  kind: "ServiceAccount",
  serviceAccount: { namespace: "kube-system", name },
});
const controllerManager = user("system:kube-controller-manager");
const scheduler = user("system:kube-scheduler");

/** Makes a rule for some resources in every namespace. */
function resources(
  verbs: readonly string[],
  apiGroup: string,
  names: readonly string[],
  more: JsonObject = {},
): JsonObject {
  return { verbs: [...verbs], apiGroups: [apiGroup], resources: [...names], ...more, namespaces: ["*"] };
}

/** Makes the rule of subjects for everything that they do. */
function everything(...subjects: readonly JsonObject[]): JsonObject {
  return { subjects: [...subjects], resourceRules: [everyResource], nonResourceRules: [everyPath] };
}

/** Makes a schema with one rule. */
function schema(
  name: string,
  [level, precedence, distinguisher]: readonly [level: string, precedence: number, distinguisher?: string],
  rule: JsonObject,
): JsonObject {
  return bootstrapFlowSchema(name, {
    priorityLevelConfiguration: { name: level },
    matchingPrecedence: precedence,
    ...(distinguisher === undefined ? {} : { distinguisherMethod: { type: distinguisher } }),
    rules: [rule],
  });
}

const election = ["get", "create", "update"];
const leases = resources(election, "coordination.k8s.io", ["leases"]);

const suggestedFlowSchemas: readonly JsonObject[] = [
  schema("system-nodes", ["system", 500, "ByUser"], everything(group("system:nodes"))),
  schema("system-node-high", ["node-high", 400, "ByUser"], {
    subjects: [group("system:nodes")],
    resourceRules: [
      resources(["*"], "", ["nodes", "nodes/status"], { clusterScope: true }),
      resources(["*"], "coordination.k8s.io", ["leases"]),
    ],
  }),
  schema("probes", ["exempt", 2], {
    subjects: [...everybody],
    nonResourceRules: [{ verbs: ["get"], nonResourceURLs: ["/healthz", "/readyz", "/livez"] }],
  }),
  schema("system-leader-election", ["leader-election", 100, "ByUser"], {
    subjects: [controllerManager, scheduler, systemAccount("*")],
    resourceRules: [leases],
  }),
  schema("workload-leader-election", ["leader-election", 200, "ByUser"], {
    subjects: [systemAccount("*")],
    resourceRules: [resources(election, "", ["endpoints", "configmaps"]), leases],
  }),
  schema("endpoint-controller", ["workload-high", 150, "ByUser"], {
    subjects: [
      controllerManager,
      systemAccount("endpoint-controller"),
      systemAccount("endpointslicemirroring-controller"),
    ],
    resourceRules: [resources(election, "", ["endpoints"])],
  }),
  schema("kube-controller-manager", ["workload-high", 800, "ByNamespace"], everything(controllerManager)),
  schema("kube-scheduler", ["workload-high", 800, "ByNamespace"], everything(scheduler)),
  schema("kube-system-service-accounts", ["workload-high", 900, "ByNamespace"], everything(systemAccount("*"))),
  schema("service-accounts", ["workload-low", 9000, "ByUser"], everything(group("system:serviceaccounts"))),
  schema("global-default", ["global-default", 9900, "ByUser"], everything(...everybody)),
];

const suggested = (object: JsonObject): BootstrapObject => ({ object, isMandatory: false });
const mandatory = (object: JsonObject): BootstrapObject => ({ object, isMandatory: true });

/** The priority levels of v1.29, in the order in which they are made. */
export const bootstrapPriorityLevels: readonly BootstrapObject[] = [
  ...suggestedPriorityLevels.map(suggested),
  ...mandatoryPriorityLevels.map(mandatory),
];

/** The flow schemas of v1.29, in the order in which they are made. */
export const bootstrapFlowSchemas: readonly BootstrapObject[] = [
  ...suggestedFlowSchemas.map(suggested),
  ...mandatoryFlowSchemas.map(mandatory),
];
