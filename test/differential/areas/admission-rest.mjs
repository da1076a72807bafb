// Admission plugins of v1.29 that are on by default and are not about pods alone: quotas, classes, storage, certificates.
// Both servers run without controllers that write what is compared (resourcequota, persistentvolume and claim
// protection), and without ServiceAccount, PodSecurity, LimitRanger, Priority, DefaultTolerationSeconds, RuntimeClass and
// TaintNodesByCondition.
import { dry, get, merge, namespaced, post, put, quiet, remove, settle } from "../lib/admission-steps.mjs";
import { requests } from "../lib/certificate-requests.mjs";
import { comparable as withoutChance } from "../lib/comparable.mjs";

export const parallel = 1;

export async function* cases() {
  for (const { name, steps } of sequences()) {
    yield { name, steps: steps.map((step) => ({ view: comparable, ...step })), independent: true };
  }
}

/** An answer without what is drawn by lot: names, ports, and the spaces of Go's differences. */
export function comparable({ body }) {
  const text = body
    .toString()
    .replace(/\b([a-z])-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, "$1-NAME")
    .replace(/"nodePort":3\d{4}/g, '"nodePort":3')
    .replace(/\(\*bool\)\(\w+\)/g, "(*bool)")
    .replaceAll("\u00a0", " ");
  return withoutChance({ body: Buffer.from(text) });
}

const newNamespace = (name) => quiet(post("/api/v1/namespaces", { metadata: { name } }));

/** Every case, with the requests in their order. Whoever replays them sends those that are quiet, too. */
export function* sequences() {
  yield* quotaSequences();
  yield* storageSequences();
  yield* ingressSequences();
  yield* certificateSequences();
}

// Quotas.

function quota(namespace, name, hard, used, spec = {}) {
  const path = namespaced(namespace, "resourcequotas");
  return [
    quiet(post(path, { metadata: { name }, spec: { hard, ...spec } })),
    quiet(merge(`${path}/${name}/status`, { status: { hard, used } })),
  ];
}

const zeros = (hard) => Object.fromEntries(Object.keys(hard).map((name) => [name, "0"]));
const container = (name, requests, limits) => ({ name, image: "i", resources: { requests, limits } });
const pod = (spec) => ({ metadata: { generateName: "p-" }, spec: { containers: [container("c")], ...spec } });

const resources = [
  {},
  { requests: { cpu: "100m" } },
  { requests: { cpu: "2", memory: "1Gi" } },
  { requests: { cpu: "500m", memory: "128Mi" }, limits: { cpu: "1", memory: "256Mi" } },
  { limits: { cpu: "1500m", memory: "3Gi", "ephemeral-storage": "2Gi" } },
  { requests: { "ephemeral-storage": "1Gi", "example.com/gpu": "2" }, limits: { "example.com/gpu": "2" } },
  { requests: { "hugepages-2Mi": "4Mi", cpu: "1" }, limits: { "hugepages-2Mi": "4Mi", cpu: "1" } },
  { requests: { cpu: "0", memory: "0" } },
  { requests: { cpu: "1000m", memory: "1e9" }, limits: { cpu: "1", memory: "1G" } },
];
const podShapes = [
  ...resources.map(({ requests, limits }) => pod({ containers: [container("c", requests, limits)] })),
  pod({ containers: [container("b", { cpu: "1" }), container("a", { memory: "1Gi" }), container("c")] }),
  pod({
    initContainers: [container("i", { cpu: "3", memory: "1Mi" })],
    containers: [container("c", { cpu: "1", memory: "1Gi" })],
  }),
  pod({
    initContainers: [
      { ...container("i", { cpu: "3", memory: "1Mi" }), restartPolicy: "Always" },
      container("j", { cpu: "1" }),
    ],
    containers: [container("c", { cpu: "1", memory: "1Gi" })],
  }),
  pod({ activeDeadlineSeconds: 30, containers: [container("c", { cpu: "1" })] }),
  pod({ activeDeadlineSeconds: 30 }),
  ...["near", "far"].map((name) =>
    pod({
      affinity: {
        podAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { topologyKey: "t", labelSelector: {}, ...(name === "far" ? { namespaces: ["x"] } : {}) },
          ],
        },
      },
    }),
  ),
  pod({
    affinity: {
      podAntiAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 1, podAffinityTerm: { topologyKey: "t", namespaceSelector: {} } },
        ],
      },
    },
  }),
];

