// Requests for parts of objects, and through objects.
import { yamlOf } from "./bodies.mjs";
import { namespace } from "./fixtures.mjs";

const core = `/api/v1/namespaces/${namespace}`;
const json = { "content-type": "application/json" };
const template = { metadata: { labels: { app: "a" } }, spec: { containers: [{ name: "c", image: "i" }] } };
const made = {
  pods: (name) => [`${core}/pods`, { metadata: { name }, spec: template.spec }],
  deployments: (name) => [
    `/apis/apps/v1/namespaces/${namespace}/deployments`,
    { metadata: { name }, spec: { replicas: 1, selector: { matchLabels: { app: "a" } }, template } },
  ],
  serviceaccounts: (name) => [`${core}/serviceaccounts`, { metadata: { name } }],
  widgets: (name) => [
    `/apis/example.com/v1/namespaces/${namespace}/widgets`,
    { apiVersion: "example.com/v1", kind: "Widget", metadata: { name }, spec: { replicas: 1 } },
  ],
  namespaces: (name) => ["/api/v1/namespaces", { metadata: { name } }],
  services: (name) => [`${core}/services`, { metadata: { name }, spec: { ports: [{ port: 80 }] } }],
};

/** Returns steps about a part of an object; see objects.mjs. */
export function subresourceRequest(r, id) {
  const [name, resource, draw] = r.pick(parts);
  const [collection, body] = made[resource](id);
  const path = `${collection}/${id}`;
  const { sub, sent, method, ...more } = draw(r, id, body);
  const headers = { ...(sent !== undefined && json), ...more.headers };
  const [text, type] =
    r.chance(0.1) && method !== "PATCH" && sent
      ? [yamlOf(sent), "application/yaml"]
      : [sent === undefined ? undefined : JSON.stringify(sent)];
  return {
    name: `${method} ${name}`,
    before: r.chance(0.85) ? [{ method: "POST", path: collection, body, quiet: true }] : [],
    step: {
      ...more,
      method,
      path: `${path}/${sub}${r.chance(0.15) ? `${sub.includes("?") ? "&" : "?"}${r.pick(["dryRun=All", "fieldManager=me", "dryRun=x", "pretty=1"])}` : ""}`,
      headers: { ...headers, ...(type && { "content-type": type }) },
      ...(text !== undefined && { body: text, sent }),
    },
    after: [{ method: "DELETE", path: `${path}?gracePeriodSeconds=0`, quiet: true }],
  };
}

const get = (sub) => () => ({ method: "GET", sub });
const send = (method, sub, body, headers) => (r, id) => ({ method, sub, sent: body(r, id), headers });
const merge = { "content-type": "application/merge-patch+json" };
const apply = { "content-type": "application/apply-patch+yaml" };
const named = (id, more) => ({ metadata: { name: id }, ...more });

