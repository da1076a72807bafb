// Admission plugins that v1.29 has off by default and that are not about pods, and configuration of those that are on.
// Both servers run with --enable-admission-plugins=NamespaceAutoProvision,NamespaceExists,DenyServiceExternalIPs,
// OwnerReferencesPermissionEnforcement,EventRateLimit, with lib/admission-configuration.json, and without what
// `admission-rest` leaves out, the garbage collector, too: owners here are made up.
import { dry, get, merge, namespaced, post, put, quiet, remove, settle } from "../lib/admission-steps.mjs";
import { comparable as ofDefaults } from "./admission-rest.mjs";

/**
 * Returns the comparable part of an answer, like that for default plugins; where v1.29 says 500, it is 403 here
 * (decision 0008).
 */
export function comparable(answer) {
  const body = ofDefaults(answer);
  return /^insufficient quota to match/.test(body.message) ? { message: body.message } : body;
}

export async function* cases() {
  for (const { name, steps } of sequences()) {
    yield { name, steps: steps.map((step) => ({ view: comparable, ...step })), independent: true };
  }
}

/** Every case, with the requests in their order. Whoever replays them sends those that are quiet, too. */
export function* sequences() {
  yield* namespaceSequences();
  yield* serviceSequences();
  yield* ownerSequences();
  yield* eventSequences();
  yield* limitedSequences();
}

function* namespaceSequences() {
  const kinds = [
    ["/api/v1", "configmaps", {}],
    ["/api/v1", "secrets", {}],
    ["/api/v1", "serviceaccounts", {}],
    ["/api/v1", "services", { spec: { ports: [{ port: 1 }] } }],
    ["/api/v1", "pods", { spec: { containers: [{ name: "c", image: "i" }] } }],
    ["/api/v1", "limitranges", { spec: { limits: [] } }],
    ["/apis/coordination.k8s.io/v1", "leases", { spec: {} }],
    ["/apis/policy/v1", "poddisruptionbudgets", { spec: {} }],
    ["/apis/networking.k8s.io/v1", "networkpolicies", { spec: { podSelector: {} } }],
    ["/apis/rbac.authorization.k8s.io/v1", "roles", { rules: [] }],
  ];
  for (const [base, resource, rest] of kinds) {
    const at = (namespace) => `${base}/namespaces/${namespace}/${resource}`;
    const object = { metadata: { name: "x" }, ...rest };
    yield {
      name: `a namespace for ${resource}`,
      steps: [
        dry(post(at(`dry-${resource}`), object)),
        get(`/api/v1/namespaces/dry-${resource}`),
        put(`${at(`put-${resource}`)}/x`, object),
        merge(`${at(`patch-${resource}`)}/x`, { metadata: { labels: { a: "b" } } }),
        remove(`${at(`delete-${resource}`)}/x`),
        remove(at(`collection-${resource}`)),
        post(at(`new-${resource}`), object),
        get(`/api/v1/namespaces/new-${resource}`),
        post(at(`new-${resource}`), object),
        post(at(`invalid-${resource}`), { metadata: { name: "x", labels: { a: "/" } } }),
        post(at("Wrong"), object),
      ],
    };
  }
}

function* serviceSequences() {
  const path = namespaced("externals", "services");
  const spec = (...externalIPs) => ({ ports: [{ port: 1 }], externalIPs });
  const [a, b, c] = ["192.0.2.1", "192.0.2.2", "2001:db8::1"];
  for (const addresses of [[], [a], [a, b], [c], ["wrong"], ["127.0.0.1"]]) {
    yield {
      name: `a service with ${addresses}`,
      steps: [
        dry(post(path, { metadata: { name: "new" }, spec: spec(...addresses) })),
        dry(put(`${path}/new`, { metadata: { name: "new" }, spec: spec(...addresses) })),
      ],
    };
  }
  yield {
    name: "a service gets addresses",
    steps: [
      post(path, { metadata: { name: "plain" }, spec: spec() }),
      merge(`${path}/plain`, { metadata: { labels: { a: "b" } } }),
      merge(`${path}/plain`, { spec: { externalIPs: [a] } }),
      merge(`${path}/plain`, { spec: { externalIPs: [] } }),
      merge(`${path}/plain/status`, { status: { loadBalancer: { ingress: [{ ip: a }] } } }),
      get(`${path}/plain`),
    ],
  };
}

