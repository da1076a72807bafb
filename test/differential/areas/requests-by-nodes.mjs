// Requests of kubelets while pods, volumes and claims come and go: what the Node authorizer and NodeRestriction let them read
// and write. Both servers run with both (start-with-roles.mjs). COUNT is the number of cases, SEED which.
import { adapt } from "../lib/adapted-side.mjs";
import { prepare } from "../lib/prepare-sides.mjs";
import { Random } from "../lib/random.mjs";
import { as } from "../lib/random-users.mjs";

export const parallel = 6;
const { SEED = "1", COUNT = "1000" } = process.env;
const namespace = `nodes-${SEED}`;
const path = `/api/v1/namespaces/${namespace}`;
/** The time in which an authorizer learns of a change, in milliseconds. */
const settlingMs = 250;
const merge = "application/merge-patch+json";
const strategic = "application/strategic-merge-patch+json";

/** Cases for a runner of differential areas. */
export async function* cases(right, left) {
  for (const side of [right, left]) adapt(side);
  await prepare([left, right], fixtures);
  for (let i = 0; i < Number(COUNT); i++) {
    const r = new Random(Number(SEED) * 1_000_003 + i);
    const world = { r, i, nodes: [`n${SEED}-${i}-0`, `n${SEED}-${i}-1`], pods: [], volumes: [], attachments: [] };
    const steps = [
      ...world.nodes.flatMap((name) =>
        r.chance(0.7) ? [{ ...post("/api/v1/nodes", { metadata: { name } }), quiet: true }] : [],
      ),
      ...rounds(world),
    ];
    yield { name: `${SEED}-${i}`, independent: true, steps };
  }
}

const names = ["a", "b", "c"];
const fixtures = [
  { path: "/api/v1/namespaces", body: { metadata: { name: namespace } } },
  ...["default", "a", "b"].map((name) => ({ path: `${path}/serviceaccounts`, body: { metadata: { name } } })),
  ...names.flatMap((name) => [
    { path: `${path}/secrets`, body: { metadata: { name } } },
    { path: `${path}/configmaps`, body: { metadata: { name } } },
    {
      path: `${path}/persistentvolumeclaims`,
      body: {
        metadata: { name },
        spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, storageClassName: "none" },
      },
    },
  ]),
];

function post(where, body, headers) {
  return { method: "POST", path: where, body, headers };
}

function patch(type, where, body, headers) {
  return { method: "PATCH", path: where, body: JSON.stringify(body), headers: { ...headers, "content-type": type } };
}

/** Changes by an administrator, and what kubelets ask and write afterwards. */
function rounds(world) {
  const { r } = world;
  return Array.from({ length: 1 + r.int(3) }, () => {
    const changes = Array.from({ length: 1 + r.int(3) }, () => change(world));
    const [first, ...others] = Array.from({ length: 4 + r.int(6) }, () => kubeletRequest(world));
    return [...changes, { ...first, afterMs: settlingMs }, ...others];
  }).flat();
}

function change(world) {
  const { r, i } = world;
  return r.pick([
    () => createdPod(world),
    () => createdPod(world),
    () => createdPod(world),
    () => deletedPod(world),
    () => createdVolume(world),
    () => createdVolume(world),
    () => rebound(world),
    () => createdAttachment(world),
    () => ({ method: "DELETE", path: `/api/v1/persistentvolumes/${volumeName(i, r)}`, headers: {} }),
    () => ({
      method: "DELETE",
      path: `/apis/storage.k8s.io/v1/volumeattachments/va${SEED}-${i}-${r.int(2)}`,
      headers: {},
    }),
    () => bound(world),
  ])();
}

const podName = (i, r) => `p${i}-${r.int(3)}`;
const volumeName = (i, r) => `pv${SEED}-${i}-${r.int(2)}`;

function createdPod({ r, i, nodes }) {
  const isMirror = r.chance(0.08);
  const references = Array.from({ length: 1 + r.int(3) }, (_, n) => reference(r, n));
  const container = { name: "c", image: "i" };
  const volumes = [];
  const spec = { containers: [container], automountServiceAccountToken: false, terminationGracePeriodSeconds: 0 };
  for (const { volume, env, envFrom, pull } of references) {
    if (volume) volumes.push(volume);
    if (env) container.env = [...(container.env ?? []), env];
    if (envFrom) container.envFrom = [...(container.envFrom ?? []), envFrom];
    if (pull) spec.imagePullSecrets = [...(spec.imagePullSecrets ?? []), pull];
  }
  if (r.chance(0.2))
    spec.initContainers = [{ name: "d", image: "i", envFrom: [{ secretRef: { name: r.pick(names) } }] }];
  if (r.chance(0.4)) spec.serviceAccountName = r.pick(["a", "b"]);
  if (r.chance(0.85)) spec.nodeName = r.pick(nodes);
  const metadata = {
    name: podName(i, r),
    ...(isMirror && { annotations: { "kubernetes.io/config.mirror": "x" } }),
    ...(r.chance(0.05) && { finalizers: ["example.com/f"] }),
  };
  return { ...post(`${path}/pods`, { metadata, spec: { ...spec, volumes } }), quiet: true };
}

