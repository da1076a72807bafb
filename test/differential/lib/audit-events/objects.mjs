// Requests for objects: every verb, with forms of bodies, parameters and answers.
import { protobufOf, unreadable, unreadablePatches, yamlOf } from "./bodies.mjs";
import { namespace, secureNamespace } from "./fixtures.mjs";

const template = { metadata: { labels: { app: "a" } }, spec: { containers: [{ name: "c", image: "i" }] } };
const selector = { matchLabels: { app: "a" } };
const rbac = "rbac.authorization.k8s.io/v1";
const flow = "flowcontrol.apiserver.k8s.io";
const flowSchema = { spec: { priorityLevelConfiguration: { name: "global-default" }, matchingPrecedence: 5000 } };

/** `[plural, group/version or version, kind, object without metadata, is of no namespace?]` */
const kinds = [
  ["configmaps", "v1", "ConfigMap", { data: { a: "1", b: "<&>" } }],
  ["configmaps", "v1", "ConfigMap", { data: { a: "1" } }],
  ["secrets", "v1", "Secret", { data: { a: "YQ==" } }],
  ["secrets", "v1", "Secret", { stringData: { a: "b" } }],
  ["pods", "v1", "Pod", template],
  ["services", "v1", "Service", { spec: { ports: [{ port: 80 }] } }],
  ["serviceaccounts", "v1", "ServiceAccount", { secrets: [{ name: "a" }] }],
  ["endpoints", "v1", "Endpoints", { subsets: [{ addresses: [{ ip: "1.2.3.4" }], ports: [{ port: 1 }] }] }],
  [
    "replicationcontrollers",
    "v1",
    "ReplicationController",
    { spec: { replicas: 0, selector: { app: "a" }, template } },
  ],
  ["deployments", "apps/v1", "Deployment", { spec: { replicas: 1, selector, template } }],
  [
    "cronjobs",
    "batch/v1",
    "CronJob",
    {
      spec: {
        schedule: "* * * * *",
        jobTemplate: { spec: { template: { spec: { restartPolicy: "Never", ...template.spec } } } },
      },
    },
  ],
  ["leases", "coordination.k8s.io/v1", "Lease", { spec: { holderIdentity: "a" } }],
  ["leases", "coordination.k8s.io/v1", "Lease", { spec: {} }],
  ["roles", rbac, "Role", { rules: [{ verbs: ["get"], apiGroups: [""], resources: ["pods"] }] }],
  [
    "rolebindings",
    rbac,
    "RoleBinding",
    { roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" }, subjects: [] },
  ],
  ["widgets", "example.com/v1", "Widget", { spec: { size: 1, replicas: 2 } }],
  ["widgets", "example.com/v2", "Widget", { spec: { size: 1 } }],
  ["clusterroles", rbac, "ClusterRole", { rules: [] }, true],
  ["namespaces", "v1", "Namespace", {}, true],
  ["nodes", "v1", "Node", {}, true],
  ["priorityclasses", "scheduling.k8s.io/v1", "PriorityClass", { value: 1 }, true],
  [
    "persistentvolumes",
    "v1",
    "PersistentVolume",
    { spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/a" } } },
    true,
  ],
  ["flowschemas", `${flow}/v1beta3`, "FlowSchema", flowSchema, true],
  [
    "certificatesigningrequests",
    "certificates.k8s.io/v1",
    "CertificateSigningRequest",
    { spec: { signerName: "example.com/s", request: "YQ==", usages: ["client auth"] } },
    true,
  ],
];

const accepts = [
  "application/json;as=Table;v=v1;g=meta.k8s.io",
  "application/json;as=Table;v=v1;g=meta.k8s.io,application/json",
  "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
  "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
  "application/json;as=Table;v=v9;g=meta.k8s.io",
  "application/yaml",
  "application/vnd.kubernetes.protobuf",
  "application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io",
  "application/cbor",
  "text/html",
  "*/*",
  "application/json;stream=watch",
];

/** Returns steps: what makes the object, the request to compare, and what removes the object. `id` is a name of its own. */
export function objectRequest(r, id) {
  const [plural, version, kind, members, isGlobal] = r.pick(kinds);
  const where = r.chance(0.15) ? secureNamespace : namespace;
  const root = version === "v1" ? "/api/v1" : `/apis/${version}`;
  const collection = isGlobal ? `${root}/${plural}` : `${root}/namespaces/${where}/${plural}`;
  const labels = { case: id };
  const body = { apiVersion: version, kind, metadata: { name: id, labels }, ...members };
  const drawn = { r, id, collection, everywhere: `${root}/${plural}`, body, isGlobal };
  const verb = r.pick(Object.keys(verbs));
  const step = verbs[verb](drawn);
  // A controller of v1.29's server writes the status of flow schemas at its own time.
  const exists = plural !== "flowschemas" && (verb === "create" ? r.chance(0.2) : r.chance(0.8));
  const accept = r.pick(r.chance(0.25) ? accepts : [undefined]);
  // v1.29 fails on a list of one object (500).
  const isRefused = accept?.includes("MetadataList") && verb !== "list" && verb !== "watch";
  const headers = { ...step.headers, ...(accept && !isRefused && { accept }) };
  const remove = { method: "DELETE", path: `${collection}/${id}?gracePeriodSeconds=0`, quiet: true };
  return {
    name: `${verb} ${version} ${plural}`,
    before: exists ? [{ method: "POST", path: collection, body, quiet: true }] : [],
    step: { ...step, headers },
    after: [remove],
  };
}

const parameters = {
  read: [
    "pretty=true",
    "resourceVersion=0",
    "resourceVersion=x",
    "resourceVersionMatch=Exact",
    "limit=x",
    "a=b",
    "limit=%zz",
  ],
  list: [
    "limit=1",
    "labelSelector=a%20b%20c",
    "fieldSelector=x%3Dy",
    "fieldSelector=metadata.name%3Dfixed",
    "continue=x",
    "resourceVersion=1",
    "limit=-1",
  ],
  write: [
    "dryRun=All",
    "dryRun=All",
    "dryRun=x",
    "fieldManager=me",
    "fieldManager=%00",
    "fieldValidation=Strict",
    "fieldValidation=Warn",
    "fieldValidation=x",
    "pretty=1",
  ],
  delete: [
    "dryRun=All",
    "gracePeriodSeconds=0",
    "gracePeriodSeconds=x",
    "propagationPolicy=Orphan",
    "propagationPolicy=x",
    "orphanDependents=true",
    "pretty=1",
  ],
};

function target(r, path, sorts, first = []) {
  const given = [...first, ...sorts.flatMap((sort) => (r.chance(0.3) ? [r.pick(parameters[sort])] : []))];
  return given.length === 0 ? path : `${path}?${given.join("&")}`;
}

/** A body in a drawn form, with its type. What was sent as an object is `sent`. */
function inForm(r, object) {
  if (r.chance(0.12)) {
    const [body, type] = r.pick(unreadable);
    return { body, headers: type === "" ? {} : { "content-type": type }, sent: parsed(body) };
  }
  if (object.kind === "ConfigMap" && r.chance(0.2)) {
    return { body: protobufOf(object), headers: { "content-type": "application/vnd.kubernetes.protobuf" } };
  }
  if (r.chance(0.2)) return { body: yamlOf(object), headers: { "content-type": "application/yaml" }, sent: object };
  return {
    body: JSON.stringify(object, null, r.pick([0, 0, 1])),
    headers: { "content-type": "application/json" },
    sent: object,
  };
}

function parsed(body) {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** An object with a change that may be wrong. */
function changed(r, object, id) {
  const { metadata } = object;
  const with_ = (more) => ({ ...object, metadata: { ...metadata, ...more } });
  if (r.chance(0.55)) return object;
  return r.pick([
    () => with_({ annotations: { a: "b" } }),
    () => with_({ name: "other" }),
    () => with_({ name: "UPPER" }),
    () => with_({ name: undefined, generateName: "gen-" }),
    () => with_({ name: undefined }),
    () => with_({ namespace: "elsewhere" }),
    () => with_({ namespace }),
    () => with_({ resourceVersion: "1" }),
    () => with_({ resourceVersion: "x" }),
    () => with_({ uid: "4f1b7f3e-0000-4000-8000-000000000000" }),
    () => with_({ labels: { "a b": "c" } }),
    () =>
      with_({
        managedFields: [
          { manager: "m", operation: "Update", apiVersion: object.apiVersion, fieldsType: "FieldsV1", fieldsV1: {} },
        ],
      }),
    () => with_({ finalizers: ["example.com/f"], name: id }),
    () => ({ ...object, unknown: 1 }),
    () => ({ ...object, kind: undefined, apiVersion: undefined }),
    () => ({ ...object, kind: "Other" }),
    () => ({ ...object, apiVersion: "other/v1" }),
    () => ({ ...object, metadata: undefined }),
    () => with_({ annotations: { large: "x".repeat(20_000) } }),
  ])();
}

const plain = (object) => JSON.parse(JSON.stringify(object));

function patch(type, body) {
  return {
    method: "PATCH",
    headers: { "content-type": type },
    body: typeof body === "string" ? body : JSON.stringify(body),
  };
}

function drawnPatch({ r, body, id }) {
  if (r.chance(0.15)) {
    const [text, type] = r.pick(unreadablePatches);
    return patch(type, text);
  }
  const change = {
    metadata: r.pick([
      { annotations: { a: "1" } },
      { labels: { "a b": "1" } },
      { name: "other" },
      { resourceVersion: "1" },
      { uid: "x" },
    ]),
  };
  const applied = plain(changed(r, body, id));
  return r.pick([
    () => patch("application/merge-patch+json", change),
    () => patch("application/strategic-merge-patch+json", change),
    () => patch("application/json-patch+json", [{ op: "add", path: "/metadata/annotations", value: { a: "1" } }]),
    () =>
      patch("application/json-patch+json", [
        { op: r.pick(["remove", "replace", "odd"]), path: "/metadata/labels/case", value: "x" },
      ]),
    () => patch("application/apply-patch+yaml", applied),
    () => patch("application/apply-patch+yaml", yamlOf(applied)),
  ])();
}

function deleteOptions(r) {
  return r.pick([
    {},
    { gracePeriodSeconds: 0 },
    { propagationPolicy: "Foreground" },
    { propagationPolicy: "x" },
    { dryRun: ["All"] },
    { preconditions: { uid: "other" } },
    { preconditions: { resourceVersion: "1" } },
    { kind: "DeleteOptions", apiVersion: "v1", gracePeriodSeconds: 1 },
    { kind: "DeleteOptions", apiVersion: "meta.k8s.io/v1", orphanDependents: true },
    { kind: "Pod", apiVersion: "v1" },
    { unknown: 1 },
  ]);
}

const ofCase = (id) => `labelSelector=case%3D${id}`;

const verbs = {
  get: ({ r, collection, id }) => ({ method: "GET", path: target(r, `${collection}/${id}`, ["read"]) }),
  list: ({ r, collection, everywhere, id }) => ({
    method: "GET",
    path: target(r, r.pick([collection, everywhere]), ["read", "list"], [ofCase(id)]),
  }),
  watch: ({ r, collection, everywhere, id }) => ({
    method: "GET",
    path: target(
      r,
      r.pick([collection, everywhere]),
      ["read", "list"],
      [ofCase(id), r.pick(["watch=1", "watch=true"]), "timeoutSeconds=1"],
    ),
    maxMs: 5000,
  }),
  create: ({ r, collection, body, id }) => ({
    method: "POST",
    path: target(r, collection, ["write"]),
    ...inForm(r, plain(changed(r, body, id))),
  }),
  update: ({ r, collection, body, id }) => ({
    method: "PUT",
    path: target(r, `${collection}/${id}`, ["write"]),
    ...inForm(r, plain(changed(r, body, id))),
  }),
  patch: (drawn) => ({
    path: target(
      drawn.r,
      `${drawn.collection}/${drawn.id}`,
      ["write"],
      drawn.r.chance(0.5) ? ["fieldManager=me"] : drawn.r.chance(0.3) ? ["force=true"] : [],
    ),
    ...drawnPatch(drawn),
  }),
  delete: ({ r, collection, id }) => ({
    method: "DELETE",
    path: target(r, `${collection}/${id}`, ["delete"]),
    ...(r.chance(0.5) && inForm(r, deleteOptions(r))),
  }),
  deletecollection: ({ r, collection, id }) => ({
    method: "DELETE",
    path: target(r, collection, ["delete"], [ofCase(id)]),
    ...(r.chance(0.5) && inForm(r, deleteOptions(r))),
  }),
};