const byClass = (operator, values) => ({
  scopeSelector: { matchExpressions: [{ scopeName: "PriorityClass", operator, values }] },
});
const podQuotas = [
  [{ pods: "0" }],
  [{ pods: "3" }],
  [{ "count/pods": "0" }],
  [{ cpu: "1" }],
  [{ "requests.cpu": "2", "requests.memory": "1Gi" }],
  [{ "limits.cpu": "1", "limits.memory": "1Gi" }],
  [{ memory: "512Mi", pods: "9" }],
  [{ "requests.ephemeral-storage": "512Mi", "limits.ephemeral-storage": "1Gi" }],
  [{ "requests.example.com/gpu": "1", pods: "1" }],
  [{ "hugepages-2Mi": "2Mi" }],
  [{ "requests.hugepages-2Mi": "2Mi" }],
  [{ pods: "0" }, { scopes: ["BestEffort"] }],
  [{ pods: "0" }, { scopes: ["NotBestEffort"] }],
  [{ cpu: "1", pods: "0" }, { scopes: ["Terminating", "NotBestEffort"] }],
  [{ pods: "0" }, { scopes: ["NotTerminating"] }],
  [{ pods: "0" }, { scopes: ["CrossNamespacePodAffinity"] }],
  [{ pods: "0" }, byClass("Exists")],
  [{ pods: "0" }, byClass("DoesNotExist")],
  [{ pods: "0" }, byClass("NotIn", ["high"])],
];

const servicePorts = (count, more = () => ({})) =>
  Array.from({ length: count }, (_, index) => ({ name: `p${index}`, port: index + 1, ...more(index) }));
const service = (spec) => ({ metadata: { generateName: "s-" }, spec });
const serviceShapes = [
  service({ ports: servicePorts(1) }),
  service({ clusterIP: "None", ports: servicePorts(1) }),
  service({ type: "ExternalName", externalName: "a.example" }),
  service({ type: "NodePort", ports: servicePorts(1) }),
  service({ type: "NodePort", ports: servicePorts(3) }),
  service({ type: "LoadBalancer", ports: servicePorts(2) }),
  service({ type: "LoadBalancer", allocateLoadBalancerNodePorts: false, ports: servicePorts(2) }),
];
const serviceQuotas = [
  { services: "0" },
  { "count/services": "0" },
  { "services.nodeports": "2" },
  { "services.loadbalancers": "0", "services.nodeports": "1" },
  { services: "1", "services.nodeports": "0", "services.loadbalancers": "1" },
];

const claim = (storage, spec = {}, metadata = {}) => ({
  metadata: { generateName: "c-", ...metadata },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage } }, ...spec },
});
const betaClass = "volume.beta.kubernetes.io/storage-class";
const claimShapes = [
  claim("1Gi"),
  claim("3Gi"),
  claim("1500m"),
  claim("1Gi", { storageClassName: "gold" }),
  claim("3Gi", { storageClassName: "gold" }),
  claim("1Gi", { storageClassName: "" }),
  claim("2Gi", {}, { annotations: { [betaClass]: "gold" } }),
];
const gold = "gold.storageclass.storage.k8s.io";
const claimQuotas = [
  { persistentvolumeclaims: "0" },
  { "count/persistentvolumeclaims": "0" },
  { "requests.storage": "2Gi" },
  { [`${gold}/requests.storage`]: "1Gi", [`${gold}/persistentvolumeclaims`]: "1" },
  { "requests.storage": "1Gi", [`${gold}/persistentvolumeclaims`]: "0" },
];

const others = [
  ["/api/v1", "configmaps", { metadata: { generateName: "x-" } }],
  ["/api/v1", "secrets", { metadata: { name: "named" } }],
  ["/api/v1", "serviceaccounts", { metadata: { name: "named" } }],
  ["/api/v1", "resourcequotas", { metadata: { name: "named" }, spec: {} }],
  ["/api/v1", "events", { metadata: { name: "named" }, involvedObject: { namespace: "NS" } }],
  ["/apis/coordination.k8s.io/v1", "leases", { metadata: { name: "named" }, spec: {} }],
  ["/apis/policy/v1", "poddisruptionbudgets", { metadata: { name: "named" }, spec: {} }],
  [
    "/apis/apps/v1",
    "deployments",
    {
      metadata: { name: "named" },
      spec: {
        selector: { matchLabels: { a: "b" } },
        template: { metadata: { labels: { a: "b" } }, spec: { containers: [container("c")] } },
      },
    },
  ],
];
const otherQuotas = [
  { configmaps: "0", secrets: "0", resourcequotas: "1" },
  { "count/configmaps": "0", "count/secrets": "0", "count/serviceaccounts": "0", "count/events": "0" },
  { "count/deployments.apps": "0", "count/leases.coordination.k8s.io": "0", "count/leases": "0" },
  { "count/poddisruptionbudgets.policy": "0", "count/deployments.extensions": "0" },
];

