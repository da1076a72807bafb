import { inNamespace, merge, namespace, one, pod, post, put, quiet, send } from "../admission-pods/objects.mjs";

const ns = "adm-off-kubelet";
const pods = inNamespace(ns, "pods");
const as = (token) => (step) => ({
  ...step,
  as: "none",
  headers: { ...step.headers, authorization: `Bearer ${token}` },
});
const kubelet = as("node-token");
const nodes = "/api/v1/nodes";
const dry = "?dryRun=All";
const leases = "/apis/coordination.k8s.io/v1/namespaces";
const csiNodes = "/apis/storage.k8s.io/v1/csinodes";

const labels = [
  "kubernetes.io/hostname",
  "kubernetes.io/os",
  "foo.kubelet.kubernetes.io/x",
  "node.kubernetes.io/y",
  "node-restriction.kubernetes.io/z",
  "a.node-restriction.kubernetes.io/z",
  "x.k8s.io/q",
  "kubernetes.io/other",
  "example.com/mine",
  "plain",
];
const owner = (more) => [{ apiVersion: "v1", kind: "Node", name: "n1", uid: "some-uid", controller: true, ...more }];
const mirror = (spec, metadata) =>
  pod(
    "m",
    { nodeName: "n1", ...spec },
    { annotations: { "kubernetes.io/config.mirror": "x" }, ownerReferences: owner(), ...metadata },
  );

function* mirrorPods() {
  yield ["plain", pod("m", { nodeName: "n1" })];
  yield ["elsewhere", mirror({ nodeName: "n2" })];
  yield ["no owner", mirror({}, { ownerReferences: [] })];
  yield ["two owners", mirror({}, { ownerReferences: [...owner(), ...owner({ uid: "other", controller: false })] })];
  for (const more of [
    { kind: "Pod" },
    { name: "n2" },
    { apiVersion: "apps/v1" },
    { controller: false },
    { blockOwnerDeletion: true },
    {},
  ]) {
    yield [JSON.stringify(more), mirror({}, { ownerReferences: owner(more) })];
  }
}

