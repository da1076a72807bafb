// Requests of users with drawn permissions, themselves or by impersonators with drawn permissions, whose headers are well
// formed or not. Both servers run with RBAC (start-with-roles.mjs). COUNT is the number of cases, SEED which.
import { prepare, untilBoth } from "../lib/prepare-sides.mjs";
import { Random } from "../lib/random.mjs";
import { bindingOf, nearRule, rolesPath, user } from "../lib/random-roles.mjs";
import { as, drawnUser } from "../lib/random-users.mjs";
import { impersonatorCount, tokenOf } from "../lib/static-tokens.mjs";

export const parallel = 4;
const { SEED = "1", COUNT = "2000" } = process.env;
const prefix = `requests-${SEED}`;
const namespace = prefix;
const userCount = 50;
const whoAmI = "/apis/authentication.k8s.io/v1/selfsubjectreviews";

/** Cases for a runner of differential areas. */
export async function* cases(right, left) {
  const users = Array.from({ length: userCount }, (_, i) =>
    drawnUser(new Random(Number(SEED) * 7_000_003 + i), { prefix, namespace, i }),
  );
  const impersonators = Array.from({ length: impersonatorCount }, (_, i) =>
    impersonator(new Random(Number(SEED) * 9_000_011 + i), i),
  );
  const created = { path: "/api/v1/namespaces", body: { metadata: { name: namespace } } };
  await prepare([left, right], [created, ...[...users, ...impersonators, last].flatMap(({ objects }) => objects)]);
  await untilBoth(
    [left, right],
    { method: "GET", path: "/api/v1/nodes", headers: as(`${prefix}-last`, []) },
    ({ status }) => status === 200,
  );
  for (let i = 0; i < Number(COUNT); i++) {
    const r = new Random(Number(SEED) * 1_000_003 + i);
    const [name, step] = r.chance(0.5) ? impersonated(r, impersonators, users) : own(r, users);
    yield { name: `${SEED}-${i} ${name}`, independent: true, steps: [step] };
  }
}

/** Objects that let a user read nodes: the last of all, so that what is before is known when it is. */
const last = {
  objects: [
    {
      path: rolesPath("clusterroles"),
      body: {
        metadata: { name: `${prefix}-last` },
        rules: [{ verbs: ["list"], apiGroups: [""], resources: ["nodes"] }],
      },
    },
    {
      path: rolesPath("clusterrolebindings"),
      body: bindingOf(`${prefix}-last`, "ClusterRole", `${prefix}-last`, [user(`${prefix}-last`)]),
    },
  ],
};

const userNames = [
  ...["alice", "alice", "bob", "a b", "x/y", "*", "system:anonymous", "system:admin", "é", "system:node:n1", "0"],
  ...["system:serviceaccount:default:builder", `system:serviceaccount:${namespace}:builder`],
  ...["system:serviceaccount:default:Bad_Name", "system:serviceaccount:default", "system:serviceaccount:a:b:c"],
  ...["system:serviceaccount::builder", "system:serviceaccount:default:", "SYSTEM:serviceaccount:default:builder"],
];
const groupNames = [
  ...["readers", "readers", "admins", "a b", "*", "system:authenticated", "system:unauthenticated", "system:masters"],
  ...["system:nodes", "system:serviceaccounts", "system:serviceaccounts:default", "é"],
];
const extraKeys = ["scopes", "scopes", "Scopes", "acme.com%2fscopes", "acme.com%2Fscopes", "a.b", "x%2", "a%20b"];
const extraValues = ["view", "view", "edit", "*", "a b", "a,b", "é"];
const uids = ["7", "7", "8", "*", "a b"];