function reference(r, n) {
  const name = r.pick(names);
  const volume = (source) => ({ volume: { name: `v${n}`, ...source } });
  return r.pick([
    () => volume({ secret: { secretName: name } }),
    () => volume({ configMap: { name } }),
    () => volume({ persistentVolumeClaim: { claimName: name } }),
    () => volume({ persistentVolumeClaim: { claimName: name } }),
    () => volume({ projected: { sources: [{ secret: { name } }, { configMap: { name: r.pick(names) } }] } }),
    () => volume({ csi: { driver: "d", nodePublishSecretRef: { name } } }),
    () => volume({ azureFile: { secretName: name, shareName: "s" } }),
    () => volume({ cephfs: { monitors: ["m"], secretRef: { name } } }),
    () => volume({ rbd: { monitors: ["m"], image: "i", secretRef: { name } } }),
    () => volume({ iscsi: { targetPortal: "1.2.3.4", iqn: "iqn.2000-01.a:b", lun: 0, secretRef: { name } } }),
    () => volume({ flexVolume: { driver: "a/b", secretRef: { name } } }),
    () => volume({ scaleIO: { gateway: "g", system: "s", secretRef: { name }, volumeName: "v" } }),
    () => volume({ storageos: { volumeName: "v", secretRef: { name } } }),
    () => volume({ cinder: { volumeID: "v", secretRef: { name } } }),
    () =>
      volume({
        ephemeral: {
          volumeClaimTemplate: {
            spec: {
              accessModes: ["ReadWriteOnce"],
              resources: { requests: { storage: "1Gi" } },
              storageClassName: "none",
            },
          },
        },
      }),
    () => ({ env: { name: `E${n}`, valueFrom: { secretKeyRef: { name, key: "k" } } } }),
    () => ({ env: { name: `E${n}`, valueFrom: { configMapKeyRef: { name, key: "k" } } } }),
    () => ({ envFrom: r.pick([{ secretRef: { name } }, { configMapRef: { name } }]) }),
    () => ({ pull: { name } }),
  ])();
}

function deletedPod({ r, i }) {
  return { method: "DELETE", path: `${path}/pods/${podName(i, r)}?gracePeriodSeconds=0`, headers: {}, quiet: true };
}

/** A pod that gets its node by a binding. */
function bound({ r, i, nodes }) {
  const body = { target: { apiVersion: "v1", kind: "Node", name: r.pick(nodes) }, metadata: { name: "x" } };
  const name = podName(i, r);
  return post(`${path}/pods/${name}/binding`, { ...body, metadata: { name } });
}

function secretsOf(r) {
  const ref = () => ({ name: r.pick(names), namespace });
  const own = () => ({ name: r.pick(names), ...(r.chance(0.6) && { namespace }) });
  return r.pick([
    () => ({
      csi: {
        driver: "d",
        volumeHandle: "h",
        ...(r.chance(0.5) && { nodePublishSecretRef: ref() }),
        ...(r.chance(0.5) && { nodeStageSecretRef: ref() }),
        ...(r.chance(0.3) && { nodeExpandSecretRef: ref() }),
        ...(r.chance(0.4) && { controllerPublishSecretRef: ref() }),
        ...(r.chance(0.4) && { controllerExpandSecretRef: ref() }),
      },
    }),
    () => ({
      azureFile: { secretName: r.pick(names), shareName: "s", ...(r.chance(0.5) && { secretNamespace: namespace }) },
    }),
    () => ({ cephfs: { monitors: ["m"], secretRef: own() } }),
    () => ({ rbd: { monitors: ["m"], image: "i", secretRef: own() } }),
    () => ({ iscsi: { targetPortal: "1.2.3.4", iqn: "iqn.2000-01.a:b", lun: 0, secretRef: own() } }),
    () => ({ flexVolume: { driver: "a/b", secretRef: own() } }),
    () => ({ scaleIO: { gateway: "g", system: "s", secretRef: own(), volumeName: "v" } }),
    () => ({ storageos: { volumeName: "v", secretRef: own() } }),
    () => ({ cinder: { volumeID: "v", secretRef: own() } }),
    () => ({ hostPath: { path: "/x" } }),
  ])();
}

