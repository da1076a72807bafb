// Drawn objects that quotas count, changes of them, and what all namespaces share: classes of priority, storage and runtimes.
import { send } from "../life-cycles/steps.mjs";

const quantities = {
  cpu: ["0", "100m", "250m", "1", "1500m", "0.1"],
  memory: ["0", "64Mi", "1Gi", "100M", "1e3", "1500"],
  "ephemeral-storage": ["1Gi", "500M"],
  "example.com/gpu": ["1", "2"],
  "hugepages-2Mi": ["2Mi", "4Mi"],
};

/** Objects that are there before the first case. */
export const shared = [
  ...["high", "low"].map((name, at) => ({
    path: "/apis/scheduling.k8s.io/v1/priorityclasses",
    body: { metadata: { name: `quota-${name}` }, value: 10 - at },
  })),
  {
    path: "/apis/node.k8s.io/v1/runtimeclasses",
    body: {
      metadata: { name: "quota-heavy" },
      handler: "heavy",
      overhead: { podFixed: { cpu: "50m", memory: "10Mi", "ephemeral-storage": "1Mi" } },
    },
  },
  {
    path: "/apis/storage.k8s.io/v1/storageclasses",
    body: { metadata: { name: "fast" }, provisioner: "example.com/fast", allowVolumeExpansion: true },
  },
];

/** Draws an object of a namespace: the steps that make it, and changes of it, `[isCountedAtOnce, (r) => steps]`. */
export function drawCounted(r, namespace, name) {
  const draw = r.weighted(
    [
      [5, drawPod],
      [2, drawClaim],
      [2, drawService],
      [1.5, drawPlain],
    ],
    ([weight]) => weight,
  )[1];
  const { collection, body, changes = [] } = draw(r, namespace);
  const path = `${collection}/${name}`;
  const remove = (r) => [send("DELETE", path, r.pick([undefined, { gracePeriodSeconds: 0 }]))];
  return {
    make: [
      send("POST", r.chance(0.1) ? `${collection}?dryRun=All` : collection, {
        ...body,
        metadata: { name, ...body.metadata },
      }),
    ],
    changes: [[true, remove], ...changes.map(([isCounted, change]) => [isCounted, (r) => change(r, path)])],
  };
}

const patch = (path, body) => send("PATCH", path, body, "merge");

function drawPod(r, namespace) {
  const container = (name, more) => ({ name, image: "i", ...more, resources: resourcesOf(r) });
  const isInit = r.chance(0.35);
  const spec = {
    containers: [container("c"), ...(r.chance(0.3) ? [container("d")] : [])],
    ...(isInit && {
      initContainers: [
        container("i"),
        ...(r.chance(0.4) ? [container("j", { restartPolicy: "Always" })] : []),
        ...(r.chance(0.3) ? [container("k")] : []),
      ],
    }),
    ...(r.chance(0.25) && { activeDeadlineSeconds: 1000 }),
    ...(r.chance(0.35) && { priorityClassName: r.pick(["quota-high", "quota-low"]) }),
    ...(r.chance(0.2) && { runtimeClassName: "quota-heavy" }),
    ...(r.chance(0.3) && { nodeName: "n1" }),
    ...(r.chance(0.2) && { affinity: affinityOf(r) }),
    terminationGracePeriodSeconds: r.pick([0, 1, 600]),
  };
  const ended = (r) => r.pick(["Succeeded", "Failed"]);
  return {
    collection: `/api/v1/namespaces/${namespace}/pods`,
    body: { metadata: { ...(r.chance(0.15) && { finalizers: ["example.com/held"] }) }, spec },
    changes: [
      [true, (r, path) => [patch(`${path}/status`, { status: { phase: ended(r) } })]],
      [true, (r, path) => [patch(`${path}/status`, { status: { phase: ended(r) } })]],
      [false, (r, path) => [patch(`${path}/status`, { status: { phase: r.pick(["Running", "Pending"]) } })]],
      [false, (_r, path) => [patch(path, { spec: { activeDeadlineSeconds: 500 } })]],
      [false, (_r, path) => [patch(path, { metadata: { finalizers: [] } })]],
    ],
  };
}