/** A user who may impersonate some others, and the objects that let them. */
function impersonator(r, i) {
  const subresources = [
    "scopes",
    "acme.com/scopes",
    "acme.com%2fscopes",
    "*",
    "a.b",
    "%",
    "a b",
    "x%2",
    "%25",
    "Scopes",
  ];
  const rule = () => {
    const [apiGroup, resources, names] = r.pick([
      ["", ["users"], userNames],
      ["", ["users", "groups"], [...userNames, ...groupNames]],
      ["", ["groups"], groupNames],
      ["", ["serviceaccounts"], ["builder", "builder", "*"]],
      ["", ["users", "groups", "serviceaccounts"], userNames],
      [
        "authentication.k8s.io",
        [`userextras/${r.pick(subresources)}`, `userextras/${r.pick(subresources)}`],
        extraValues,
      ],
      ["authentication.k8s.io", [r.pick(["userextras", "*/scopes", "userextras/*", "*"])], extraValues],
      ["authentication.k8s.io", ["uids"], uids],
      [r.pick(["*", "", "authentication.k8s.io"]), [r.pick(["*", "uids", "userextras/scopes", "users"])], uids],
    ]);
    return {
      verbs: [r.chance(0.9) ? "impersonate" : r.pick(["*", "get", "Impersonate"])],
      apiGroups: [apiGroup],
      resources,
      ...(r.chance(0.4) && { resourceNames: [r.pick(names), r.pick(names)] }),
    };
  };
  const name = `${prefix}-i${i}`;
  const rules = Array.from({ length: 1 + r.int(6) }, rule);
  const isCluster = r.chance(0.85);
  const where = [isCluster ? "clusterroles" : "roles", isCluster ? "clusterrolebindings" : "rolebindings"];
  const [roles, bindings] = where.map((resource) => rolesPath(resource, namespace));
  const kind = isCluster ? "ClusterRole" : "Role";
  return {
    i,
    objects: [
      { path: roles, body: { metadata: { name }, rules } },
      { path: bindings, body: bindingOf(name, kind, name, [user(`impersonator-${i}`)]) },
    ],
  };
}

/** Headers that ask for another identity. */
function impersonationHeaders(r, users) {
  const headers = {};
  const one = (r.chance(0.2) ? r.pick(users) : undefined)?.name ?? r.pick(userNames);
  const header = (text) => (r.chance(0.9) ? text : text.toUpperCase());
  if (r.chance(0.9))
    headers[header("impersonate-user")] = r.chance(0.95) ? latin1(one) : r.pick(["", " alice", "alice ", ["a", "b"]]);
  if (r.chance(0.4)) {
    const names = Array.from({ length: r.chance(0.6) ? 1 : 1 + r.int(3) }, () => latin1(r.pick(groupNames)));
    headers[header("impersonate-group")] = r.chance(0.95) ? names : ["", ...names];
  }
  if (r.chance(0.3)) headers[header("impersonate-uid")] = r.chance(0.95) ? r.pick(uids) : r.pick(["", ["7", "8"]]);
  // One extra at most: of several, v1.29 looks at them in any order.
  if (r.chance(0.4)) {
    const key = r.chance(0.95) ? r.pick(extraKeys) : r.pick(["", "-", "%2f", "%ff", "%c3%a9"]);
    const values = Array.from({ length: r.chance(0.7) ? 1 : 2 }, () => latin1(r.pick(extraValues)));
    headers[header(`impersonate-extra-${key}`)] = r.chance(0.95) ? values : "";
  }
  if (r.chance(0.03))
    headers[r.pick(["impersonate-users", "impersonate-extra", "impersonate-", "impersonate-foo"])] = "x";
  return headers;
}

/** A text as Node sends it in a header so that its bytes are those of UTF-8. */
function latin1(text) {
  return Buffer.from(text).toString("latin1");
}

function impersonated(r, impersonators, users) {
  const headers = impersonationHeaders(r, users);
  const { i } = r.pick(impersonators);
  const byWhom = r.pick([
    { authorization: `Bearer ${tokenOf(i)}` },
    { authorization: `Bearer ${tokenOf(i)}` },
    { authorization: `Bearer ${tokenOf(i)}` },
    { authorization: "Bearer admin-token" },
    { authorization: "Bearer user-token" },
    { authorization: `Bearer ${r.pick(["wrong", "", "a b"])}` },
    {},
  ]);
  const request = r.chance(0.7) ? { method: "POST", path: whoAmI, body: "{}" } : drawnRequest(r, r.pick(users));
  const step = {
    ...request,
    as: "none",
    headers: { ...request.headers, "content-type": "application/json", ...headers, ...byWhom },
  };
  return [`${JSON.stringify(byWhom)} as ${JSON.stringify(headers)} ${step.method} ${step.path}`, compared(step)];
}