const parts = [
  ["pods/status", "pods", get("status")],
  [
    "pods/status",
    "pods",
    send("PUT", "status", (r, id) => ({ ...named(id), status: { phase: r.pick(["Running", "Odd"]) } })),
  ],
  ["pods/status", "pods", send("PATCH", "status", () => ({ status: { phase: "Failed" } }), merge)],
  [
    "pods/status",
    "pods",
    send(
      "PATCH",
      "status?fieldManager=a",
      (_, id) => ({ apiVersion: "v1", kind: "Pod", ...named(id), status: { message: "m" } }),
      apply,
    ),
  ],
  ["pods/status", "pods", send("DELETE", "status", () => ({}))],
  [
    "pods/binding",
    "pods",
    send("POST", "binding", (r, id) =>
      named(r.pick([id, id, "other"]), { target: r.pick([{ kind: "Node", name: "n" }, {}]) }),
    ),
  ],
  [
    "pods/eviction",
    "pods",
    send("POST", "eviction", (r, id) => ({
      ...r.pick([
        {},
        { apiVersion: "policy/v1", kind: "Eviction" },
        { apiVersion: "policy/v1beta1", kind: "Eviction" },
      ]),
      ...named(r.pick([id, id, "other"])),
      ...r.pick([{}, { deleteOptions: { dryRun: ["All"] } }]),
    })),
  ],
  [
    "pods/ephemeralcontainers",
    "pods",
    send("PATCH", "ephemeralcontainers", () => ({ spec: { ephemeralContainers: [{ name: "d", image: "d" }] } }), merge),
  ],
  [
    "pods/ephemeralcontainers",
    "pods",
    send("PUT", "ephemeralcontainers", (r, id) =>
      named(id, { spec: { ...template.spec, ephemeralContainers: [{ name: r.pick(["d", "c", ""]), image: "d" }] } }),
    ),
  ],
  ["pods/log", "pods", get("log")],
  ["pods/log", "pods", get("log?container=none")],
  ["pods/log", "pods", get("log?tailLines=-1")],
  ["pods/exec", "pods", () => ({ method: "POST", sub: "exec?command=ls" })],
  ["pods/exec", "pods", get("exec")],
  ["pods/portforward", "pods", () => ({ method: "POST", sub: "portforward" })],
  ["pods/attach", "pods", get("attach?stdout=1")],
  [
    "pods/proxy",
    "pods",
    (r) => ({
      method: r.pick(["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS"]),
      sub: r.pick(["proxy", "proxy/a/b?c=d", "proxy/"]),
    }),
  ],
  [
    "services/proxy",
    "services",
    (r) => ({ method: r.pick(["GET", "POST", "PATCH"]), sub: r.pick(["proxy", "proxy/a%2Fb", "proxy/?watch=1"]) }),
  ],
  ["services/status", "services", send("PATCH", "status", () => ({ status: { loadBalancer: {} } }), merge)],
  ["deployments/scale", "deployments", get("scale")],
  [
    "deployments/scale",
    "deployments",
    () => ({ method: "GET", sub: "scale", headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" } }),
  ],
  [
    "deployments/scale",
    "deployments",
    send("PUT", "scale", (r, id) => ({
      ...r.pick([{}, { apiVersion: "autoscaling/v1", kind: "Scale" }, { apiVersion: "autoscaling/v2", kind: "Scale" }]),
      ...named(id),
      spec: { replicas: r.pick([0, 2, -1]) },
    })),
  ],
  ["deployments/scale", "deployments", send("PATCH", "scale", () => ({ spec: { replicas: 3 } }), merge)],
  [
    "deployments/scale",
    "deployments",
    send(
      "PATCH",
      "scale?fieldManager=a&force=1",
      () => ({ apiVersion: "autoscaling/v1", kind: "Scale", spec: { replicas: 3 } }),
      apply,
    ),
  ],
  ["deployments/status", "deployments", send("PATCH", "status", () => ({ status: { replicas: 3 } }), merge)],
  ["deployments/rollback", "deployments", send("POST", "rollback", (_, id) => ({ name: id }))],
  [
    "serviceaccounts/token",
    "serviceaccounts",
    send("POST", "token", (r, id) => ({
      ...r.pick([{}, named(id), named("other")]),
      spec: r.pick([
        {},
        { audiences: ["a"], expirationSeconds: 600 },
        { expirationSeconds: 1 },
        { boundObjectRef: { kind: "Pod", apiVersion: "v1", name: "none" } },
      ]),
    })),
  ],
  ["widgets/status", "widgets", get("status")],
  ["widgets/status", "widgets", send("PATCH", "status", () => ({ status: { replicas: 1 } }), merge)],
  [
    "widgets/status",
    "widgets",
    send("PUT", "status", (_, id) => ({
      apiVersion: "example.com/v1",
      kind: "Widget",
      ...named(id),
      status: { replicas: 1 },
    })),
  ],
  ["widgets/scale", "widgets", get("scale")],
  [
    "widgets/scale",
    "widgets",
    send("PUT", "scale", (r, id) => ({ ...named(id), spec: { replicas: r.pick([1, 5, -1]) } })),
  ],
  ["widgets/scale", "widgets", send("PATCH", "scale", () => ({ spec: { replicas: 3 } }), merge)],
  ["widgets/none", "widgets", get("none")],
  [
    "namespaces/finalize",
    "namespaces",
    send("PUT", "finalize", (_, id) => named(id, { spec: { finalizers: ["kubernetes"] } })),
  ],
  ["namespaces/status", "namespaces", get("status")],
];
