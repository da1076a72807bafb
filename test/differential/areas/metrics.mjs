// The metrics that a session of requests leaves behind: types, labels and buckets of every family, and the series that
// the requests have changed. Every case is a family of one of the two servers.
const namespace = "metrics-session";
const configMaps = `/api/v1/namespaces/${namespace}/configmaps`;
const json = { "content-type": "application/json" };
const definition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "gauges.metrics.example.com" },
  spec: {
    group: "metrics.example.com",
    names: { kind: "Gauge", plural: "gauges" },
    scope: "Namespaced",
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: { spec: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
          },
        },
      },
    ],
  },
};
const webhook = {
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: "ValidatingWebhookConfiguration",
  metadata: { name: "metrics-session" },
  webhooks: [
    {
      name: "refused.metrics.example.com",
      clientConfig: { url: "https://127.0.0.1:1/" },
      failurePolicy: "Ignore",
      sideEffects: "None",
      timeoutSeconds: 1,
      admissionReviewVersions: ["v1"],
      namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } },
      matchConditions: [{ name: "named", expression: "object.metadata.name == 'asked'" }],
      rules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"], operations: ["CREATE"] }],
    },
  ],
};
const configMap = (name) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { a: "1" } });
const services = `/api/v1/namespaces/${namespace}/services`;
const service = (name, spec) => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name },
  spec: { ports: [{ port: 80 }], ...spec },
});
const pods = `/api/v1/namespaces/${namespace}/pods`;
const pod = (name, spec) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name },
  spec: { automountServiceAccountToken: false, containers: [{ name: "c", image: "i" }], ...spec },
});
const labels = { "pod-security.kubernetes.io/enforce": "baseline", "pod-security.kubernetes.io/warn": "restricted" };
const session = [
  ["POST", "/api/v1/namespaces", json, { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } }],
  ["POST", configMaps, json, configMap("one")],
  ["POST", `${configMaps}?dryRun=All`, json, configMap("two")],
  ["POST", `${configMaps}?fieldValidation=Strict`, json, { ...configMap("three"), nope: 1 }],
  ["GET", `${configMaps}/one`],
  ["GET", `${configMaps}/absent`],
  ["GET", configMaps],
  ["GET", "/api/v1/configmaps"],
  ["GET", `${configMaps}?watch=1&timeoutSeconds=1`],
  ["GET", "/api/v1/watch/namespaces?timeoutSeconds=1"],
  ["PUT", `${configMaps}/one`, json, configMap("one")],
  ["PATCH", `${configMaps}/one`, { "content-type": "application/merge-patch+json" }, { data: { b: "2" } }],
  [
    "PATCH",
    `${configMaps}/one?fieldManager=me&force=true`,
    { "content-type": "application/apply-patch+yaml" },
    configMap("one"),
  ],
  ["POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", json, definition],
  ["POST", "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations", json, webhook],
  ["GET", "/apis/flowcontrol.apiserver.k8s.io/v1beta3/flowschemas?limit=1"],
  ["GET", "/healthz"],
  ["GET", "/readyz?verbose"],
  ["GET", "/version"],
  ["GET", "/api/v1"],
  ["GET", "/nope"],
  ["POST", `/api/v1/namespaces/${namespace}/serviceaccounts`, json, { metadata: { name: "default" } }],
  ["POST", pods, json, pod("free")],
  [
    "PATCH",
    `/api/v1/namespaces/${namespace}`,
    { "content-type": "application/merge-patch+json" },
    { metadata: { labels } },
  ],
  ["WAIT"],
  ["POST", configMaps, json, configMap("asked")],
  ["POST", configMaps, json, configMap("not-asked")],
  [
    "POST",
    `/apis/metrics.example.com/v1/namespaces/${namespace}/gauges`,
    json,
    { apiVersion: "metrics.example.com/v1", kind: "Gauge", metadata: { name: "one" } },
  ],
  ["GET", `/apis/metrics.example.com/v1/namespaces/${namespace}/gauges`],
  ["POST", services, json, service("any", { type: "NodePort" })],
  ["POST", `${services}?dryRun=All`, json, service("dry", { clusterIP: "192.0.2.1" })],
  ["POST", services, json, service("outside", { clusterIP: "192.0.2.1" })],
  ["POST", services, json, service("refused", { type: "NodePort", ports: [{ port: 80, nodePort: 1 }] })],
  ["DELETE", `${services}/any`],
  ["POST", pods, json, pod("warned")],
  ["POST", pods, json, pod("denied", { hostNetwork: true })],
  ["POST", `${pods}/warned/exec?command=true`],
  ["DELETE", `${configMaps}/one`],
  ["DELETE", configMaps],
  ["DELETE", "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/metrics-session"],
];