function createdVolume({ r, i }) {
  const spec = {
    capacity: { storage: "1Gi" },
    accessModes: ["ReadWriteOnce"],
    storageClassName: "none",
    ...(r.chance(0.85) && { claimRef: { namespace, name: r.pick(names) } }),
    ...secretsOf(r),
  };
  return { ...post("/api/v1/persistentvolumes", { metadata: { name: volumeName(i, r) }, spec }), quiet: true };
}

function rebound({ r, i }) {
  const claimRef = r.pick([null, { namespace, name: r.pick(names) }]);
  return { ...patch(merge, `/api/v1/persistentvolumes/${volumeName(i, r)}`, { spec: { claimRef } }), quiet: true };
}

function createdAttachment({ r, i, nodes }) {
  const spec = { attacher: "d", nodeName: r.pick(nodes), source: { persistentVolumeName: volumeName(i, r) } };
  const body = { metadata: { name: `va${SEED}-${i}-${r.int(2)}` }, spec };
  return { ...post("/apis/storage.k8s.io/v1/volumeattachments", body), quiet: true };
}

const kubelet = (name) => as(`system:node:${name}`, ["system:nodes", "system:authenticated"]);

function kubeletRequest(world) {
  const { r, nodes } = world;
  const node = r.pick(nodes);
  const headers = r.chance(0.96)
    ? kubelet(node)
    : as(`system:node:${r.chance(0.5) ? "" : node}`, r.chance(0.5) ? ["system:nodes"] : []);
  const step = r.pick([
    read,
    read,
    read,
    read,
    ownClaimReview,
    token,
    ofNode,
    ofNode,
    ofPod,
    ofPod,
    mirrorPod,
    ofClaim,
    ofLease,
    ofCsiNode,
  ])(world, node);
  return { ...step, headers: { ...step.headers, ...headers }, view, exceptHeaders: ["warning", "location"] };
}

function read({ r, i, nodes }) {
  const object = () =>
    r.pick([
      ...[
        "secrets",
        "secrets",
        "secrets",
        "configmaps",
        "configmaps",
        "persistentvolumeclaims",
        "persistentvolumeclaims",
      ].map((resource) => `${path}/${resource}/${r.pick(names)}`),
      `/api/v1/persistentvolumes/${volumeName(i, r)}`,
      `/api/v1/persistentvolumes/${volumeName(i, r)}`,
      `/apis/storage.k8s.io/v1/volumeattachments/va${SEED}-${i}-${r.int(2)}`,
      `${path}/pods/${podName(i, r)}`,
      `/api/v1/nodes/${r.pick(nodes)}`,
      `${path}/serviceaccounts/a`,
    ]);
  const collection = () =>
    r.pick([
      `${path}/secrets`,
      `${path}/secrets?fieldSelector=metadata.name%3D${r.pick(names)}`,
      `${path}/configmaps?fieldSelector=metadata.name%3D${r.pick(names)}`,
      `${path}/configmaps?watch=1&timeoutSeconds=1&fieldSelector=metadata.name%3D${r.pick(names)}`,
      `${path}/secrets?watch=1&timeoutSeconds=1`,
      "/api/v1/secrets",
      `/api/v1/secrets?fieldSelector=metadata.name%3Da`,
      "/api/v1/persistentvolumes",
      `${path}/persistentvolumeclaims`,
      "/apis/storage.k8s.io/v1/volumeattachments",
    ]);
  return { method: "GET", path: r.chance(0.85) ? object() : collection() };
}

/**
 * A review of whether a node may read the claim that a pod makes for itself: a controller that makes it runs beside v1.29's
 * server only.
 */
function ownClaimReview({ r, i, nodes }) {
  const claim = { namespace, verb: "get", resource: "persistentvolumeclaims", name: `${podName(i, r)}-v${r.int(2)}` };
  const spec = { user: `system:node:${r.pick(nodes)}`, groups: ["system:nodes"], resourceAttributes: claim };
  return post("/apis/authorization.k8s.io/v1/subjectaccessreviews", { spec });
}