function resourcesOf(r) {
  if (r.chance(0.3)) return {};
  const amounts = Object.entries(quantities).filter(([name]) => r.chance(name.length < 7 ? 0.6 : 0.15));
  const limits = Object.fromEntries(amounts.map(([name, values]) => [name, r.pick(values)]));
  // Amounts that cannot be overcommitted are the same in both.
  const isWhole = (name) => name === "example.com/gpu" || name.startsWith("hugepages");
  const requests = Object.fromEntries(Object.entries(limits).filter(([name]) => isWhole(name) || r.chance(0.6)));
  return r.pick([{ limits }, { limits, requests }, { requests, limits: onlyWhole(requests, isWhole) }]);
}

const onlyWhole = (amounts, isWhole) => Object.fromEntries(Object.entries(amounts).filter(([name]) => isWhole(name)));

function affinityOf(r) {
  const term = {
    topologyKey: "zone",
    labelSelector: { matchLabels: { a: "b" } },
    ...r.pick([{}, { namespaces: ["default"] }, { namespaceSelector: {} }, { namespaces: [] }]),
  };
  const kind = r.pick(["podAffinity", "podAntiAffinity"]);
  return r.chance(0.5)
    ? { [kind]: { requiredDuringSchedulingIgnoredDuringExecution: [term] } }
    : { [kind]: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: term }] } };
}

const sizes = ["1Gi", "1500M", "5Gi", "1", "1.5Gi", "100m"];

function drawClaim(r, namespace) {
  const storageClassName = r.pick(["fast", "fast", "slow", undefined, ""]);
  return {
    collection: `/api/v1/namespaces/${namespace}/persistentvolumeclaims`,
    body: {
      metadata: {
        ...(r.chance(0.15) && { annotations: { "volume.beta.kubernetes.io/storage-class": "old" } }),
        ...(r.chance(0.2) && { finalizers: ["example.com/held"] }),
      },
      spec: { accessModes: ["ReadWriteOnce"], storageClassName, resources: { requests: { storage: r.pick(sizes) } } },
    },
    changes: [
      [false, (_r, path) => [patch(`${path}/status`, { status: { phase: "Bound", capacity: { storage: "5Gi" } } })]],
      [
        true,
        (r, path) => [
          patch(`${path}/status`, { status: { phase: "Bound" } }),
          patch(path, { spec: { resources: { requests: { storage: r.pick(["7Gi", "10Gi"]) } } } }),
        ],
      ],
      [
        false,
        (r, path) => [patch(`${path}/status`, { status: { allocatedResources: { storage: r.pick(["20Gi", "1"]) } } })],
      ],
    ],
  };
}

function drawService(r, namespace) {
  const type = r.pick(["ClusterIP", "NodePort", "NodePort", "LoadBalancer", "LoadBalancer", "ExternalName"]);
  const ports = Array.from({ length: 1 + r.int(3) }, (_, at) => ({ name: `p${at}`, port: 80 + at }));
  const spec = {
    type,
    ...(type === "ExternalName" ? { externalName: "example.com" } : { ports }),
    ...(type === "LoadBalancer" && r.chance(0.5) && { allocateLoadBalancerNodePorts: r.chance(0.3) }),
  };
  return {
    collection: `/api/v1/namespaces/${namespace}/services`,
    body: { spec },
    changes: [
      [true, (r, path) => [patch(path, { spec: { type: r.pick(["ClusterIP", "NodePort", "LoadBalancer"]), ports } })]],
      [false, (_r, path) => [patch(path, { spec: { ports: ports.slice(0, 1) } })]],
    ],
  };
}

const template = { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } };
const selector = { matchLabels: { a: "b" } };

function drawPlain(r, namespace) {
  const [root, plural, body] = r.pick([
    ["/api/v1", "configmaps", {}],
    ["/api/v1", "secrets", {}],
    ["/api/v1", "replicationcontrollers", { spec: { replicas: 0, selector: { a: "b" }, template } }],
    ["/apis/apps/v1", "deployments", { spec: { selector, template } }],
    ["/apis/batch/v1", "jobs", { spec: { template: { spec: { ...template.spec, restartPolicy: "Never" } } } }],
    ["/apis/coordination.k8s.io/v1", "leases", {}],
    [
      "/apis/life.example.com/v1",
      "widgets",
      { apiVersion: "life.example.com/v1", kind: "Widget", spec: { replicas: 1 } },
    ],
  ]);
  return { collection: `${root}/namespaces/${namespace}/${plural}`, body };
}