/** Families whose series other parts of a server change as well, at times that differ. */
const unsteady =
  /^(?:workqueue|etcd|rest_client|authenti|authorization|apiserver_selfrequest|apiserver_storage|apiserver_flowcontrol|process_|go_|nodejs_|grpc_)/;
/** Series of the session; others change by themselves. */
const own = /configmaps|metrics\.example\.com|request_operation|(?:^|,)resource=""|^(?!.*resource=)/;

/** Cases for a runner of differential areas. */
export async function* cases(...sides) {
  const before = await Promise.all(sides.map(scrape));
  await Promise.all(sides.map(run));
  const after = await Promise.all(sides.map(scrape));
  const names = new Set(after.flatMap((families) => [...families.keys()]));
  for (const name of [...names].sort()) {
    if (/^(?:go|grpc|nodejs|process)_/.test(name)) {
      continue;
    }
    const view = ({ body }) => viewOf(name, parse(body.toString()), before[isOurs(body) ? 1 : 0]);
    yield { name, steps: [{ method: "GET", path: "/metrics", view, exceptHeaders: ["content-type"] }] };
  }
}

function isOurs(body) {
  return body.includes("gatehouse");
}

async function run(side) {
  for (const [method, path, headers, body] of session) {
    if (method === "WAIT") {
      await new Promise((resolve) => setTimeout(resolve, 3000));
    } else {
      await side.request({ method, path, headers, body: body && JSON.stringify(body) });
    }
  }
}

async function scrape(side) {
  const { body } = await side.request({ method: "GET", path: "/metrics" });
  return parse(body.toString());
}

/** Returns the parts of a family that both servers must agree on. */
function viewOf(name, families, before) {
  const family = families.get(name);
  if (family === undefined) {
    return "absent";
  }
  const earlier = before.get(name)?.series ?? new Map();
  const changed = [...family.series].filter(([text, value]) => own.test(text) && value !== earlier.get(text));
  return {
    type: family.type,
    labels: [...family.labels].sort(),
    buckets: [...family.buckets],
    ...(unsteady.test(name) ? {} : { changed: [...new Set(changed.map(([text]) => text))].sort() }),
  };
}

function parse(text) {
  const families = new Map();
  let family;
  for (const line of text.split("\n")) {
    const head = /^# TYPE (\S+) (\S+)/.exec(line);
    if (head !== null) {
      family = { type: head[2], labels: new Set(), buckets: new Set(), series: new Map() };
      families.set(head[1], family);
      continue;
    }
    const sample = /^[a-zA-Z_:0-9]+(_bucket)?(?:\{(.*)\})? (\S+)/.exec(line);
    if (sample === null || family === undefined) {
      continue;
    }
    const pairs = [...(sample[2] ?? "").matchAll(/([a-zA-Z0-9_]+)="((?:[^"\\]|\\.)*)"/g)];
    const kept = pairs.filter(([, label]) => label !== "le" && label !== "quantile");
    for (const [, label, value] of pairs) {
      if (label === "le") {
        family.buckets.add(value);
      }
    }
    for (const [, label] of kept) {
      family.labels.add(label);
    }
    if (sample[1] === undefined && !line.includes("_sum")) {
      family.series.set(
        kept
          .map(([pair]) => pair)
          .sort()
          .join(","),
        sample[3],
      );
    }
  }
  return families;
}