function* quotaSequences() {
  const kinds = [
    ["pods", podQuotas, podShapes],
    ["services", serviceQuotas.map((hard) => [hard]), serviceShapes],
    ["persistentvolumeclaims", claimQuotas.map((hard) => [hard]), claimShapes],
  ];
  for (const [resource, quotas, shapes] of kinds) {
    for (const [index, [hard, spec]] of quotas.entries()) {
      const namespace = `quota-${resource}-${index}`;
      const path = namespaced(namespace, resource);
      yield {
        name: `quota of ${resource} ${JSON.stringify([hard, spec])}`,
        steps: [
          newNamespace(namespace),
          ...quota(namespace, "q", hard, zeros(hard), spec),
          settle,
          ...shapes.map((shape) => dry(post(path, shape))),
          ...shapes.map((shape) => post(path, shape)),
          get(namespaced(namespace, "resourcequotas/q")),
        ],
      };
    }
  }
  for (const [index, hard] of otherQuotas.entries()) {
    const namespace = `quota-others-${index}`;
    yield {
      name: `quota of objects ${JSON.stringify(hard)}`,
      steps: [
        newNamespace(namespace),
        ...quota(namespace, "q", hard, zeros(hard)),
        settle,
        ...others.map(([base, resource, object]) =>
          post(
            `${base}/namespaces/${namespace}/${resource}`,
            JSON.parse(JSON.stringify(object).replaceAll("NS", namespace)),
          ),
        ),
        get(namespaced(namespace, "resourcequotas/q")),
      ],
    };
  }
  yield* quotaStates();
  yield* quotaChanges();
}

/** Statuses that tell too little, several quotas, names that are taken. */
function* quotaStates() {
  const object = { metadata: { generateName: "x-" } };
  const states = [
    ["status-empty", { configmaps: "0" }, { hard: {}, used: {} }],
    [
      "status-part",
      { configmaps: "5", secrets: "5" },
      { hard: { configmaps: "5", secrets: "5" }, used: { secrets: "0" } },
    ],
    ["status-other", { configmaps: "0" }, { hard: { configmaps: "1" }, used: { configmaps: "0" } }],
    ["status-over", { configmaps: "1" }, { hard: { configmaps: "1" }, used: { configmaps: "7" } }],
    [
      "status-both",
      { configmaps: "1", "count/configmaps": "1" },
      { hard: { configmaps: "1", "count/configmaps": "1" }, used: {} },
    ],
  ];
  for (const [namespace, hard, status] of states) {
    const path = namespaced(namespace, "configmaps");
    const quotas = namespaced(namespace, "resourcequotas");
    yield {
      name: `quota with ${namespace}`,
      steps: [
        newNamespace(namespace),
        quiet(post(quotas, { metadata: { name: "q" }, spec: { hard } })),
        quiet(merge(`${quotas}/q/status`, { status })),
        settle,
        post(path, object),
        post(path, object),
        post(namespaced(namespace, "secrets"), object),
        get(`${quotas}/q`),
      ],
    };
  }
  yield {
    name: "two quotas",
    steps: [
      newNamespace("quota-two"),
      ...quota("quota-two", "a", { configmaps: "5" }, { configmaps: "0" }),
      ...quota("quota-two", "b", { "count/configmaps": "1", secrets: "1" }, { "count/configmaps": "0", secrets: "0" }),
      settle,
      ...Array.from({ length: 3 }, () => post(namespaced("quota-two", "configmaps"), object)),
      get(namespaced("quota-two", "resourcequotas/a")),
      get(namespaced("quota-two", "resourcequotas/b")),
    ],
  };
  const named = { metadata: { name: "taken" } };
  yield {
    name: "what fails stays charged",
    steps: [
      newNamespace("quota-taken"),
      ...quota("quota-taken", "q", { configmaps: "3" }, { configmaps: "0" }),
      settle,
      post(namespaced("quota-taken", "configmaps"), named),
      post(namespaced("quota-taken", "configmaps"), named),
      post(namespaced("quota-taken", "configmaps"), { metadata: { name: "Wrong" } }),
      get(namespaced("quota-taken", "resourcequotas/q")),
    ],
  };
}

