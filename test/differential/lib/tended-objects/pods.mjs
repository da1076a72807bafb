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
    () => merge(`${r.pick(pods).path}/status`, { status: { phase: r.pick(["Running", "Succeeded", "Failed"]) } }),
  ];
  const steps = Array.from({ length: 3 + r.int(4) }, () => r.pick(actions)());
  // A node changes once, before or after its pods: v1.29 sees what lasts longer than its interval.
  const changes = nodes.flatMap((one) => (r.chance(0.5) ? taintAndReport(r, one) : []));
  const ends = nodes.filter(() => r.chance(0.3)).map((one) => erase(r, one));
  return [
    makeNamespace(base),
    ...nodes.map(({ name }) => makeNode(name)),
    ...pods.map((pod) => ({ ...makePod(r, pod, r.pick(places)), quiet: true })),
    ...(r.chance(0.5) ? [...changes, ...steps] : [...steps, ...changes]).map((step) => ({ ...step, quiet: true })),
    settle(25),
    ...ends.map((step) => ({ ...step, quiet: true })),
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

/** Taints a node, and reports as its kubelet. One that is out of service and not ready will not report the end of pods. */
function taintAndReport(r, { path }) {
  const taints = r.pick([[outOfService], [outOfService], [{ key: "k", effect: "NoExecute" }]]);
  const report = merge(`${path}/status`, { status: { conditions: [ready(r)] } });
  return r.chance(0.8) ? [report, merge(path, { spec: { taints } })] : [merge(path, { spec: { taints } })];
}

const ready = (r) => ({ type: "Ready", status: r.pick(["True", "False", "Unknown"]), reason: "R", message: "m" });