function token({ r, i }) {
  const boundObjectRef = r.pick([
    undefined,
    { apiVersion: "v1", kind: "Pod", name: podName(i, r), uid: "u" },
    { apiVersion: "v1", kind: "Pod", name: podName(i, r), uid: "$uid" },
    { apiVersion: "v1", kind: "Pod", name: podName(i, r) },
    { apiVersion: "v1", kind: "Secret", name: "a", uid: "u" },
    { kind: "Pod", name: podName(i, r), uid: "u" },
    { apiVersion: "v1", kind: "Pod", uid: "u" },
  ]);
  const spec = { ...(boundObjectRef && { boundObjectRef }) };
  return post(`${path}/serviceaccounts/${r.pick(["a", "a", "b", "default"])}/${r.chance(0.95) ? "token" : "x"}`, {
    spec,
  });
}

const labels = [
  "node-role.kubernetes.io/x",
  "kubernetes.io/hostname",
  "node-restriction.kubernetes.io/x",
  "a.node-restriction.kubernetes.io/x",
  "kubelet.kubernetes.io/x",
  "a.node.kubernetes.io/x",
  "topology.kubernetes.io/zone",
  "k8s.io/x",
  "a.k8s.io/x",
  "ak8s.io/x",
  "example.com/x",
  "x",
  "beta.kubernetes.io/os",
  "kubernetes.io/x",
];

function nodeChange(r) {
  const drawn = () =>
    Object.fromEntries(Array.from({ length: 1 + r.int(2) }, () => [r.pick(labels), r.pick(["v", "w", null])]));
  return r.pick([
    () => ({ metadata: { labels: drawn() } }),
    () => ({ metadata: { labels: drawn() } }),
    () => ({ metadata: { annotations: { a: "b" } } }),
    () => ({ spec: { taints: r.pick([[{ key: "a", effect: "NoSchedule" }], [], null]) } }),
    () => ({ spec: { unschedulable: r.chance(0.5) } }),
    () => ({
      spec: {
        configSource: r.pick([null, { configMap: { namespace: "a", name: "b", uid: "u", kubeletConfigKey: "k" } }]),
      },
    }),
    () => ({ status: { conditions: [{ type: "Ready", status: "True" }] } }),
    () => ({ metadata: { ownerReferences: [{ apiVersion: "example.com/v1", kind: "K", name: "n", uid: "u" }] } }),
    () => ({}),
  ])();
}

function ofNode({ r, nodes }, node) {
  const name = r.chance(0.7) ? node : r.pick(nodes);
  const suffix = r.pick(["", "", "", "/status", "/status"]);
  const type = r.pick([merge, strategic]);
  const withNulls = nodeChange(r);
  const whole = JSON.parse(JSON.stringify({ metadata: {}, ...withNulls }), (_, value) => value ?? undefined);
  const object = { ...whole, metadata: { ...whole.metadata, name } };
  return r.pick([
    () => patch(type, `/api/v1/nodes/${name}${suffix}`, withNulls),
    () => patch(type, `/api/v1/nodes/${name}${suffix}`, withNulls),
    () => post("/api/v1/nodes?dryRun=All", object),
    () => post("/api/v1/nodes", object),
    () => ({ method: "PUT", path: `/api/v1/nodes/${name}${suffix}`, body: object }),
    () => ({ method: "DELETE", path: `/api/v1/nodes/${name}?dryRun=All` }),
    () => ({ method: "DELETE", path: "/api/v1/nodes?dryRun=All&labelSelector=never" }),
  ])();
}

function ofPod({ r, i }) {
  const name = podName(i, r);
  return r.pick([
    () => patch(strategic, `${path}/pods/${name}/status`, { status: { phase: "Running" } }),
    () => patch(merge, `${path}/pods/${name}/status`, { metadata: { labels: { a: "b" } } }),
    () => patch(merge, `${path}/pods/${name}/status`, { metadata: { annotations: { a: "b" } } }),
    () => patch(merge, `${path}/pods/${name}/status`, { status: { resourceClaimStatuses: [{ name: "x" }] } }),
    () => patch(merge, `${path}/pods/${name}`, { metadata: { labels: { a: "b" } } }),
    () => ({ method: "DELETE", path: `${path}/pods/${name}?dryRun=All&gracePeriodSeconds=0` }),
    () => ({ method: "DELETE", path: `${path}/pods/${name}?gracePeriodSeconds=0` }),
    () => ({ method: "DELETE", path: `${path}/pods?dryRun=All` }),
    () => post(`${path}/pods/${name}/eviction?dryRun=All`, { metadata: { name } }),
    () => post(`${path}/pods/${name}/eviction`, { metadata: r.pick([{}, { name }, { name: "other" }]) }),
    () => post(`${path}/pods/${name}/binding`, { target: { kind: "Node", name: "x" } }),
    () => patch(strategic, `${path}/pods/${name}/ephemeralcontainers`, { spec: { ephemeralContainers: [] } }),
  ])();
}

