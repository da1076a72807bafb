// Drawn controllers of pods that budgets select: kinds with and without a scale, and references with a mistake.
import { definition, version } from "../life-cycles/definitions.mjs";
import { send } from "../life-cycles/steps.mjs";

const nobody = "00000000-0000-0000-0000-000000000000";
const template = { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "c", image: "i" }] } };
const selector = { matchLabels: { app: "web" } };
const workload = (r) => ({ replicas: r.pick([0, 1, 2, 3, 4, 7]), selector, template });

const integer = { type: "integer" };
const scaleAt = (member) => ({
  subresources: { status: {}, scale: { specReplicasPath: `.spec.${member}`, statusReplicasPath: ".status.replicas" } },
});

/** A custom kind with another scale in each of its versions, v1 the preferred one. */
export const gizmos = {
  path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
  body: definition("settled.example.com", "Gizmo", [
    version("v1", { replicas: integer, size: integer }, scaleAt("replicas")),
    version("v1beta1", { replicas: integer, size: integer }, scaleAt("size")),
  ]),
};

/** Kinds that can be scaled. A ReplicaSet may be that of a Deployment. */
const scaled = [
  { plural: "replicasets", kind: "ReplicaSet", apiVersion: "apps/v1", spec: workload },
  { plural: "replicasets", kind: "ReplicaSet", apiVersion: "apps/v1", spec: workload, isOfDeployment: true },
  { plural: "deployments", kind: "Deployment", apiVersion: "apps/v1", spec: workload },
  {
    plural: "statefulsets",
    kind: "StatefulSet",
    apiVersion: "apps/v1",
    spec: (r) => ({ ...workload(r), serviceName: "s" }),
  },
  {
    plural: "replicationcontrollers",
    kind: "ReplicationController",
    apiVersion: "v1",
    spec: (r) => ({ ...workload(r), selector: { app: "web" } }),
  },
  {
    plural: "gizmos",
    kind: "Gizmo",
    apiVersion: "settled.example.com/v1",
    spec: (r) => r.pick([{ replicas: 3 }, { replicas: 3 }, { replicas: 0 }, {}]),
  },
  {
    plural: "gizmos",
    kind: "Gizmo",
    apiVersion: "settled.example.com/v1beta1",
    spec: () => ({ replicas: 2, size: 4 }),
  },
];
/** Kinds without a scale, at least in the version that is preferred or in that of the reference. */
const plain = [
  {
    plural: "widgets",
    kind: "Widget",
    apiVersion: "life.example.com/v1",
    spec: () => ({ replicas: 3 }),
  },
  {
    plural: "jobs",
    kind: "Job",
    apiVersion: "batch/v1",
    spec: () => ({ template: { spec: { ...template.spec, restartPolicy: "Never" } } }),
  },
  {
    plural: "daemonsets",
    kind: "DaemonSet",
    apiVersion: "apps/v1",
    spec: () => ({ selector, template }),
  },
  {
    plural: "widgets",
    kind: "Widget",
    apiVersion: "life.example.com/v2",
    spec: () => ({ replicas: 3 }),
  },
  { plural: "configmaps", kind: "ConfigMap", apiVersion: "v1" },
];
const mistakes = [
  { uid: nobody },
  { name: "absent" },
  { name: "absent", uid: nobody },
  { apiVersion: "absent.example.com/v1" },
  { apiVersion: "apps/v9" },
  { apiVersion: "extensions/v1beta1" },
  { kind: "Absent" },
  { apiVersion: "v1", kind: "Namespace" },
  { apiVersion: "life.example.com/v1", kind: "Gadget" },
  { apiVersion: "life.example.com/v1", kind: "Gadget", name: "absent" },
];

/**
 * Draws the owners of a namespace, at most one of them with a mistake or without a scale: of several faults v1.29 tells
 * that of any pod. Each is `{ steps, path, reference, hasScale }`.
 */
export function drawOwners(r, namespace) {
  const good = Array.from({ length: r.int(4) }, (_, at) =>
    ownerOf(r, { namespace, key: `o${at}`, kind: r.pick(scaled) }),
  );
  if (r.chance(0.6)) return good;
  const key = `o${good.length}`;
  if (r.chance(0.5)) return [...good, ownerOf(r, { namespace, key, kind: r.pick(plain) })];
  const owner = ownerOf(r, { namespace, key, kind: r.pick(scaled) });
  return [...good, { ...owner, reference: { ...owner.reference, ...r.pick(mistakes) } }];
}

function ownerOf(r, { namespace, key, kind }) {
  const above = kind.isOfDeployment ? deploymentAbove(r, { namespace, key }) : undefined;
  const { apiVersion, spec } = kind;
  const collection = `${rootOf(apiVersion)}/namespaces/${namespace}/${kind.plural}`;
  const metadata = { name: key, ...(above && { ownerReferences: [above.reference] }) };
  const make = {
    ...send("POST", collection, { apiVersion, kind: kind.kind, metadata, ...(spec && { spec: spec(r) }) }),
    save: { [`${key}uid`]: "metadata.uid" },
  };
  return {
    steps: [...(above?.steps ?? []), make],
    path: above !== undefined && r.chance(0.6) ? above.path : `${collection}/${key}`,
    reference: { apiVersion, kind: kind.kind, name: key, uid: `$${key}uid`, controller: true },
    hasScale: scaled.includes(kind),
  };
}

/** Draws the Deployment of a ReplicaSet, which may be absent. */
function deploymentAbove(r, { namespace, key }) {
  const owner = ownerOf(r, { namespace, key: `${key}d`, kind: scaled[2] });
  const mistake = r.chance(0.3)
    ? r.pick([{ uid: nobody }, { name: "absent" }, { apiVersion: "apps/v9" }, { apiVersion: "example.com/v1" }])
    : {};
  return { ...owner, reference: { ...owner.reference, ...mistake } };
}

const rootOf = (apiVersion) => (apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`);
