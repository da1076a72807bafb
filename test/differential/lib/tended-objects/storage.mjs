// Claims and volumes with finalizers that protect them, and pods that use the claims, or do not any more.
import { send } from "../life-cycles/steps.mjs";
import { subjectOf } from "../life-cycles/subjects.mjs";
import { node } from "./pods.mjs";
import { erase, look, make, makeNamespace, merge, world } from "./steps.mjs";

const held = "example.com/held";
const kinds = {
  claim: { apiVersion: "v1", kind: "PersistentVolumeClaim", plural: "persistentvolumeclaims" },
  volume: { apiVersion: "v1", kind: "PersistentVolume", plural: "persistentvolumes", isOfCluster: true },
  pod: { apiVersion: "v1", kind: "Pod", plural: "pods" },
};
const resources = { requests: { storage: "1Gi" } };
const accessModes = ["ReadWriteOnce"];

/** Draws the steps of a world. */
export function storageSteps(r, base) {
  const subject = (kind, name) => subjectOf(kinds[kind], { key: name, base: name, namespace: base });
  // The last two have the names of claims of ephemeral volumes.
  const claims = ["c0", "c1", "p0-own", "p1-own"].map((name) => subject("claim", name));
  const pods = ["p0", "p1", "p2"].map((name) => subject("pod", name));
  const volumes = ["v0", "v1"].map((key) => subjectOf(kinds.volume, { key, base: `${base}-${key}` }));
  const parts = { base, claims, pods, volumes };
  const first = [...pods.slice(0, 2), ...claims, ...volumes].filter(() => r.chance(0.85));
  return world({
    made: [makeNamespace(base), ...first.map((one) => makeAny(r, one, parts))],
    actions: Array.from({ length: 3 + r.int(5) }, () => action(r, parts)),
    looks: (label) => [...claims, ...volumes, ...pods].map((one) => look(one, label)),
  });
}

function makeAny(r, subject, parts) {
  const makers = { PersistentVolumeClaim: makeClaim, PersistentVolume: makeVolume, Pod: makePod };
  return makers[subject.kind.kind](r, subject, parts);
}

function makeClaim(r, subject) {
  const owner = r.pick(["p0", "p1"]);
  const isOwned = subject.name.endsWith("-own") ? r.chance(0.8) : r.chance(0.1);
  const ownerReferences = isOwned && [
    { apiVersion: "v1", kind: "Pod", name: owner, uid: `$${owner}uid`, ...r.pick([{ controller: true }, {}]) },
  ];
  return make(subject, {
    metadata: { ...finalizersOf(r, "kubernetes.io/pvc-protection"), ...(ownerReferences && { ownerReferences }) },
    spec: { accessModes, resources, ...(r.chance(0.3) && { volumeName: "v" }) },
  });
}

function makeVolume(r, subject, { base }) {
  const claimRef = {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    namespace: base,
    name: r.pick(["c0", "c1", "x"]),
  };
  const spec = {
    capacity: { storage: "1Gi" },
    accessModes,
    hostPath: { path: "/x" },
    ...(r.chance(0.5) && { claimRef: { ...claimRef, ...(r.chance(0.5) && { uid: "$c0uid" }) } }),
  };
  return make(subject, { metadata: finalizersOf(r, "kubernetes.io/pv-protection"), spec });
}

function makePod(r, subject) {
  const volumes = [
    ...["c0", "c1", "p0-own"].map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } })),
    { name: "own", ephemeral: { volumeClaimTemplate: { spec: { accessModes, resources } } } },
    { name: "e", emptyDir: {} },
  ].filter(() => r.chance(0.4));
  const isPlaced = r.chance(0.6);
  const spec = {
    containers: [{ name: "c", image: "i" }],
    volumes,
    ...(isPlaced && { nodeName: node }),
    ...(r.chance(0.5) && { restartPolicy: "Never" }),
    terminationGracePeriodSeconds: r.pick([0, 600]),
  };
  // The pod garbage collector acts at its own time on others.
  return make(subject, { metadata: { ...(isPlaced && r.chance(0.3) && { finalizers: [held] }) }, spec });
}

const finalizersOf = (r, protection) =>
  r.pick([
    {},
    {},
    { finalizers: [] },
    { finalizers: [held] },
    { finalizers: [protection] },
    { finalizers: [held, protection] },
  ]);

function action(r, parts) {
  const { claims, pods, volumes } = parts;
  const any = () => r.pick([...claims, ...claims, ...volumes, ...pods]);
  const stored = () => r.pick([...claims, ...volumes]);
  return r.pick([
    () => erase(r, any()),
    () => erase(r, stored()),
    () => erase(r, r.pick(pods)),
    () => makeAny(r, any(), parts),
    () => changeFinalizers(r, stored()),
    () => merge(r.pick(pods).path, { metadata: { finalizers: r.pick([[], null]) } }),
    () => merge(`${r.pick(pods).path}/status`, { status: { phase: r.pick(["Running", "Succeeded", "Failed"]) } }),
    () => merge(`${r.pick(volumes).path}/status`, { status: { phase: r.pick(volumePhases) } }),
    () => merge(`${r.pick(claims).path}/status`, { status: { phase: r.pick(["Bound", "Lost", "Pending"]) } }),
    () =>
      merge(r.pick(volumes).path, {
        spec: { claimRef: r.pick([null, { kind: "PersistentVolumeClaim", namespace: "n", name: "c1" }]) },
      }),
    () => merge(r.pick(claims).path, { metadata: { ownerReferences: [] } }),
    () => bind(r.pick(pods)),
  ])();
}

const volumePhases = ["Bound", "Bound", "Available", "Released", "Failed", "Pending"];

function changeFinalizers(r, { path, kind }) {
  const protection = kind.isOfCluster ? "kubernetes.io/pv-protection" : "kubernetes.io/pvc-protection";
  return merge(path, {
    metadata: { finalizers: r.pick([null, [], [held], [protection], [held, protection], [protection, held]]) },
  });
}

function bind({ path, name }) {
  return send("POST", `${path}/binding`, { metadata: { name }, target: { kind: "Node", name: node } });
}