function mirrorPod({ r, i, nodes }, node) {
  const nodeName = r.chance(0.85) ? node : r.pick(nodes);
  const reference_ = r.chance(0.3) ? reference(r, 0) : {};
  const owner = {
    apiVersion: r.chance(0.95) ? "v1" : "apps/v1",
    kind: r.chance(0.95) ? "Node" : "Pod",
    name: r.chance(0.9) ? node : "other",
    uid: "u",
    ...(r.chance(0.9) && { controller: r.chance(0.9) }),
    ...(r.chance(0.15) && { blockOwnerDeletion: r.chance(0.6) }),
  };
  const owners = r.chance(0.85) ? [owner] : r.pick([[], [owner, { ...owner, uid: "v", controller: false }]]);
  const container = {
    name: "c",
    image: "i",
    ...(reference_.env && { env: [reference_.env] }),
    ...(reference_.envFrom && { envFrom: [reference_.envFrom] }),
  };
  const body = {
    metadata: {
      name: podName(i, r),
      ...(r.chance(0.9) && { annotations: { "kubernetes.io/config.mirror": "x" } }),
      ownerReferences: owners,
    },
    spec: {
      containers: [container],
      ...(r.chance(0.95) && { nodeName }),
      ...(reference_.volume && { volumes: [reference_.volume] }),
      ...(reference_.pull && { imagePullSecrets: [reference_.pull] }),
      ...(r.chance(0.1) && { serviceAccountName: "a" }),
    },
  };
  return post(`${path}/pods?dryRun=All`, body);
}

function ofClaim({ r }) {
  const name = r.pick(names);
  const at = `${path}/persistentvolumeclaims/${name}`;
  return r.pick([
    () => patch(merge, `${at}/status?dryRun=All`, { status: { capacity: { storage: "2Gi" } } }),
    () => patch(merge, `${at}/status?dryRun=All`, { status: { phase: "Lost" } }),
    () => patch(merge, `${at}/status?dryRun=All`, { metadata: { labels: { a: "b" } } }),
    () => patch(merge, `${at}/status?dryRun=All`, { status: { conditions: [{ type: "Resizing", status: "True" }] } }),
    () => patch(merge, `${at}?dryRun=All`, { metadata: { labels: { a: "b" } } }),
    () => ({ method: "GET", path: `${at}/status` }),
  ])();
}

function ofLease({ r, nodes }, node) {
  const name = r.chance(0.7) ? node : r.pick(nodes);
  const where = `/apis/coordination.k8s.io/v1/namespaces/${r.chance(0.85) ? "kube-node-lease" : namespace}/leases`;
  const body = { metadata: { name }, spec: { holderIdentity: name } };
  return r.pick([
    () => post(where, body),
    () => post(where, { ...body, metadata: { generateName: "x" } }),
    () => ({ method: "PUT", path: `${where}/${name}`, body }),
    () => patch(merge, `${where}/${name}`, { spec: { leaseDurationSeconds: 1 } }),
    () => ({ method: "GET", path: `${where}/${name}` }),
    () => ({ method: "GET", path: where }),
    () => ({ method: "DELETE", path: `${where}/${name}` }),
    () => ({ method: "DELETE", path: `${where}?dryRun=All` }),
  ])();
}

function ofCsiNode({ r, nodes }, node) {
  const name = r.chance(0.7) ? node : r.pick(nodes);
  const where = "/apis/storage.k8s.io/v1/csinodes";
  const body = { metadata: { name }, spec: { drivers: [] } };
  return r.pick([
    () => post(where, body),
    () => ({ method: "PUT", path: `${where}/${name}`, body }),
    () => patch(merge, `${where}/${name}`, { metadata: { labels: { a: "b" } } }),
    () => ({ method: "GET", path: `${where}/${name}` }),
    () => ({ method: "GET", path: where }),
    () => ({ method: "DELETE", path: `${where}/${name}` }),
  ])();
}

/** The object of an answer; empty for events of a watch. */
function readFirst(body) {
  try {
    return JSON.parse(body.toString());
  } catch {
    return {};
  }
}

/** A refusal as a whole, and of what is allowed that it is. */
function view({ status, body }) {
  const { kind, metadata: _, ...told } = status < 400 ? readFirst(body) : JSON.parse(body.toString());
  if (status < 400) return kind === "SubjectAccessReview" ? told.status : "allowed";
  const uid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
  return JSON.parse(JSON.stringify(told).replace(uid, "UID").replaceAll("\u00a0", " "));
}
