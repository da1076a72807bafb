// Names what each folder of each workspace may import. A workspace or folder that is not listed is a violation, so a new
// one is placed here before it is used. Read by check-imports.mjs; drawn in docs/architecture.md.

const shared = ["envelopes", "policies", "component-base"];
const services = ["webhooks", "audit-sink", "credential-plugins"];
const everything = [...shared, "apiserver", "custom-resources", "server", "testing", ...services, "deploy"];

/** Workspaces that each workspace may import. Their order is the direction of imports: each imports those above it. */
export const workspaceImports = {
  envelopes: [],
  policies: ["envelopes"],
  "component-base": ["envelopes"],
  apiserver: shared,
  "custom-resources": [...shared, "apiserver"],
  server: [...shared, "apiserver", "custom-resources"],
  testing: [...shared, "apiserver", "server"],
  webhooks: shared,
  "audit-sink": shared,
  "credential-plugins": shared,
  deploy: [...shared, "server", ...services],
  test: everything,
  bench: everything,
  "examples/wardle": ["envelopes", "apiserver", "testing"],
  "examples/metrics-server": ["envelopes", "apiserver", "testing"],
  "examples/reports": ["envelopes", "policies", "apiserver", "webhooks", "testing"],
};

/** Workspaces that tests of each workspace may import besides: their test projects refer to them (tsconfig.test.json). */
export const testImports = ["testing", "custom-resources", "server"];

/**
 * Folders of a workspace (below `src`) and the folders beside them that each may import. `.` stands for the files of `src`
 * itself. `only` limits what a folder may import of another workspace to some of its subpaths.
 */