function own(r, users) {
  const acting = r.chance(0.85)
    ? r.pick(users)
    : r.pick([
        { name: "system:anonymous", groups: ["system:unauthenticated"], held: [] },
        { name: "system:kube-controller-manager", groups: [], held: [] },
        { name: `system:serviceaccount:${namespace}:builder`, groups: [], held: [] },
        { name: "nobody", groups: ["system:monitoring"], held: [] },
        { name: 'q"uo\\te', groups: [], held: [] },
      ]);
  const request = drawnRequest(r, acting);
  const headers = { ...request.headers, "content-type": "application/json", ...as(latin1(acting.name), acting.groups) };
  return [`${acting.name} ${request.method} ${request.path}`, compared({ ...request, headers })];
}

const builtIn = [
  ...["/api/v1/NS/pods", "/api/v1/NS/pods", "/api/v1/NS/configmaps", "/api/v1/NS/secrets", "/api/v1/nodes"],
  ...["/apis/apps/v1/NS/deployments", "/apis/apps/v1/deployments", "/apis/rbac.authorization.k8s.io/v1/NS/roles"],
  ...[
    "/api/v1/namespaces",
    "/api/v1/persistentvolumes",
    "/apis/example.com/v1/NS/things",
    "/apis/apps/v2/NS/deployments",
  ],
];