function* ownerSequences() {
  const path = namespaced("owners", "configmaps");
  const owner = (apiVersion, kind, more) => ({ apiVersion, kind, name: "o", uid: "1", ...more });
  const owners = [
    owner("v1", "Pod", {}),
    owner("v1", "Pod", { blockOwnerDeletion: true }),
    owner("v1", "Node", { blockOwnerDeletion: true, controller: true }),
    owner("apps/v1", "ReplicaSet", { blockOwnerDeletion: false }),
    owner("example.com/v1", "Nobody", { blockOwnerDeletion: true }),
    owner("", "Pod", {}),
    owner("v1", "Event", {}),
  ];
  for (const [index, reference] of owners.entries()) {
    const object = { metadata: { name: `o${index}`, ownerReferences: [reference] } };
    yield {
      name: `owner ${JSON.stringify(reference)}`,
      steps: [
        post(path, object),
        post(path, { metadata: { name: `p${index}` } }),
        merge(`${path}/p${index}`, { metadata: { ownerReferences: [reference] } }),
        merge(`${path}/p${index}`, { metadata: { ownerReferences: [{ ...reference, blockOwnerDeletion: true }] } }),
        merge(`${path}/p${index}`, { metadata: { ownerReferences: null } }),
      ],
    };
  }
}

function* eventSequences() {
  const event = (namespace, name, source, group = false) =>
    group
      ? {
          metadata: { name },
          regarding: { namespace, kind: "Pod", name: "p" },
          eventTime: "2020-01-01T00:00:00.000000Z",
          reportingController: "a.b/c",
          reportingInstance: "i",
          action: "a",
          reason: "r",
          type: "Normal",
        }
      : {
          metadata: { name },
          involvedObject: { namespace, kind: "Pod", name: "p", uid: "u", apiVersion: "v1" },
          source: { component: source, host: "h" },
        };
  for (const namespace of ["events-a", "events-b"]) {
    const path = namespaced(namespace, "events");
    const numbers = Array.from({ length: 12 }, (_, index) => index);
    yield {
      name: `events in ${namespace}`,
      steps: [
        quiet(post("/api/v1/namespaces", { metadata: { name: namespace } })),
        settle,
        ...numbers.map((index) => dry(post(path, event(namespace, `d${index}`, "s")))),
        ...numbers.map((index) => post(path, event(namespace, `e${index}`, index % 3 === 0 ? "s" : `t${index}`))),
        merge(`${path}/e0`, { count: 2 }),
        remove(`${path}/e0`),
        ...numbers.map((index) =>
          post(`/apis/events.k8s.io/v1/namespaces/${namespace}/events`, event(namespace, `g${index}`, "", true)),
        ),
      ],
    };
  }
}

/**
 * Yields requests that lib/admission-configuration.json limits: leases, storage of a class, and pods of the class
 * `high`.
 */
function* limitedSequences() {
  const namespace = "limited";
  const pod = (spec) => ({
    metadata: { generateName: "p-" },
    spec: { containers: [{ name: "c", image: "i" }], ...spec },
  });
  const quotas = namespaced(namespace, "resourcequotas");
  const leases = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;
  const writes = [
    post(leases, { metadata: { generateName: "x-" }, spec: {} }),
    post(namespaced(namespace, "secrets"), { metadata: { generateName: "x-" } }),
    post(namespaced(namespace, "pods"), pod({})),
    post(namespaced(namespace, "pods"), pod({ priorityClassName: "high" })),
    post(namespaced(namespace, "pods"), pod({ priorityClassName: "low" })),
    post(namespaced(namespace, "persistentvolumeclaims"), {
      metadata: { generateName: "x-" },
      spec: { accessModes: ["ReadWriteOnce"], storageClassName: "gold", resources: { requests: { storage: "1Gi" } } },
    }),
  ];
  const gold = "gold.storageclass.storage.k8s.io/requests.storage";
  const hard = { "count/leases.coordination.k8s.io": "1", [gold]: "1Gi" };
  const used = { "count/leases.coordination.k8s.io": "0", [gold]: "0" };
  const scoped = {
    hard: { pods: "1" },
    scopeSelector: { matchExpressions: [{ scopeName: "PriorityClass", operator: "In", values: ["high"] }] },
  };
  yield {
    name: "what is limited by default",
    steps: [
      quiet(post("/api/v1/namespaces", { metadata: { name: namespace } })),
      settle,
      ...writes.map(dry),
      ...writes,
      quiet(post(quotas, { metadata: { name: "a" }, spec: { hard } })),
      quiet(merge(`${quotas}/a/status`, { status: { hard, used } })),
      quiet(post(quotas, { metadata: { name: "b" }, spec: scoped })),
      quiet(merge(`${quotas}/b/status`, { status: { hard: scoped.hard, used: { pods: "0" } } })),
      settle,
      ...writes,
      ...writes,
      get(`${quotas}/a`),
      get(`${quotas}/b`),
    ],
  };
}
