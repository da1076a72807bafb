// Pods that nobody tends: on nodes that go or never were, and on none.
import { subjectOf } from "../life-cycles/subjects.mjs";
import { erase, look, make, makeNamespace, makeNode, merge, settle } from "./steps.mjs";

/** A node that is there. */
export const node = "n1";
const held = "example.com/held";
const podKind = { apiVersion: "v1", kind: "Pod", plural: "pods" };
const nodeKind = { apiVersion: "v1", kind: "Node", plural: "nodes", isOfCluster: true };
const outOfService = { key: "node.kubernetes.io/out-of-service", effect: "NoExecute" };

/**
 * Draws the steps of a world. v1.29 looks at all pods every 20 seconds, and takes a node for gone 40 seconds after it was first
 * missed.
 */
export function podSteps(r, base) {
  const nodes = ["a", "b"].map((key) => subjectOf(nodeKind, { key: `n${key}`, base: `${base}-${key}` }));
  const pods = ["p0", "p1", "p2", "p3"].map((key) => subjectOf(podKind, { key, base: key, namespace: base }));
  const places = [undefined, undefined, `${base}-gone`, ...nodes.map(({ name }) => name)];
  const actions = [
    () => erase(r, r.pick(pods)),
    () => erase(r, r.pick(pods)),
    () => erase(r, r.pick(pods)),
    () => erase(r, r.pick(nodes)),
    () => taint(r, r.pick(nodes)),
    () => merge(`${r.pick(nodes).path}/status`, { status: { conditions: [ready(r)] } }),
    () => merge(`${r.pick(pods).path}/status`, { status: { phase: r.pick(["Running", "Succeeded", "Failed"]) } }),
  ];
  const steps = Array.from({ length: 3 + r.int(4) }, () => ({ ...r.pick(actions)(), quiet: true }));
  return [
    makeNamespace(base),
    ...nodes.map(({ name }) => makeNode(name)),
    ...nodes.flatMap((one) => (r.chance(0.4) ? putOutOfService(r, one) : [])),
    ...pods.map((pod) => ({ ...makePod(r, pod, r.pick(places)), quiet: true })),
    ...steps,
    ...Array.from({ length: 5 }, () => settle(25)),
    ...pods.map((pod) => look(pod, "left")),
  ];
}

function makePod(r, subject, nodeName) {
  const spec = {
    containers: [{ name: "c", image: "i" }],
    ...(nodeName && { nodeName }),
    ...(r.chance(0.5) && { restartPolicy: "Never" }),
    terminationGracePeriodSeconds: r.pick([0, 600]),
  };
  return make(subject, { metadata: { ...(r.chance(0.5) && { finalizers: [held] }) }, spec });
}

/** Taints a node whose kubelet reports that it is not ready, or that it is: pods that are to go there wait for nobody then. */
function putOutOfService(r, { path }) {
  const steps = [
    merge(path, { spec: { taints: [outOfService] } }),
    merge(`${path}/status`, { status: { conditions: [ready(r)] } }),
  ];
  return steps.map((step) => ({ ...step, quiet: true }));
}

const taint = (r, { path }) =>
  merge(path, { spec: { taints: r.pick([[outOfService], [{ key: "k", effect: "NoExecute" }]]) } });

const ready = (r) => ({ type: "Ready", status: r.pick(["True", "False", "Unknown"]), reason: "R", message: "m" });
