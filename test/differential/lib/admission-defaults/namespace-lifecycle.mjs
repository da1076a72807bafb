import { inNamespace, merge, namespace, one, post, put, quiet, send } from "../admission-pods/objects.mjs";
import { settle } from "../admission-steps.mjs";

const pods = { spec: { containers: [{ name: "c", image: "i" }] } };
const kinds = {
  configmaps: ["/api/v1", {}],
  endpoints: ["/api/v1", {}],
  pods: ["/api/v1", pods],
  secrets: ["/api/v1", { stringData: { a: "b" } }],
  serviceaccounts: ["/api/v1", {}],
  leases: ["/apis/coordination.k8s.io/v1", { spec: {} }],
  networkpolicies: ["/apis/networking.k8s.io/v1", { spec: { podSelector: {} } }],
  poddisruptionbudgets: ["/apis/policy/v1", { spec: {} }],
  roles: ["/apis/rbac.authorization.k8s.io/v1", { rules: [] }],
};
const states = {
  there: (name) => [namespace(name), account(name)],
  ending: (name) => [namespace(name, { finalizers: ["a.b/c"] }), ended(name)],
  missing: () => [],
  gone: (name) => [namespace(name), ...removed(name)],
  again: (name) => [namespace(name), ...removed(name), namespace(name), account(name)],
};
/** Creates the service account that pods need, since no controller makes it. */
const account = (name) => quiet(post(inNamespace(name, "serviceaccounts"), { metadata: { name: "default" } }));
const path = (name) => `/api/v1/namespaces/${name}`;
const ended = (name) => quiet(send("DELETE", path(name)));
/** Gone without a controller: the first deletion only marks. */
const removed = (name) => [
  put(`${path(name)}/finalize`, { metadata: { name }, spec: { finalizers: [] } }),
  send("DELETE", path(name)),
  send("DELETE", path(name)),
];
const dry = "?dryRun=All";

const applied = (path, body) => ({
  ...send("PATCH", `${path}?fieldManager=m&force=true`, body),
  headers: { "content-type": "application/apply-patch+yaml" },
});

export function* namespaceLifecycleCases() {
  for (const [state, steps] of Object.entries(states)) {
    const ns = `adm-life-${state}`;
    yield one(`namespace ${state}`, ...steps(ns), settle);
    for (const [resource, [api, rest]] of Object.entries(kinds)) {
      const at = inNamespace(ns, resource, api);
      const object = { metadata: { name: "x" }, ...rest };
      const kind = { apiVersion: api.replace(/^\/apis?\//, ""), kind: kindOf[resource] };
      yield one(
        `${resource} in a namespace ${state}`,
        post(at + dry, object),
        put(`${at}/x${dry}`, object),
        applied(`${at}/y`, { ...kind, ...object, metadata: { name: "y" } }),
        merge(`${at}/y`, { metadata: { labels: { a: "b" } } }),
        post(at + dry, { ...object, metadata: { name: "Wrong!" } }),
        send("DELETE", `${at}/y${dry}`),
        send("DELETE", at + dry),
      );
    }
    yield one(
      `what is answered or bound in a namespace ${state}`,
      post(inNamespace(ns, "localsubjectaccessreviews", "/apis/authorization.k8s.io/v1"), {
        spec: { user: "u", resourceAttributes: { namespace: ns, verb: "get", resource: "pods" } },
      }),
      post(`${inNamespace(ns, "serviceaccounts")}/nobody/token`, { spec: { audiences: ["a"] } }),
      post(inNamespace(ns, "bindings"), { metadata: { name: "nothing" }, target: { name: "n" } }),
    );
  }
  for (const name of ["default", "kube-system", "kube-public", "kube-node-lease", "nowhere"]) {
    yield one(
      `deletion of the namespace ${name}`,
      send("DELETE", path(name) + dry),
      ...(name === "kube-node-lease" ? [] : [send("DELETE", path(name))]),
      post("/api/v1/namespaces?dryRun=All", { metadata: { name } }),
    );
  }
}

const kindOf = {
  configmaps: "ConfigMap",
  endpoints: "Endpoints",
  pods: "Pod",
  secrets: "Secret",
  serviceaccounts: "ServiceAccount",
  leases: "Lease",
  networkpolicies: "NetworkPolicy",
  poddisruptionbudgets: "PodDisruptionBudget",
  roles: "Role",
};
