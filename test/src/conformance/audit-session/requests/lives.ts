import { create, mediaHeaders, type Step } from "../step.js";

interface Sample {
  readonly base: string;
  readonly resource: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespaced?: false;
  /** Members of the object except type and metadata. */
  readonly body?: object;
  /** A merge patch that is valid. */
  readonly change?: object;
  readonly status?: true;
}

const template = {
  metadata: { labels: { app: "a" } },
  spec: { containers: [{ name: "c", image: "registry.example.com/c:1" }] },
};
const selector = { matchLabels: { app: "a" } };

const samples: readonly Sample[] = [
  { base: "/api/v1", resource: "serviceaccounts", apiVersion: "v1", kind: "ServiceAccount" },
  { base: "/api/v1", resource: "configmaps", apiVersion: "v1", kind: "ConfigMap", body: { data: { a: "1" } } },
  { base: "/api/v1", resource: "secrets", apiVersion: "v1", kind: "Secret", body: { data: { a: "MQ==" } } },
  { base: "/api/v1", resource: "pods", apiVersion: "v1", kind: "Pod", body: { spec: template.spec }, status: true },
  {
    base: "/api/v1",
    resource: "replicationcontrollers",
    apiVersion: "v1",
    kind: "ReplicationController",
    body: { spec: { replicas: 0, selector: { app: "a" }, template } },
    status: true,
  },
  { base: "/api/v1", resource: "limitranges", apiVersion: "v1", kind: "LimitRange", body: { spec: { limits: [] } } },
  {
    base: "/apis/apps/v1",
    resource: "deployments",
    apiVersion: "apps/v1",
    kind: "Deployment",
    body: { spec: { replicas: 0, selector, template } },
    status: true,
  },
  {
    base: "/apis/apps/v1",
    resource: "replicasets",
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    body: { spec: { replicas: 0, selector, template } },
    status: true,
  },
  {
    base: "/apis/batch/v1",
    resource: "jobs",
    apiVersion: "batch/v1",
    kind: "Job",
    body: {
      spec: {
        suspend: true,
        manualSelector: true,
        selector,
        template: { ...template, spec: { ...template.spec, restartPolicy: "Never" } },
      },
    },
    status: true,
  },
  {
    base: "/apis/networking.k8s.io/v1",
    resource: "networkpolicies",
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    body: { spec: { podSelector: {} } },
  },
  {
    base: "/apis/rbac.authorization.k8s.io/v1",
    resource: "roles",
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "Role",
    body: { rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }] },
  },
  {
    base: "/apis/rbac.authorization.k8s.io/v1",
    resource: "clusterroles",
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRole",
    namespaced: false,
    body: { rules: [] },
  },
  {
    base: "/apis/coordination.k8s.io/v1",
    resource: "leases",
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    body: { spec: { holderIdentity: "me" } },
  },
  {
    base: "/apis/storage.k8s.io/v1",
    resource: "storageclasses",
    apiVersion: "storage.k8s.io/v1",
    kind: "StorageClass",
    namespaced: false,
    body: { provisioner: "example.com/p" },
  },
  {
    base: "/apis/scheduling.k8s.io/v1",
    resource: "priorityclasses",
    apiVersion: "scheduling.k8s.io/v1",
    kind: "PriorityClass",
    namespaced: false,
    body: { value: 7 },
  },
];

const { json, merge, strategic, jsonPatch, apply, table } = mediaHeaders;

/** Requests on one object of each sort, from its creation to its end. */
export function lives(tag: string): readonly Step[] {
  return samples.flatMap((sample) => lifeOf(sample, tag));
}

function lifeOf(sample: Sample, tag: string): readonly Step[] {
  const { base, resource, apiVersion, kind, body, namespaced } = sample;
  const all = namespaced === false ? `${base}/${resource}` : `${base}/namespaces/${tag}/${resource}`;
  const name = resource === "serviceaccounts" ? "default" : `${tag}-one`;
  const one = `${all}/${name}`;
  const labels = { run: tag };
  const object = { kind, apiVersion, metadata: { name, labels }, ...body };
  const applied = { kind, apiVersion, metadata: { name, labels: { run: "other" } } };
  const selected = `labelSelector=run%3D${tag}`;
  const again = resource === "serviceaccounts" ? [] : [{ method: "DELETE", path: one }];
  return [
    { method: "POST", path: `${all}?dryRun=All`, headers: json, body: JSON.stringify(object) },
    create(all, object),
    create(all, object),
    { method: "GET", path: one },
    { method: "GET", path: one, headers: table },
    { method: "GET", path: one, headers: { accept: "application/vnd.kubernetes.protobuf" } },
    { method: "GET", path: `${all}?${selected}` },
    { method: "GET", path: `${all}?${selected}`, headers: table },
    { method: "PATCH", path: one, headers: merge, body: '{"metadata":{"annotations":{"a":"1"}}}' },
    { method: "PATCH", path: one, headers: strategic, body: '{"metadata":\n  {"annotations":\t{"b":"1"}}}' },
    {
      method: "PATCH",
      path: one,
      headers: jsonPatch,
      body: '[{"op":"add","path":"/metadata/annotations/c","value":"1"}]',
    },
    { method: "PATCH", path: `${one}?fieldManager=m`, headers: apply, body: JSON.stringify(applied) },
    { method: "PATCH", path: `${one}?fieldManager=m&force=true`, headers: apply, body: JSON.stringify(applied) },
    { method: "GET", path: one, as: "jane" },
    ...(sample.status === true
      ? ([
          { method: "GET", path: `${one}/status` },
          { method: "PATCH", path: `${one}/status`, headers: merge, body: '{"metadata":{"annotations":{"d":"1"}}}' },
        ] as const)
      : []),
    ...again,
    { method: "GET", path: `${one}-none` },
  ];
}
