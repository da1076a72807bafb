// Drawn budgets, the pods that they select or not, and the controllers of these, in one namespace.
import { send } from "../life-cycles/steps.mjs";
import { drawOwners } from "./budget-owners.mjs";

const apps = ["web", "web", "web", "db"];
const amounts = [0, 1, 1, 2, 3, 10, "0%", "1%", "30%", "50%", "99%", "100%"];
const selectors = [
  { matchLabels: { app: "web" } },
  { matchLabels: { app: "web" } },
  { matchLabels: { app: "web" } },
  {},
  {},
  undefined,
  { matchLabels: { app: "none" } },
  { matchExpressions: [{ key: "app", operator: "In", values: ["web", "db"] }] },
  { matchExpressions: [{ key: "app", operator: "NotIn", values: ["db"] }] },
  { matchExpressions: [{ key: "tier", operator: "Exists" }] },
  { matchLabels: { app: "web" }, matchExpressions: [{ key: "tier", operator: "DoesNotExist" }] },
];

/** Draws a world: the namespace, its owners, pods and budgets, and the steps that make them. */
export function drawBudgetWorld(r, namespace) {
  const owners = drawOwners(r, namespace);
  const core = `/api/v1/namespaces/${namespace}`;
  const world = {
    namespace,
    owners,
    pods: Array.from({ length: 1 + r.int(5) }, (_, at) => ({ name: `p${at}`, path: `${core}/pods/p${at}` })),
    budgets: Array.from({ length: r.pick([1, 1, 1, 2, 3]) }, (_, at) => `b${at}`),
    collections: { pods: `${core}/pods`, budgets: `/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets` },
  };
  const pods = world.pods.flatMap((pod) => makePod(r, world, pod));
  return {
    ...world,
    steps: [
      send("POST", "/api/v1/namespaces", { metadata: { name: namespace } }),
      ...owners.flatMap(({ steps }) => steps),
      ...pods,
    ],
  };
}

/** Draws a pod and its status. */
export function makePod(r, { owners, collections }, { name, path }) {
  const owner = r.chance(0.75) && owners.length > 0 ? r.pick(owners).reference : undefined;
  const body = {
    metadata: {
      name,
      labels: labelsOf(r),
      ...(owner && { ownerReferences: [{ ...owner, ...(r.chance(0.05) && { controller: false }) }] }),
      ...(r.chance(0.2) && { finalizers: ["example.com/held"] }),
    },
    spec: {
      containers: [{ name: "c", image: "i" }],
      ...(r.chance(0.4) && { nodeName: "n1" }),
      terminationGracePeriodSeconds: r.pick([0, 600]),
    },
  };
  return [send("POST", collections.pods, body), ...(r.chance(0.85) ? [reportPod(r, { path })] : [])];
}

export const labelsOf = (r) => ({ app: r.pick(apps), ...(r.chance(0.4) && { tier: r.pick(["a", "b"]) }) });

/** Reports a drawn status of a pod. */
export function reportPod(r, { path }) {
  const ready = { type: "Ready", status: r.pick(["True", "True", "True", "True", "False", "Unknown"]) };
  const disruption = {
    type: "DisruptionTarget",
    status: r.pick(["True", "False"]),
    lastTransitionTime: "2024-01-01T00:00:00Z",
    reason: "Drawn",
  };
  const conditions = [...(r.chance(0.9) ? [ready] : []), ...(r.chance(0.15) ? [disruption] : [])];
  const phase = r.pick(["Running", "Running", "Running", "Running", "Pending", "Succeeded", "Failed", "Unknown"]);
  return send("PATCH", `${path}/status`, { status: { phase, conditions } }, "merge");
}

/** Draws a budget. */
export function makeBudget(r, { collections }, name) {
  return send("POST", collections.budgets, {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { name, ...(r.chance(0.15) && { finalizers: ["example.com/held"] }) },
    spec: {
      selector: r.pick(selectors),
      ...amountOf(r, undefined),
      ...(r.chance(0.4) && { unhealthyPodEvictionPolicy: policyOf(r) }),
    },
  });
}

/** Draws a change of the spec of a budget. */
export function changeBudget(r, { collections }, name) {
  const spec = r.pick([
    () => amountOf(r, null),
    () => amountOf(r, null),
    () => ({ unhealthyPodEvictionPolicy: r.pick([policyOf(r), null]) }),
    () => ({ selector: { matchLabels: null, matchExpressions: null, ...r.pick(selectors) } }),
  ])();
  return send("PATCH", `${collections.budgets}/${name}`, { spec }, "merge");
}

const policyOf = (r) => r.pick(["IfHealthyBudget", "AlwaysAllow"]);

/** Draws one of the two amounts, or none; the other one is `other`. */
const amountOf = (r, other) =>
  r.weighted(
    [
      [5, { minAvailable: r.pick(amounts), maxUnavailable: other }],
      [5, { maxUnavailable: r.pick(amounts), minAvailable: other }],
      [0.5, { maxUnavailable: other, minAvailable: other }],
    ],
    ([weight]) => weight,
  )[1];