export function* kubeletCases() {
  yield one("kubelet", namespace(ns), ...["n1", "n2"].map((name) => quiet(post(nodes, { metadata: { name } }))));
  for (const [name, body] of mirrorPods()) yield one(`mirror ${name}`, kubelet(post(pods + dry, body)));
  for (const [index, body] of [
    pod("own", { nodeName: "n1" }),
    pod("other", { nodeName: "n2" }),
    pod("free"),
  ].entries()) {
    const path = `${pods}/${body.metadata.name}`;
    yield one(
      `pod ${index}`,
      quiet(post(pods, body)),
      kubelet(merge(path + dry, { metadata: { labels: { a: "b" } } })),
      kubelet(merge(`${path}/status`, { status: { phase: "Running" } })),
      kubelet(merge(`${path}/status`, { metadata: { labels: { a: "b" } }, status: { phase: "Failed" } })),
      kubelet(merge(`${path}/status`, { status: { resourceClaimStatuses: [{ name: "c" }] } })),
      kubelet(merge(`${path}/ephemeralcontainers`, { spec: { ephemeralContainers: [{ name: "e", image: "i" }] } })),
      kubelet(
        post(`${path}/eviction${dry}`, {
          apiVersion: "policy/v1",
          kind: "Eviction",
          metadata: { name: body.metadata.name },
        }),
      ),
      kubelet(post(`${path}/binding`, { metadata: { name: body.metadata.name }, target: { name: "n1" } })),
      kubelet(send("DELETE", path + dry)),
    );
  }
  yield one(
    "pods that are not there",
    kubelet(send("DELETE", `${pods}/missing`)),
    kubelet(
      post(`${pods}/missing/eviction`, { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "missing" } }),
    ),
  );
  for (const label of labels) {
    yield one(
      `label ${label}`,
      kubelet(merge(`${nodes}/n1${dry}`, { metadata: { labels: { [label]: "v" } } })),
      kubelet(post(nodes + dry, { metadata: { name: "n1", labels: { [label]: "v" } } })),
    );
  }
  yield one(
    "nodes",
    kubelet(merge(`${nodes}/n2${dry}`, { metadata: { labels: { a: "b" } } })),
    kubelet(post(nodes + dry, { metadata: { name: "n3" } })),
    kubelet(merge(`${nodes}/n1${dry}`, { spec: { taints: [{ key: "x", effect: "NoSchedule" }] } })),
    kubelet(merge(`${nodes}/n1${dry}`, { spec: { unschedulable: true } })),
    kubelet(merge(`${nodes}/n1/status${dry}`, { status: { phase: "Running" } })),
    kubelet(merge(`${nodes}/n2/status${dry}`, { status: { phase: "Running" } })),
    kubelet(
      merge(`${nodes}/n1${dry}`, {
        spec: { configSource: { configMap: { name: "a", namespace: "b", kubeletConfigKey: "k" } } },
      }),
    ),
    kubelet(send("DELETE", `${nodes}/n2`)),
    kubelet(send("DELETE", `${nodes}/n1${dry}`)),
  );
  for (const token of ["nameless-token", "foreign-token"]) {
    yield one(
      token,
      as(token)(merge(`${nodes}/n1${dry}`, { metadata: { labels: { a: "b" } } })),
      as(token)(post(inNamespace(ns, "configmaps") + dry, { metadata: { name: "c" } })),
    );
  }
  const claims = inNamespace(ns, "persistentvolumeclaims");
  const claim = {
    metadata: { name: "c" },
    spec: { accessModes: ["ReadWriteOnce"], storageClassName: "x", resources: { requests: { storage: "1Gi" } } },
  };
  yield one(
    "claims",
    quiet(post(claims, claim)),
    kubelet(post(claims + dry, { ...claim, metadata: { name: "d" } })),
    kubelet(merge(`${claims}/c${dry}`, { metadata: { labels: { a: "b" } } })),
    kubelet(
      merge(`${claims}/c/status${dry}`, {
        status: { capacity: { storage: "1Gi" }, conditions: [{ type: "Resizing", status: "True" }] },
      }),
    ),
  );
  // The differences that are shown have all sorts of members in them.
  const status = (patch) => kubelet(merge(`${claims}/c/status${dry}`, patch));
  yield one(
    "claims in detail",
    // The finalizer of the protection stays: a controller would put it back at a time of its own.
    quiet(merge(`${claims}/c`, { metadata: { finalizers: ["x.example.com/y", "kubernetes.io/pvc-protection"] } })),
    status({ status: { phase: "Bound" } }),
    status({ metadata: { labels: { a: "b" } } }),
    status({ metadata: { annotations: { a: "b" }, finalizers: ["x.example.com/y", "z.example.com/y"] } }),
    status({ metadata: { ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "p", uid: "u" }] } }),
    quiet(send("DELETE", `${claims}/c`)),
    status({ metadata: { labels: { a: "b" } } }),
  );
  const lease = (name) => ({ metadata: { name }, spec: { holderIdentity: "h" } });
  yield one(
    "leases",
    kubelet(post(`${leases}/${ns}/leases`, lease("n1"))),
    kubelet(post(`${leases}/kube-node-lease/leases`, lease("n2"))),
    kubelet(post(`${leases}/kube-node-lease/leases`, lease("n1"))),
    kubelet(merge(`${leases}/kube-node-lease/leases/n1`, { spec: { holderIdentity: "g" } })),
    kubelet(send("DELETE", `${leases}/kube-node-lease/leases/n2`)),
  );
  yield one(
    "csinodes",
    kubelet(post(csiNodes, { metadata: { name: "n2" }, spec: { drivers: [] } })),
    kubelet(post(csiNodes, { metadata: { name: "n1" }, spec: { drivers: [] } })),
    kubelet(merge(`${csiNodes}/n1`, { metadata: { labels: { a: "b" } } })),
    kubelet(merge(`${csiNodes}/n2`, { metadata: { labels: { a: "b" } } })),
  );
  const token = `${inNamespace(ns, "serviceaccounts")}/default/token`;
  const bound = (more) => ({
    spec: { audiences: ["a"], boundObjectRef: { apiVersion: "v1", kind: "Pod", name: "own", ...more } },
  });
  yield one(
    "tokens",
    kubelet(post(token, { spec: { audiences: ["a"] } })),
    kubelet(post(token, bound({}))),
    kubelet(post(token, bound({ kind: "Secret", uid: "u" }))),
    kubelet(post(token, bound({ name: "missing", uid: "u" }))),
    kubelet(post(token, bound({ uid: "u" }))),
  );
  yield one(
    "others",
    kubelet(put(`${inNamespace(ns, "configmaps")}/c`, { metadata: { name: "c" } })),
    kubelet(post(inNamespace(ns, "configmaps"), { metadata: { name: "k" } })),
  );
}
