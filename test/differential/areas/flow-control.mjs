// Priority and fairness: the objects after the start, the headers of answers, conditions, dumps, metrics and discovery.
const group = "/apis/flowcontrol.apiserver.k8s.io";
const schemas = "flowschemas";
const levels = "prioritylevelconfigurations";

const names = {
  [schemas]: [
    ...["catch-all", "endpoint-controller", "exempt", "global-default", "kube-controller-manager", "kube-scheduler"],
    ...["kube-system-service-accounts", "probes", "service-accounts", "system-leader-election", "system-node-high"],
    ...["system-nodes", "workload-leader-election"],
  ],
  [levels]: [
    ...["catch-all", "exempt", "global-default", "leader-election", "node-high", "system", "workload-high"],
    "workload-low",
  ],
};

const one = (name, ...steps) => ({ name, steps, independent: true });
const get = (path, more) => ({ method: "GET", path, ...more });

export async function* cases() {
  yield* objects();
  yield* headers();
  yield* conditions();
  yield* dumps();
  yield* metrics();
  yield* discovery();
}

function* objects() {
  for (const version of ["v1", "v1beta3"]) {
    for (const resource of [schemas, levels]) {
      for (const name of names[resource]) {
        yield one(
          `${version} ${resource} ${name}`,
          get(`${group}/${version}/${resource}/${name}`, { view: withoutTimes }),
        );
      }
      yield one(`${version} ${resource} by name`, get(`${group}/${version}/${resource}`, { view: namesOf }));
      yield one(
        `${version} ${resource} as a table`,
        get(`${group}/${version}/${resource}`, {
          headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" },
          view: cellsOf,
        }),
      );
    }
  }
  for (const version of ["v1alpha1", "v1beta1", "v1beta2"]) {
    yield one(`${version} is not served`, get(`${group}/${version}/${schemas}`));
  }
}

function withoutTimes({ body }) {
  const object = JSON.parse(body);
  for (const entry of object.metadata.managedFields ?? []) delete entry.time;
  for (const condition of object.status?.conditions ?? []) delete condition.lastTransitionTime;
  for (const member of ["uid", "resourceVersion", "creationTimestamp"]) delete object.metadata[member];
  return object;
}

const namesOf = ({ body }) => JSON.parse(body).items.map(({ metadata }) => metadata.name);
const cellsOf = ({ body }) =>
  JSON.parse(body).rows.map(({ cells }) => cells.map((cell) => (/^\d+[smh]/.test(cell) ? "age" : cell)));

/** Answers of all sorts, and whether they name a schema and a level. */
function* headers() {
  const paths = [
    "/api",
    "/version",
    "/healthz",
    "/nope",
    "/api/v1/namespaces/default",
    "/api/v1/namespaces/absent",
    "/metrics",
  ];
  const named = ({ headers: sent }) =>
    ["x-kubernetes-pf-flowschema-uid", "x-kubernetes-pf-prioritylevel-uid", "retry-after"].map((name) =>
      /^[0-9a-f-]{36}$/.test(sent[name] ?? "") ? `${name}: a uid` : `${name}: ${sent[name] ?? "none"}`,
    );
  for (const path of paths) {
    for (const via of [undefined, "http2"]) {
      yield one(`headers of ${path} ${via ?? "http1"}`, get(path, { via, view: named, exceptHeaders: ["etag"] }));
    }
  }
  const user = { "impersonate-user": "somebody" };
  yield one("headers for a user without rights", get("/api/v1/namespaces/default", { headers: user, view: named }));
  yield one(
    "headers of a watch",
    get("/api/v1/namespaces/default/configmaps?watch=1&timeoutSeconds=1", { view: named }),
  );
}

const userSchema = (name, level) => ({
  apiVersion: "flowcontrol.apiserver.k8s.io/v1",
  kind: "FlowSchema",
  metadata: { name },
  spec: {
    priorityLevelConfiguration: { name: level },
    matchingPrecedence: 7000,
    rules: [
      {
        subjects: [{ kind: "User", user: { name } }],
        nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
      },
    ],
  },
});

const userLevel = (name) => ({
  apiVersion: "flowcontrol.apiserver.k8s.io/v1",
  kind: "PriorityLevelConfiguration",
  metadata: { name },
  spec: { type: "Limited", limited: { nominalConcurrencyShares: 5, limitResponse: { type: "Reject" } } },
});

const pause = { method: "GET", path: "/api/v1/namespaces/default/configmaps?watch=1&timeoutSeconds=2", quiet: true };

/** Schemas whose level is missing, comes and goes. */
function* conditions() {
  const at = (resource, name) => `${group}/v1/${resource}/${name}`;
  const status = get(at(schemas, "differential-lost"), { view: withoutTimes });
  yield {
    name: "a schema without a level",
    steps: [
      {
        method: "POST",
        path: `${group}/v1/${schemas}`,
        body: userSchema("differential-lost", "differential-none"),
        quiet: true,
      },
      pause,
      { ...status, label: "dangles" },
      { method: "POST", path: `${group}/v1/${levels}`, body: userLevel("differential-none"), quiet: true },
      pause,
      { ...status, label: "has its level" },
      { method: "DELETE", path: at(levels, "differential-none"), quiet: true },
      pause,
      { ...status, label: "has lost it again" },
      { method: "DELETE", path: at(schemas, "differential-lost"), quiet: true },
    ],
  };
}

/** Dumps: the columns, and what does not depend on the load. */
function* dumps() {
  const root = "/debug/api_priority_and_fairness";
  const lines = ({ body }) => body.toString().split("\n");
  yield one(
    "dump of priority levels",
    get(`${root}/dump_priority_levels`, {
      view: (answer) => lines(answer).map((line) => line.split(/, +/).slice(0, 2)),
    }),
  );
  yield one(
    "dump of queues",
    get(`${root}/dump_queues`, {
      view: (answer) => [
        lines(answer)[0],
        lines(answer)
          .sort()
          .map((line) => line.split(/, +/)[0]),
      ],
    }),
  );
  for (const query of ["", "?includeRequestDetails=1", "?includeRequestDetails="]) {
    yield one(
      `dump of requests${query}`,
      get(`${root}/dump_requests${query}`, { view: (answer) => lines(answer)[0].split(/, +/) }),
    );
  }
  yield one("a dump that is none", get(`${root}/dump_nothing`));
  yield one("a dump by POST", {
    method: "POST",
    path: `${root}/dump_requests`,
    view: (answer) => lines(answer)[0].split(/, +/),
  });
}

/** Families of metrics with their types, and limits of levels. */
function* metrics() {
  const ofFlowControl = ({ body }) =>
    body
      .toString()
      .split("\n")
      .filter((line) => /^# TYPE apiserver_(?:flowcontrol_|current_in)/.test(line))
      .sort();
  yield one("types of metrics", get("/metrics", { view: ofFlowControl }));
  const limits = ({ body }) =>
    body
      .toString()
      .split("\n")
      .filter((line) => /^apiserver_flowcontrol_(?:nominal|lower|upper)_limit_seats\{/.test(line))
      .sort();
  yield one("limits of levels", get("/metrics", { view: limits }));
}

function* discovery() {
  for (const path of [group, `${group}/v1`, `${group}/v1beta3`, "/readyz?verbose&exclude=store-writes"]) {
    yield one(
      `discovery ${path}`,
      get(path, { view: ({ body }) => (path.includes("readyz") ? checksOf(body) : JSON.parse(body)) }),
    );
  }
}

const checksOf = (body) =>
  body
    .toString()
    .split("\n")
    .filter((line) => /priority-and-fairness/.test(line));
