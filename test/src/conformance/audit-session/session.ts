import { rareRequests } from "./rare-requests.js";
import { mediaHeaders, type Sender, type Step } from "./step.js";

interface Sample {
  readonly base: string;
  readonly resource: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespaced?: false;
  /** Everything but type and metadata. */
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

const { json, merge, strategic, jsonPatch, apply, yaml, protobuf, table } = mediaHeaders;

/** The requests, in a namespace (and with names) of their own. */
export function auditSession(tag: string): readonly Step[] {
  return [
    ...create("/api/v1/namespaces", { kind: "Namespace", apiVersion: "v1", metadata: { name: tag } }),
    ...samples.flatMap((sample) => lifeOf(sample, tag)),
    ...odds(tag),
    ...failures(tag),
    ...outsideResources(),
    ...others(tag),
    ...impersonated(tag),
    ...mediaTypes(tag),
    ...longRunning(tag),
    ...crowds(tag),
    ...rareRequests(tag),
  ];
}

function create(path: string, object: object): readonly Step[] {
  return [{ method: "POST", path, headers: json, body: JSON.stringify(object) }];
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
    ...create(all, object),
    ...create(all, object),
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

/** Forms and options of requests that are not everyday. */
function odds(tag: string): readonly Step[] {
  const maps = `/api/v1/namespaces/${tag}/configmaps`;
  const accounts = `/api/v1/namespaces/${tag}/serviceaccounts`;
  const post = (path: string, body: string, headers: Readonly<Record<string, string>> = json): Step => ({
    method: "POST",
    path,
    headers,
    body,
  });
  return [
    post(maps, `metadata:\n  name: ${tag}-yaml\n  labels: {run: "yes"}\ndata:\n  n: "1"\n`, yaml),
    { method: "GET", path: `${maps}/${tag}-yaml`, headers: { accept: "application/yaml" } },
    { method: "POST", path: maps, headers: protobuf, body: protobufConfigMap(`${tag}-pb`) },
    post(maps, `{"metadata":{"generateName":"${tag}-gen-"}}`),
    post(`${maps}?fieldManager=someone`, `{\n  "metadata": {\n    "name": "${tag}-pretty"\n  }\n}`),
    post(`${maps}?fieldValidation=Warn`, `{"metadata":{"name":"${tag}-warn"},"odd":1}`),
    post(`${maps}?fieldValidation=Strict`, `{"metadata":{"name":"${tag}-strict"},"odd":1}`),
    { method: "PUT", path: `${maps}/${tag}-yaml`, headers: json, body: `{"metadata":{"name":"${tag}-yaml"}}` },
    {
      method: "PUT",
      path: `${maps}/${tag}-yaml`,
      headers: json,
      body: `{"metadata":{"name":"${tag}-yaml","uid":"12345678-1234-1234-1234-123456789012","resourceVersion":"1"}}`,
    },
    {
      method: "PATCH",
      path: `${maps}/${tag}-yaml?fieldManager=m&force=true`,
      headers: apply,
      body: `kind: ConfigMap\napiVersion: v1\nmetadata:\n  name: ${tag}-yaml\ndata: {x: "1"}\n`,
    },
    { method: "PATCH", path: `${maps}/${tag}-none`, headers: merge, body: "{}" },
    { method: "PATCH", path: `${maps}/${tag}-yaml`, headers: { "content-type": "text/plain" }, body: "{}" },
    { method: "DELETE", path: `${maps}/${tag}-pretty?gracePeriodSeconds=0&propagationPolicy=Background` },
    {
      method: "DELETE",
      path: `${maps}/${tag}-pb`,
      headers: json,
      body: '{"kind":"DeleteOptions","apiVersion":"v1","propagationPolicy":"Foreground","dryRun":["All"]}',
    },
    { method: "GET", path: `${maps}?fieldSelector=metadata.name%3D${tag}-yaml` },
    { method: "GET", path: `${maps}?watch=1&timeoutSeconds=1&fieldSelector=metadata.name%3Dx` },
    { method: "GET", path: `${maps}?watch=1&labelSelector=run%3Dnone`, leaves: true },
    { method: "GET", path: `${maps}?watch=1&resourceVersionMatch=odd` },
    {
      method: "GET",
      path: `/api/v1/watch/namespaces/${tag}/configmaps?timeoutSeconds=1&labelSelector=run%3Dnone`,
      leaves: true,
    },
    { method: "DELETE", path: `${maps}?labelSelector=run%3Dyes` },
    { method: "DELETE", path: `${maps}?fieldSelector=metadata.name%3D${tag}-warn`, headers: json, body: "{}" },
    post(`${accounts}/default/token`, '{"spec":{"audiences":["a"],"expirationSeconds":3600}}'),
    post(`${accounts}/none/token`, "{}"),
    post(
      "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
      '{"spec":{"nonResourceAttributes":{"path":"/x","verb":"get"}}}',
    ),
    post(
      `/apis/authorization.k8s.io/v1/namespaces/${tag}/localsubjectaccessreviews`,
      `{"metadata":{"namespace":"${tag}"},"spec":{"user":"u","resourceAttributes":{"namespace":"${tag}","verb":"get","resource":"pods"}}}`,
    ),
    post("/apis/authentication.k8s.io/v1/selfsubjectreviews", "{}"),
    post("/apis/authentication.k8s.io/v1/tokenreviews", '{"spec":{"token":"user-token"}}'),
    ...create(`/api/v1/namespaces/${tag}/pods`, {
      kind: "Pod",
      apiVersion: "v1",
      metadata: { name: `${tag}-pod` },
      spec: template.spec,
    }),
    post(
      `/api/v1/namespaces/${tag}/pods/${tag}-pod/binding`,
      `{"metadata":{"name":"${tag}-pod"},"target":{"kind":"Node","name":"n"}}`,
    ),
    post(`/api/v1/namespaces/${tag}/pods/${tag}-pod/eviction`, `{"metadata":{"name":"${tag}-pod"}}`),
    ...create(`/apis/apps/v1/namespaces/${tag}/deployments`, {
      kind: "Deployment",
      apiVersion: "apps/v1",
      metadata: { name: `${tag}-scaled` },
      spec: { selector, template },
    }),
    { method: "GET", path: `/apis/apps/v1/namespaces/${tag}/deployments/${tag}-scaled/scale` },
    {
      method: "PUT",
      path: `/apis/apps/v1/namespaces/${tag}/deployments/${tag}-scaled/scale`,
      headers: json,
      body: `{"metadata":{"name":"${tag}-scaled","namespace":"${tag}"},"spec":{"replicas":2}}`,
    },
    {
      method: "PATCH",
      path: `/apis/apps/v1/namespaces/${tag}/deployments/${tag}-scaled/scale`,
      headers: merge,
      body: '{"spec":{"replicas":3}}',
    },
    { method: "GET", path: "/apis/flowcontrol.apiserver.k8s.io/v1beta3/flowschemas?labelSelector=a%3Db" },
    { method: "GET", path: "/apis/flowcontrol.apiserver.k8s.io/v1beta3/flowschemas/none" },
    { method: "GET", path: `/api/v1/namespaces/${tag}/endpoints?limit=1` },
  ];
}

/** A ConfigMap without data: an envelope around its metadata with a name. */
function protobufConfigMap(name: string): Buffer {
  const field = (number: number, content: Buffer): Buffer =>
    Buffer.concat([Buffer.from([(number << 3) | 2, content.length]), content]);
  const text = (number: number, content: string): Buffer => field(number, Buffer.from(content));
  const typeMeta = field(1, Buffer.concat([text(1, "v1"), text(2, "ConfigMap")]));
  const object = field(2, field(1, text(1, name)));
  return Buffer.concat([Buffer.from("k8s\0"), typeMeta, object]);
}

function failures(tag: string): readonly Step[] {
  const maps = `/api/v1/namespaces/${tag}/configmaps`;
  const bodies: readonly string[] = [
    '{"metadata"',
    "[]",
    '{"metadata":{"name":"UPPER"}}',
    '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"}}',
    '{"metadata":{"name":1}}',
    '{"metadata":{"name":"a","namespace":"elsewhere"}}',
  ];
  return [
    ...bodies.map((body): Step => ({ method: "POST", path: maps, headers: json, body })),
    { method: "POST", path: maps, headers: { "content-type": "image/png" }, body: "x" },
    { method: "GET", path: maps, headers: { accept: "image/png" } },
    { method: "GET", path: `${maps}?limit=odd` },
    { method: "GET", path: `${maps}?labelSelector=%21%21` },
    { method: "GET", path: `${maps}?resourceVersionMatch=odd` },
    { method: "GET", path: `${maps}?timeout=odd` },
    { method: "PUT", path: maps, headers: json, body: "{}" },
    { method: "POST", path: `${maps}/a`, headers: json, body: "{}" },
    { method: "HEAD", path: `${maps}/a` },
    { method: "OPTIONS", path: maps },
    { method: "DELETE", path: `${maps}/none`, headers: json, body: '{"preconditions":{"uid":"none"}}' },
    { method: "PATCH", path: `${maps}/default`, headers: jsonPatch, body: "[{]" },
    { method: "GET", path: "/apis/none.example.com/v1/things" },
    { method: "GET", path: "/apis/apps/v9/deployments" },
    { method: "GET", path: `/apis/apps/v1/namespaces/${tag}/things/a` },
    { method: "POST", path: `/api/v1/namespaces/${tag}/pods/none/exec?command=ls` },
    { method: "GET", path: `/api/v1/namespaces/${tag}/configmaps/a/none` },
    { method: "GET", path: maps, as: "anonymous" },
    { method: "GET", path: maps, as: "nobody" },
    { method: "POST", path: maps, headers: json, body: "{}", as: "nobody" },
    { method: "GET", path: `${maps}/a`, as: "nobody" },
    { method: "GET", path: "/version", as: "nobody" },
    { method: "POST", path: maps, headers: json, body: '{"metadata":{"name":"a"}}', as: "jane" },
    { method: "DELETE", path: `${maps}/a`, as: "jane" },
    { method: "PATCH", path: `${maps}/a`, headers: merge, body: "{}", as: "jane" },
    { method: "GET", path: "/metrics", as: "jane" },
    { method: "GET", path: `${maps}?watch=1`, as: "jane" },
  ];
}

function outsideResources(): readonly Step[] {
  const paths = ["/version", "/livez", "/healthz/ping", "/nothing", "/", "/api", "/apis/apps", "/openapi/v3/none"];
  return [
    ...paths.map((path): Step => ({ method: "GET", path })),
    { method: "GET", path: "/healthz?verbose=1", as: "anonymous" },
    { method: "POST", path: "/version", headers: json, body: '{"secret":1}' },
    { method: "HEAD", path: "/livez" },
    { method: "PUT", path: "/nothing" },
    { method: "DELETE", path: "/livez" },
    { method: "GET", path: "/version", headers: { accept: "image/png" } },
    { method: "GET", path: "//version" },
    { method: "GET", path: "/readyz/ping?a=b%20c&d=e+f" },
  ];
}

/** What headers say of the client, and as whom it acts. */
function others(tag: string): readonly Step[] {
  const path = `/api/v1/namespaces/${tag}/configmaps/a`;
  const get = (headers: Readonly<Record<string, string>>, as: Sender = "admin"): Step => ({
    method: "GET",
    path,
    headers,
    as,
  });
  return [
    get({ "x-forwarded-for": "1.2.3.4, bad,::ffff:5.6.7.8, 2001:DB8:0::1" }),
    get({ "x-forwarded-for": "127.0.0.1", "x-real-ip": "010.1.1.1" }),
    get({ "x-forwarded-for": "1.2.3.4,5.6.7.8", "x-real-ip": "1.2.3.4" }),
    get({ "x-real-ip": "not an address" }),
    get({ "user-agent": "x".repeat(1024) }),
    get({ "user-agent": "y".repeat(1025) }),
    get({ "user-agent": "" }),
    get({ "impersonate-user": "bob" }),
    get({ "impersonate-user": "bob", "impersonate-group": "g", "impersonate-extra-k": "v" }),
    get({ "impersonate-user": "system:serviceaccount:a:b" }),
    get({ "impersonate-user": "bob" }, "jane"),
    get({ "impersonate-group": "g" }),
    { method: "GET", path: "/apis/none", headers: { "impersonate-user": "system:anonymous" } },
  ];
}

/** One who may acts as another, with every verb; the policy sees who has authenticated. */
function impersonated(tag: string): readonly Step[] {
  const maps = `/api/v1/namespaces/${tag}/configmaps`;
  const bob = { "impersonate-user": "bob", "impersonate-group": "system:masters" };
  return [
    { method: "POST", path: maps, headers: { ...json, ...bob }, body: `{"metadata":{"name":"${tag}-bob"}}` },
    { method: "GET", path: `${maps}/${tag}-bob`, headers: bob },
    {
      method: "PUT",
      path: `${maps}/${tag}-bob`,
      headers: { ...json, ...bob },
      body: `{"metadata":{"name":"${tag}-bob"}}`,
    },
    { method: "PATCH", path: `${maps}/${tag}-bob`, headers: { ...merge, ...bob }, body: '{"data":{"a":"1"}}' },
    { method: "GET", path: `${maps}?labelSelector=run%3Dnone`, headers: bob },
    { method: "DELETE", path: `${maps}/${tag}-bob`, headers: bob },
    { method: "DELETE", path: `${maps}?labelSelector=run%3Dnone`, headers: bob },
    { method: "GET", path: "/api", headers: { "impersonate-user": "bob", "impersonate-uid": "bob-uid" } },
    { method: "GET", path: `${maps}/a`, headers: { "impersonate-user": "", "impersonate-group": "g" } },
    { method: "GET", path: `${maps}/a`, headers: bob, as: "anonymous" },
    { method: "GET", path: `${maps}/a`, headers: bob, as: "nobody" },
  ];
}

/** What is asked for, and what is sent, in other forms than JSON, of several resources and subresources. */
function mediaTypes(tag: string): readonly Step[] {
  const deployments = `/apis/apps/v1/namespaces/${tag}/deployments`;
  const proto = { accept: "application/vnd.kubernetes.protobuf" };
  const metadataOnly = { accept: "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io" };
  const metadataList = { accept: "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io" };
  const text = { accept: "application/yaml" };
  return [
    { method: "GET", path: `${deployments}/${tag}-scaled`, headers: metadataOnly },
    { method: "GET", path: `${deployments}?fieldSelector=metadata.name%3D${tag}-scaled`, headers: metadataList },
    { method: "GET", path: `${deployments}?fieldSelector=metadata.name%3D${tag}-scaled`, headers: proto },
    { method: "GET", path: `${deployments}?fieldSelector=metadata.name%3D${tag}-scaled`, headers: text },
    { method: "GET", path: `${deployments}/${tag}-scaled/scale`, headers: text },
    { method: "GET", path: `${deployments}/${tag}-scaled/status`, headers: table },
    {
      method: "PATCH",
      path: `${deployments}/${tag}-scaled`,
      headers: { ...merge, ...text },
      body: '{"metadata":{"labels":{"l":"1"}}}',
    },
    {
      method: "PATCH",
      path: `${deployments}/${tag}-scaled`,
      headers: { ...strategic, ...proto },
      body: '{"metadata":{"labels":{"m":"1"}}}',
    },
    {
      method: "PATCH",
      path: `${deployments}/${tag}-scaled`,
      headers: { ...merge, ...table },
      body: '{"metadata":{"labels":{"n":"1"}}}',
    },
    {
      method: "PATCH",
      path: `${deployments}/${tag}-scaled?dryRun=All`,
      headers: merge,
      body: '{"metadata":{"labels":{"o":"1"}}}',
    },
    {
      method: "PATCH",
      path: `${deployments}/${tag}-scaled/status`,
      headers: jsonPatch,
      body: '[{"op":"test","path":"/kind","value":"Pod"}]',
    },
    {
      method: "PATCH",
      path: `${deployments}/${tag}-scaled`,
      headers: strategic,
      body: '{"spec":{"template":{"spec":{"containers":[{"name":"c","image":""}]}}}}',
    },
    { method: "GET", path: `/api/v1/namespaces/${tag}`, headers: text },
    { method: "GET", path: `/api/v1/namespaces?fieldSelector=metadata.name%3D${tag}`, headers: table },
  ];
}

/** Requests that last as long as the client likes, and those that look as if they did. */
function longRunning(tag: string): readonly Step[] {
  const maps = `/api/v1/namespaces/${tag}/configmaps`;
  const none = "labelSelector=run%3Dnone";
  return [
    { method: "GET", path: `${maps}?watch=true&timeoutSeconds=1&${none}`, headers: table },
    {
      method: "GET",
      path: `${maps}?watch=true&timeoutSeconds=1&${none}`,
      headers: { accept: "application/vnd.kubernetes.protobuf;stream=watch" },
    },
    { method: "GET", path: `${maps}?watch=false&${none}` },
    { method: "GET", path: `${maps}?watch=1&resourceVersion=odd` },
    { method: "GET", path: `/apis/apps/v1/deployments?watch=1&timeoutSeconds=1&${none}` },
    { method: "GET", path: `/api/v1/watch/namespaces/${tag}/configmaps/none?timeoutSeconds=1` },
    { method: "GET", path: `${maps}?watch=1&${none}`, as: "anonymous" },
    { method: "GET", path: `${maps}?watch=1&${none}`, as: "nobody" },
    {
      method: "GET",
      path: `${maps}?watch=1&timeoutSeconds=1&${none}`,
      headers: { "impersonate-user": "bob", "impersonate-group": "system:masters" },
    },
    { method: "POST", path: `/api/v1/namespaces/${tag}/pods/none/portforward` },
    { method: "GET", path: `/api/v1/namespaces/${tag}/pods/none/log` },
    { method: "GET", path: `/api/v1/namespaces/${tag}/pods/none/log?follow=true` },
    { method: "POST", path: `/api/v1/namespaces/${tag}/pods/none/attach`, as: "jane" },
  ];
}

/** Collections: pages, deletions of many, and what is in no namespace. */
function crowds(tag: string): readonly Step[] {
  const secrets = `/api/v1/namespaces/${tag}/secrets`;
  const one = (name: string): readonly Step[] =>
    create(secrets, { kind: "Secret", apiVersion: "v1", metadata: { name: `${tag}-${name}`, labels: { crowd: "1" } } });
  return [
    ...one("a"),
    ...one("b"),
    { method: "GET", path: `${secrets}?limit=1&labelSelector=crowd%3D1` },
    { method: "GET", path: `/api/v1/secrets?labelSelector=crowd%3D1`, headers: table },
    { method: "DELETE", path: `${secrets}?labelSelector=crowd%3D1&dryRun=All` },
    { method: "DELETE", path: `${secrets}?labelSelector=crowd%3D1`, as: "jane" },
    { method: "DELETE", path: `${secrets}?labelSelector=crowd%3D1&propagationPolicy=odd` },
    { method: "DELETE", path: `${secrets}?labelSelector=crowd%3D1` },
    { method: "DELETE", path: "/api/v1/namespaces" },
    { method: "PUT", path: `/api/v1/namespaces/${tag}/finalize`, headers: json, body: "{}" },
    { method: "GET", path: "/api/v1/nodes/none/status" },
    { method: "GET", path: "/apis/storage.k8s.io/v1/storageclasses?limit=1&labelSelector=run%3Dnone" },
    { method: "GET", path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions?labelSelector=run%3Dnone" },
  ];
}