function* quotaChanges() {
  const hard = { services: "2", "services.nodeports": "3", "services.loadbalancers": "1" };
  const path = namespaced("quota-service-changes", "services");
  const change = (spec) => merge(`${path}/s`, { spec });
  yield {
    name: "changes of a service",
    steps: [
      newNamespace("quota-service-changes"),
      ...quota("quota-service-changes", "q", hard, zeros(hard)),
      settle,
      post(path, { metadata: { name: "s" }, spec: { ports: servicePorts(1) } }),
      change({ type: "NodePort" }),
      change({ ports: servicePorts(3) }),
      change({ ports: servicePorts(4) }),
      change({ type: "LoadBalancer", ports: servicePorts(3) }),
      change({ type: "ClusterIP", ports: servicePorts(1, () => ({ nodePort: null })) }),
      change({ type: "LoadBalancer", ports: servicePorts(1) }),
      merge(`${path}/s`, { metadata: { labels: { a: "b" } } }),
      get(namespaced("quota-service-changes", "resourcequotas/q")),
    ],
  };
}

// Storage.

const classAnnotations = [
  {},
  { "storageclass.kubernetes.io/is-default-class": "true" },
  { "storageclass.beta.kubernetes.io/is-default-class": "true" },
  {
    "storageclass.kubernetes.io/is-default-class": "false",
    "storageclass.beta.kubernetes.io/is-default-class": "true",
  },
  { "storageclass.kubernetes.io/is-default-class": "TRUE" },
];
const classes = "/apis/storage.k8s.io/v1/storageclasses";
const removed = (path) => quiet(remove(path));

function* storageSequences() {
  const claims = namespaced("storage", "persistentvolumeclaims");
  const finalizers = [
    undefined,
    [],
    ["a.b/c"],
    ["kubernetes.io/pvc-protection"],
    ["a.b/c", "kubernetes.io/pvc-protection", "a.b/d"],
  ];
  yield { name: "storage", steps: [newNamespace("storage"), settle] };
  for (const [index, annotations] of classAnnotations.entries()) {
    const shapes = finalizers.flatMap((held) => claimShapes.map((shape) => claimWith(shape, held)));
    yield {
      name: `claims with a class that says ${JSON.stringify(annotations)}`,
      steps: [
        quiet(post(classes, { metadata: { name: `class-${index}`, annotations }, provisioner: "a.b/c" })),
        settle,
        ...shapes.map((shape) => dry(post(claims, shape))),
        removed(`${classes}/class-${index}`),
        settle,
      ],
    };
  }
  const isDefault = { "storageclass.kubernetes.io/is-default-class": "true" };
  yield {
    name: "two default classes of the same age",
    steps: [
      ...["two-b", "two-a"].map((name) =>
        quiet(post(classes, { metadata: { name, annotations: isDefault }, provisioner: "a.b/c" })),
      ),
      settle,
      dry(post(claims, { ...claimShapes[0], metadata: { name: "x" } })),
      ...["two-b", "two-a"].map((name) => removed(`${classes}/${name}`)),
      settle,
    ],
  };
  const volume = (name, metadata) => ({
    metadata: { name, ...metadata },
    spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/x" } },
  });
  yield {
    name: "finalizers of volumes",
    steps: [undefined, [], ["a.b/c"], ["kubernetes.io/pv-protection"], ["kubernetes.io/pvc-protection"]].map(
      (held, index) =>
        post("/api/v1/persistentvolumes", volume(`v${index}`, held === undefined ? {} : { finalizers: held })),
    ),
  };
  yield* resizeSequences();
}

function claimWith(shape, finalizers) {
  return finalizers === undefined ? shape : { ...shape, metadata: { ...shape.metadata, finalizers } };
}