/** A request for an object or a collection, near to what the user holds, or for another path. It changes nothing. */
function drawnRequest(r, { held }) {
  if (r.chance(0.2)) return pathRequest(r, held);
  if (r.chance(0.2)) return oddRequest(r);
  const rule = held.length > 0 && r.chance(0.8) ? nearRule(r, held) : {};
  const where = r.chance(0.7)
    ? `namespaces/${r.chance(0.85) ? namespace : r.pick(["other", "kube-system", "%20", "a%2fb"])}`
    : "";
  const [resource, subresource] = drawnResource(r, rule);
  const group = rule.apiGroups?.length > 0 ? r.pick(rule.apiGroups) : r.pick(["", "apps"]);
  const base = group === "" || group === "*" ? "/api/v1" : `/apis/${encodeURIComponent(group)}/v1`;
  const collection =
    resource === undefined
      ? r.pick(builtIn).replace("NS", `namespaces/${namespace}`)
      : [base, where, resource].filter((part) => part !== "").join("/");
  const name = rule.resourceNames?.length > 0 ? r.pick(rule.resourceNames) : r.pick(["a", "b", "", "", "a%20b", "%2f"]);
  const object = name === "" ? collection : `${collection}/${name.includes("%") ? name : encodeURIComponent(name)}`;
  const path = name !== "" && subresource ? `${object}/${subresource}` : object;
  const method = r.pick(["GET", "GET", "GET", "POST", "PUT", "PATCH", "DELETE", "DELETE", "HEAD", "OPTIONS"]);
  const query = [
    ...(["GET", "HEAD"].includes(method) ? [] : ["dryRun=All"]),
    ...(method === "GET" && r.chance(0.15)
      ? [r.pick(["watch=1&timeoutSeconds=1", "watch=true&timeoutSeconds=1", "watch=0", "watch"])]
      : []),
    ...(r.chance(0.15) ? [`fieldSelector=metadata.name%3D${r.pick(["a", "b", "a,metadata.name%3Db", ""])}`] : []),
    ...(r.chance(0.05) ? ["limit=1"] : []),
    ...(r.chance(0.05) ? ["labelSelector=a"] : []),
  ];
  const watched = r.chance(0.04) ? path.replace(/\/v1\//, "/v1/watch/") : path;
  return { method, path: `${watched}${query.length === 0 ? "" : `?${query.join("&")}`}`, ...bodyFor(method) };
}

/** Paths that tell less plainly what is asked of which resource. */
const oddPaths = [
  ...["/api/v1/NS", "/api/v1/NS/status", "/api/v1/NS/finalize", "/api/v1/NS/pods/a/proxy/x/y", "/api/v1/nodes/a/proxy"],
  ...[
    "/api/v1/nodes/a/proxy/",
    "/api/v1/NS/services/http:a:80/proxy/x",
    "/api/v1/proxy/NS/pods/a",
    "/api/v1/proxy/nodes/a/x",
  ],
  ...[
    "/api/v1/redirect/nodes/a",
    "/api/v1/watch/NS",
    "/api/v1/watch/nodes/a",
    "/api/v1/watch/NS/pods/a",
    "/api/v1/watch",
  ],
  ...[
    "/api/v1/NS/pods/a/status/x",
    "/api/v1/NS/pods/a/log/x/y",
    "/api//v1/pods",
    "/api/v1//NS/pods",
    "/api/v1/pods//a",
  ],
  ...["/apis//v1/pods", "/apis/apps//NS/deployments", "/api/v1/namespaces//pods", "/api/v1/namespaces/", "/api/v1/NS/"],
  ...[
    "/apis/apps/v1/NS/deployments/a/scale",
    "/API/v1/pods",
    "/api/v1/Pods",
    "/api/v1/NS/pods/a/../b",
    "/api/v1/./pods",
  ],
  ...[
    "/api/v1/NS/pods/a%2Flog",
    "/api/v1/NS/pods%2Fa",
    "/api%2Fv1/pods",
    "/api/v1/NS/pods/%61",
    "/api/v1/NS/pods/a%00b",
  ],
  ...["/api/v1/NS/pods/a;b", "/api/v1/NS/pods/a?watch=1", "/api/v1/NS/serviceaccounts/a/token", "/api/v1/NS/bindings"],
  ...[
    "/apis/apps/v1",
    "/apis/apps/v1/",
    "/apis/apps/v1/namespaces",
    "/apis/apps/v1/NS",
    "/apis/rbac.authorization.k8s.io/v1/a",
  ],
  ...["/api/v1/namespaces/a/b/c/d/e", "/api/v1/NS/events?fieldSelector=metadata.name=a", "/api/v1/componentstatuses/a"],
];

/** A request for one of these paths. Most users are refused it, and told what it was taken for. */
function oddRequest(r) {
  const path = r.pick(oddPaths).replace("NS", `namespaces/${namespace}`);
  const method = r.pick(["GET", "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "CONNECT-ME", "TRACE"]);
  const dryRun = ["GET", "HEAD"].includes(method) ? "" : `${path.includes("?") ? "&" : "?"}dryRun=All`;
  return { method, path: `${path}${dryRun}`, ...bodyFor(method) };
}

function drawnResource(r, { resources = [] }) {
  if (resources.length === 0)
    return r.chance(0.7) ? [undefined, r.pick(["", "", "status", "log", "scale"])] : ["pods", "log"];
  const [resource, ...rest] = r.pick(resources).split("/");
  const subresource = rest.join("/");
  return [
    resource === "*" || resource === "" ? r.pick(["pods", "deployments", "nodes", "bindings"]) : resource,
    subresource === "*" ? r.pick(["log", "scale", "exec", "proxy/x/y", "eviction", "binding"]) : subresource,
  ];
}

function pathRequest(r, held) {
  const rule = r.chance(0.8) ? held.find(({ nonResourceURLs }) => nonResourceURLs !== undefined) : undefined;
  const known = rule === undefined ? "/healthz" : r.pick(rule.nonResourceURLs);
  const drawn = r.pick([
    known.replaceAll("*", ""),
    known.replaceAll("*", "z"),
    `${known.replaceAll("*", "")}/z/`,
    ...[
      "/version",
      "/api",
      "/apis/",
      "/",
      "/livez/ping",
      "/metrics",
      "/x/../healthz",
      "//healthz",
      "/healthz/",
      "/x%2fy",
      "/x?y=z",
    ],
    ...[
      "/api/v1",
      "/apis/apps",
      "/apis/apps/v1/",
      "/api/v1/",
      "/openapi/v2",
      "/logs",
      "/nope",
      "/.well-known/openid-configuration",
    ],
  ]);
  const path = drawn.startsWith("/") ? encodeURI(drawn).replaceAll("%25", "%") : `/${encodeURI(drawn)}`;
  const method = r.pick(["GET", "GET", "GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"]);
  return { method, path, ...bodyFor(method) };
}

function bodyFor(method) {
  return ["POST", "PUT", "PATCH"].includes(method) ? { body: "{}" } : {};
}

const otherHeaders = [
  "etag",
  "location",
  "vary",
  "content-encoding",
  "warning",
  "cache-control",
  "allow",
  "content-type",
];

/** The step, of which the refusals are compared as a whole, and otherwise who is answered and with which status. */
function compared(step) {
  const isHead = step.method === "HEAD";
  const view = ({ status, body }) => {
    if (isHead) return "";
    if (step.path === whoAmI) return status === 201 ? JSON.parse(body.toString()).status : body.toString();
    return status === 403 || status === 401 || status === 500 ? body.toString() : "";
  };
  return { ...step, view, maxMs: 3000, exceptHeaders: [...otherHeaders, "x-content-type-options"] };
}