export const folderImports = {
  apiserver: {
    // Vocabulary that knows nothing of requests.
    options: ["storage"],
    errors: [],
    objects: [],
    validation: ["objects", "options"],
    conversion: ["objects"],
    tables: ["errors", "objects", "options"],
    "managed-fields": ["objects"],
    patch: ["objects"],
    storage: ["errors"],
    // How work shares the event loop, and what asks other servers in its course.
    scheduling: [],
    "review-webhooks": ["errors", "objects", "scheduling"],
    // One request.
    request: ["errors", "scheduling"],
    http: ["request", "scheduling"],
    logs: ["request", "storage"],
    "flow-control": ["request"],
    // Who asks, what they may do, what is recorded, who may change or stop a write.
    authentication: ["errors", "options", "request", "review-webhooks", "validation"],
    authorization: ["errors", "options", "request", "review-webhooks"],
    "reverse-proxy": ["authentication", "http", "request"],
    "stream-translation": ["request", "reverse-proxy"],
    audit: ["errors", "logs", "options", "request", "validation"],
    admission: ["authentication", "authorization", "errors", "objects", "request", "review-webhooks"],
    // The form of objects on the wire and in the store.
    forms: ["conversion", "errors", "http", "managed-fields", "objects", "request", "storage", "tables"],
    // What is served.
    discovery: ["http", "request"],
    // What other servers serve.
    delegation: ["discovery", "request"],
    openapi: ["discovery", "http", "request", "scheduling"],
    registry: [
      "errors",
      "admission",
      "conversion",
      "discovery",
      "forms",
      "objects",
      "options",
      "request",
      "storage",
      "tables",
      "validation",
    ],
    // Kinds whose schema is a document.
    "structural-schemas": ["forms", "objects", "registry", "tables"],
    // Kinds whose schema is stated in code.
    "typed-kinds": [],
    // What is done with it.
    verbs: [
      ...[
        "admission",
        "errors",
        "forms",
        "http",
        "managed-fields",
        "objects",
        "options",
        "patch",
        "registry",
        "request",
      ],
      ...["storage", "tables", "validation"],
    ],
    subresources: [
      ...["admission", "forms", "http", "managed-fields", "objects", "registry", "request", "storage", "tables"],
      "verbs",
    ],
    client: ["errors", "objects", "registry", "request", "scheduling", "storage", "verbs"],
    // What every request passes, and what is no resource.
    filters: [
      ...["audit", "authentication", "authorization", "errors", "flow-control", "http", "logs", "registry", "request"],
      ...["storage", "verbs"],
    ],
    routes: ["flow-control", "http", "logs", "registry", "request", "subresources", "verbs"],
    // Resources as the author of an API declares them.
    resources: ["conversion", "registry", "request", "structural-schemas", "tables", "typed-kinds", "verbs"],
    // Profiles of the process.
    profiling: ["http", "routes"],
    // Traces of requests.
    tracing: ["request"],
    // The server that all of it makes.
    server: [
      ...[
        "resources",
        "admission",
        "audit",
        "authentication",
        "authorization",
        "client",
        "delegation",
        "discovery",
        "forms",
        "filters",
        "flow-control",
        "http",
        "logs",
      ],
      ...["objects", "openapi", "options", "profiling", "registry", "request", "routes", "storage", "tracing", "verbs"],
    ],
    // A server behind another API server.
    extension: [
      ...["admission", "audit", "authentication", "authorization", "client", "errors", "logs", "options", "request"],
      ...["resources", "review-webhooks", "server", "storage"],
    ],
    // Commands for people who write servers; the sources that they write import the library.
    programs: ["extension", "resources"],
    ".": [
      ...["admission", "audit", "authentication", "authorization", "client", "request", "resources", "server"],
      "storage",
    ],
  },
  "custom-resources": {
    schema: [],
    conversion: [],
    resources: ["conversion", "schema"],
    definition: ["resources", "schema"],
    controllers: ["definition", "resources", "schema"],
  },
  server: {
    validation: [],
    // What the members of a pod mean.
    pods: [],
    quota: ["pods", "validation"],
    "node-authorization": [],
    workers: [],
    // Which metrics of v1.29 exist: for tests and the reference.
    metrics: [],
    "etcd-face": [],
    // In which versions this server stores its resources, as it tells other servers.
    "storage-versions": [],
    options: [".", "admission-plugins", "etcd-face", "workers"],
    debug: ["workers"],
    "service-accounts": [],
    "bootstrap-tokens": ["service-accounts"],
    "egress-selector": [],
    "kubelet-client": ["egress-selector", "options"],
    "admission-plugins": ["pods", "quota", "validation"],
    // Addresses of Services that objects stand for.
    "ip-addresses": [],
    kinds: ["ip-addresses", "kubelet-client", "pods", "quota", "service-accounts", "validation"],
    // API servers behind this one.
    aggregation: [],
    // The other API servers of the cluster.
    peers: ["aggregation", "storage-versions"],
    controllers: [
      ...["aggregation", "ip-addresses", "options", "peers", "pods", "quota", "service-accounts", "storage-versions"],
      ...["validation", "workers"],
    ],
    assembly: [
      ...["admission-plugins", "aggregation", "bootstrap-tokens", "controllers", "kinds", "node-authorization"],
      ...["egress-selector", "ip-addresses", "kubelet-client", "options", "quota", "service-accounts"],
      ...["storage-versions", "workers"],
    ],
    // The pair of programs that test harnesses start in place of kube-apiserver and etcd.
    envtest: [".", "etcd-face", "harness"],
    // What tests give to a server: other stores, forks.
    harness: [".", "assembly", "options"],
    // Commands for what a server has stored; the program `gatehouse` runs them.
    "data-commands": [".", "assembly", "kinds", "options"],
    ".": [
      "aggregation",
      "assembly",
      "controllers",
      "debug",
      "envtest",
      "etcd-face",
      "harness",
      "ip-addresses",
      "kinds",
      "options",
      "peers",
      "quota",
      "service-accounts",
      "workers",
    ],
  },
  // Programs are made of the toolkit, which others import without them.
  webhooks: { toolkit: [], programs: ["toolkit"] },
};

/** Subpaths of other workspaces that a folder is limited to. */
export const subpathLimits = [
  {
    // Plugins answer from what they are given to read: neither storage nor verbs.
    from: "server/src/admission-plugins",
    workspace: "apiserver",
    only: ["admission", "admission/testing", "errors", "objects", "request", "review-webhooks", "validation"],
  },
];