function* resizeSequences() {
  const claims = namespaced("resize", "persistentvolumeclaims");
  const kinds = { grows: true, fixed: false, silent: undefined };
  yield {
    name: "resize",
    steps: [
      newNamespace("resize"),
      ...Object.entries(kinds).map(([name, allowVolumeExpansion]) =>
        quiet(post(classes, { metadata: { name }, provisioner: "a.b/c", allowVolumeExpansion })),
      ),
      settle,
    ],
  };
  for (const phase of ["Pending", "Bound", "Lost"]) {
    for (const storageClassName of [...Object.keys(kinds), "missing", ""]) {
      const name = `${phase}-${storageClassName || "empty"}`.toLowerCase();
      const size = (storage) => merge(`${claims}/${name}`, { spec: { resources: { requests: { storage } } } });
      yield {
        name: `resize ${name}`,
        steps: [
          post(claims, { ...claim("2Gi", { storageClassName, volumeName: "v" }), metadata: { name } }),
          quiet(merge(`${claims}/${name}/status`, { status: { phase, capacity: { storage: "2Gi" } } })),
          size("3Gi"),
          size("2048Mi"),
          size("1Gi"),
          size("4Gi"),
          merge(`${claims}/${name}`, { metadata: { labels: { a: "b" } } }),
          merge(`${claims}/${name}`, { metadata: { annotations: { [betaClass]: "grows" } } }),
          get(`${claims}/${name}`),
        ],
      };
    }
  }
}

// Ingresses.

function* ingressSequences() {
  const ingresses = "/apis/networking.k8s.io/v1/namespaces/ingress/ingresses";
  const ingressClasses = "/apis/networking.k8s.io/v1/ingressclasses";
  const backend = { service: { name: "s", port: { number: 80 } } };
  const ingress = (metadata, spec) => ({
    metadata: { generateName: "i-", ...metadata },
    spec: { defaultBackend: backend, ...spec },
  });
  const annotation = "kubernetes.io/ingress.class";
  const shapes = [
    ingress({}, {}),
    ingress({}, { ingressClassName: "other" }),
    ingress({}, { ingressClassName: null }),
    ingress({}, { ingressClassName: "" }),
    ingress({ annotations: { [annotation]: "other" } }, {}),
    ingress({ annotations: { [annotation]: "" } }, {}),
    ingress({ annotations: { [annotation]: "other" } }, { ingressClassName: "other" }),
    ingress({ labels: { a: "b" } }, {}),
  ];
  yield { name: "ingresses", steps: [newNamespace("ingress"), settle] };
  for (const [index, value] of ["true", "false", "True", ""].entries()) {
    const name = `ingress-class-${index}`;
    const annotations = { "ingressclass.kubernetes.io/is-default-class": value };
    yield {
      name: `ingresses with a class that says ${value}`,
      steps: [
        quiet(post(ingressClasses, { metadata: { name, annotations }, spec: { controller: "a.b/c" } })),
        settle,
        ...shapes.map((shape) => dry(post(ingresses, shape))),
        ...shapes.map((shape) =>
          dry(put(`${ingresses}/put`, { ...shape, metadata: { ...shape.metadata, name: "put" } })),
        ),
        removed(`${ingressClasses}/${name}`),
        settle,
      ],
    };
  }
  yield {
    name: "two default ingress classes",
    steps: [
      ...["two-b", "two-a"].map((name) =>
        quiet(
          post(ingressClasses, {
            metadata: { name, annotations: { "ingressclass.kubernetes.io/is-default-class": "true" } },
            spec: { controller: "a.b/c" },
          }),
        ),
      ),
      settle,
      ...shapes.map((shape) => dry(post(ingresses, shape))),
      ...["two-b", "two-a"].map((name) => removed(`${ingressClasses}/${name}`)),
    ],
  };
}

// Certificates. Everybody may do everything here: what is asked of the authorizer has tests of its own.

function* certificateSequences() {
  const path = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
  const usages = { "kubernetes.io/kubelet-serving": ["server auth", "digital signature"] };
  const signers = [
    "kubernetes.io/kube-apiserver-client",
    "kubernetes.io/kube-apiserver-client-kubelet",
    "kubernetes.io/kubelet-serving",
    "kubernetes.io/legacy-unknown",
    "example.com/signer",
    "wrong",
  ];
  for (const signerName of signers) {
    for (const [what, request] of [...Object.entries(requests), ["broken", "AAAA"], ["empty", ""]]) {
      const spec = { request, signerName, usages: usages[signerName] ?? ["client auth"] };
      const approved = { type: "Approved", status: "True", reason: "r", message: "m" };
      const name = `${signerName.replace(/[/.]/g, "-")}-${what}`;
      yield {
        name: `request ${name}`,
        steps: [
          dry(post(path, { metadata: { generateName: "r-" }, spec })),
          post(path, { metadata: { name }, spec }),
          merge(`${path}/${name}/approval`, { status: { conditions: [approved] } }),
          merge(`${path}/${name}/status`, { status: { conditions: [approved, { ...approved, type: "Failed" }] } }),
          merge(`${path}/${name}/status`, { metadata: { labels: { a: "b" } } }),
        ],
      };
    }
  }
}
