// Reviews of access with drawn attributes, about users with drawn permissions. Both servers run with the Node authorizer and
// RBAC (start-with-roles.mjs). COUNT is the number of cases, SEED which.
import { prepare, untilBoth } from "../lib/prepare-sides.mjs";
import { Random } from "../lib/random.mjs";
import { bindingOf, group, nearRule, rolesPath } from "../lib/random-roles.mjs";
import { as, drawnUser } from "../lib/random-users.mjs";
import { reviewBytes } from "../lib/review-bytes.mjs";

export const parallel = 4;
const { SEED = "1", COUNT = "2000" } = process.env;
const prefix = `reviews-${SEED}`;
const namespace = prefix;
const userCount = 40;
const authorization = "/apis/authorization.k8s.io/v1";
const protobuf = "application/vnd.kubernetes.protobuf";
const node = `${prefix}-n`;
const nodeUser = `system:node:${node}`;

/** Cases for a runner of differential areas. */
export async function* cases(right, left) {
  const users = Array.from({ length: userCount }, (_, i) =>
    drawnUser(new Random(Number(SEED) * 7_000_003 + i), { prefix, namespace, i }),
  );
  await prepare([left, right], [...fixtures, ...users.flatMap(({ objects }) => objects)]);
  const last = { groups: [`${prefix}-last`], resourceAttributes: { verb: "x", resource: "y", namespace } };
  await untilBoth(
    [left, right],
    review(`${authorization}/subjectaccessreviews`, { spec: last }),
    ({ body }) => JSON.parse(body.toString()).status?.allowed === true,
  );
  for (let i = 0; i < Number(COUNT); i++) {
    const r = new Random(Number(SEED) * 1_000_003 + i);
    const about = aboutOne(r, users);
    const step = r.pick([accessReview, accessReview, accessReview, accessReview, rulesReview, selfReview])(r, about);
    yield { name: `${SEED}-${i} ${about.name} ${JSON.stringify(step.said)}`, independent: true, steps: [step] };
  }
}

const pod = {
  metadata: { name: "p" },
  spec: {
    nodeName: node,
    serviceAccountName: "default",
    automountServiceAccountToken: false,
    containers: [{ name: "c", image: "i", envFrom: [{ configMapRef: { name: "a" } }] }],
    volumes: [
      { name: "s", secret: { secretName: "a" } },
      { name: "c", persistentVolumeClaim: { claimName: "a" } },
    ],
  },
};
const volume = {
  metadata: { name: `${prefix}-v` },
  spec: {
    capacity: { storage: "1Gi" },
    accessModes: ["ReadWriteOnce"],
    claimRef: { namespace, name: "a" },
    csi: { driver: "d", volumeHandle: "h", nodeStageSecretRef: { namespace, name: "b" } },
  },
};

const fixtures = [
  { path: "/api/v1/namespaces", body: { metadata: { name: namespace } } },
  { path: `/api/v1/namespaces/${namespace}/serviceaccounts`, body: { metadata: { name: "default" } } },
  { path: `/api/v1/namespaces/${namespace}/pods`, body: pod },
  { path: "/api/v1/persistentvolumes", body: volume },
  {
    path: "/apis/storage.k8s.io/v1/volumeattachments",
    body: {
      metadata: { name: `${prefix}-va` },
      spec: { attacher: "d", nodeName: node, source: { persistentVolumeName: `${prefix}-v` } },
    },
  },
  {
    path: rolesPath("roles", namespace),
    body: { metadata: { name: "last" }, rules: [{ verbs: ["x"], apiGroups: [""], resources: ["y"] }] },
  },
  {
    path: rolesPath("rolebindings", namespace),
    body: bindingOf("last", "Role", "last", [group(`${prefix}-last`)]),
  },
];

/** A user to ask about: one with drawn permissions, or one of those that servers know by themselves. */
function aboutOne(r, users) {
  if (r.chance(0.75)) return r.pick(users);
  const groups = r.chance(0.8) ? ["system:nodes"] : [];
  return r.pick([
    { name: nodeUser, groups, held: [] },
    { name: nodeUser, groups, held: [] },
    { name: nodeUser, groups, held: [] },
    { name: "system:node:", groups, held: [] },
    { name: "system:anonymous", groups: ["system:unauthenticated"], held: [] },
    { name: "system:kube-scheduler", groups: [], held: [] },
    { name: `system:serviceaccount:${namespace}:default`, groups: [`system:serviceaccounts`], held: [] },
    { name: "root", groups: ["system:masters"], held: [] },
    { name: "", groups: [], held: [] },
    { name: "nobody", groups: [""], held: [] },
  ]);
}

function word(r, words) {
  return r.chance(0.85) ? r.pick(words) : r.pick(["", "*", "a/b", "é", 'q"', " ", "A", "a\n"]);
}

/** Attributes of a resource, near to what the user holds. */
function resourceAttributes(r, { held, name }) {
  if (name.startsWith("system:node:") && r.chance(0.8)) return nodeAttributes(r);
  const rule = r.chance(0.8) && held.length > 0 ? nearRule(r, held) : {};
  const pick = (list, words) => (list !== undefined && list.length > 0 ? r.pick(list) : word(r, words));
  const [resource, subresource = ""] = split(r, pick(rule.resources, ["pods", "secrets", "deployments"]));
  const all = {
    namespace: r.chance(0.7) ? namespace : word(r, ["", "other", "default"]),
    verb: pick(rule.verbs, ["get", "list", "escalate"]),
    group: pick(rule.apiGroups, ["", "apps"]),
    version: word(r, ["v1", "v1", "*", "v2"]),
    resource,
    subresource: subresource === "*" ? word(r, ["log", "scale", "x"]) : subresource,
    name: pick(rule.resourceNames, ["a", "b", ""]),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== "" || r.chance(0.3)));
}

function split(r, text) {
  const slash = text.indexOf("/");
  if (slash < 0 || r.chance(0.1)) return [text];
  const resource = text.slice(0, slash);
  return [resource === "*" ? r.pick(["pods", "*", "nodes", ""]) : resource, text.slice(slash + 1)];
}

/** Names of objects that a node has to do with. */
const ownNames = {
  persistentvolumes: `${prefix}-v`,
  volumeattachments: `${prefix}-va`,
  serviceaccounts: "default",
  nodes: node,
  csinodes: node,
  leases: node,
  pods: "p",
};

function nodeAttributes(r) {
  const [group, resource] = r.pick([
    ["", "secrets"],
    ["", "configmaps"],
    ["", "persistentvolumeclaims"],
    ["", "persistentvolumes"],
    ["", "persistentvolumes"],
    ["", "serviceaccounts"],
    ["", "pods"],
    ["", "nodes"],
    ["storage.k8s.io", "volumeattachments"],
    ["storage.k8s.io", "csinodes"],
    ["coordination.k8s.io", "leases"],
    ["resource.k8s.io", "resourceclaims"],
    ["", "events"],
    ["certificates.k8s.io", "certificatesigningrequests"],
  ]);
  const all = {
    group: r.chance(0.95) ? group : "x",
    resource,
    verb: word(r, ["get", "get", "get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"]),
    namespace: r.pick([namespace, namespace, namespace, "", "other", "kube-node-lease", "kube-node-lease"]),
    name: r.chance(0.6) ? (ownNames[resource] ?? "a") : word(r, ["a", "b", node, `${prefix}-v`, "default", "p"]),
    subresource: r.chance(0.75) ? "" : word(r, ["status", "token", "log", "proxy", "eviction"]),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ""));
}

function pathAttributes(r, { held }) {
  const rule = r.chance(0.8) ? held.find(({ nonResourceURLs }) => nonResourceURLs !== undefined) : undefined;
  const known = rule === undefined ? "/healthz" : r.pick(rule.nonResourceURLs);
  const path = r.pick([
    known,
    known.replaceAll("*", ""),
    known.replaceAll("*", "z"),
    `${known}/z`,
    r.pick(["/version", "/api", "/apis/", "/", "", "x", "/é", "/livez", "/x?y"]),
  ]);
  const verb = rule !== undefined && r.chance(0.8) ? r.pick(rule.verbs) : word(r, ["get", "post", "head"]);
  return { ...((path !== "" || r.chance(0.5)) && { path }), ...(verb !== "" && { verb }) };
}

function attributes(r, about) {
  if (r.chance(0.05)) {
    return r.pick([
      {},
      { resourceAttributes: null },
      { resourceAttributes: {} },
      { nonResourceAttributes: {} },
      { resourceAttributes: resourceAttributes(r, about), nonResourceAttributes: pathAttributes(r, about) },
    ]);
  }
  return r.chance(0.8)
    ? { resourceAttributes: resourceAttributes(r, about) }
    : { nonResourceAttributes: pathAttributes(r, about) };
}

/** The members of a spec that name a user. */
function named(r, { name, groups }) {
  return {
    ...((name !== "" || r.chance(0.5)) && { user: name }),
    ...((groups.length > 0 || r.chance(0.1)) && { groups }),
    ...(r.chance(0.1) && { uid: r.pick(["u", "", "1-2"]) }),
    ...(r.chance(0.1) && { extra: r.pick([{ a: ["b"] }, { "A/b": [] }, {}, { "": ["x", ""] }, { a: null }, null]) }),
  };
}

function accessReview(r, about) {
  const kind = r.pick(["SubjectAccessReview", "SelfSubjectAccessReview", "LocalSubjectAccessReview"]);
  const asked = attributes(r, about);
  const isSelf = kind === "SelfSubjectAccessReview" && about.name !== "" && !about.groups.includes("");
  const spec = kind === "SelfSubjectAccessReview" ? asked : { ...named(r, about), ...asked };
  const isLocal = kind === "LocalSubjectAccessReview";
  const where = isLocal ? `namespaces/${r.chance(0.9) ? namespace : "other"}/` : "";
  const metadata = isLocal && r.chance(0.9) ? { namespace } : undefined;
  const path = `${authorization}/${where}${kind.toLowerCase()}s`;
  const headers = isSelf ? as(about.name, about.groups) : {};
  return sent(r, { path, kind, spec, metadata, headers, view: jsonView(about) });
}

function rulesReview(r, { name, groups }) {
  const spec = r.chance(0.05)
    ? r.pick([{}, { namespace: "" }, null])
    : { namespace: r.chance(0.8) ? namespace : "other" };
  const headers = name === "" || groups.includes("") ? {} : as(name, groups);
  const path = `${authorization}/selfsubjectrulesreviews`;
  return sent(r, { path, kind: "SelfSubjectRulesReview", spec, headers, view: rulesView });
}

function selfReview(r, { name, groups }) {
  const version = r.pick(["v1", "v1", "v1", "v1beta1", "v1alpha1"]);
  const extra = r.chance(0.4)
    ? { "impersonate-uid": "u", "impersonate-extra-a": ["b", "c"], "impersonate-extra-example.com%2fX": "d" }
    : {};
  const headers = name === "" ? {} : { ...as(name, groups), ...extra };
  const path = `/apis/authentication.k8s.io/${version}/selfsubjectreviews`;
  return sent(r, { path, group: `authentication.k8s.io/${version}`, kind: "SelfSubjectReview", headers });
}

/**
 * The request with a review in one of the media types, with what reviews may have or not have around their specs. `view` is how
 * an answer in JSON is looked at.
 */
function sent(r, { path, group: apiVersion = "authorization.k8s.io/v1", kind, spec, metadata, headers, view }) {
  const body = {
    ...(r.chance(0.7) && { apiVersion: r.chance(0.95) ? apiVersion : r.pick(["v1", "authorization.k8s.io/v2", "/"]) }),
    ...(r.chance(0.7) && { kind: r.chance(0.95) ? kind : r.pick(["Pod", "SubjectAccessReview", "", "List"]) }),
    ...(metadata !== undefined && { metadata }),
    ...(spec !== undefined && { spec }),
    ...(r.chance(0.05) && { status: { allowed: true, reason: "r", denied: true, evaluationError: "e" } }),
    ...(r.chance(0.04) && { unknown: 1 }),
  };
  if (r.chance(0.06)) {
    const more = r.pick([
      { name: "n" },
      { generateName: "n-" },
      { labels: { a: "b" } },
      { namespace: "other" },
      { labels: {} },
      { creationTimestamp: "2020-01-01T00:00:00Z" },
      { uid: "u", resourceVersion: "1" },
      { finalizers: [] },
      { unknown: 1 },
    ]);
    body.metadata = { ...body.metadata, ...more };
  }
  const query = r.chance(0.8)
    ? ""
    : r.pick(["?dryRun=All", "?fieldValidation=Strict", "?fieldValidation=Ignore", "?pretty=1", "?dryRun=x"]);
  const accept = r.chance(0.85) || view === rulesView ? undefined : r.pick(["application/yaml", protobuf]);
  const type = r.chance(0.7) ? "application/json" : r.pick(["application/yaml", protobuf]);
  const step = review(`${path}${query}`, body, type);
  const all = { ...step.headers, ...headers, ...(accept && { accept }) };
  return { ...step, headers: all, said: body, ...(view && accept === undefined && { view }) };
}

function review(path, body, type = "application/json") {
  const bytes = type === protobuf ? reviewBytes(body) : JSON.stringify(body);
  return { method: "POST", path, headers: { "content-type": type }, body: bytes };
}

/**
 * An answer in JSON without what is chance: the time of a request, pointers, and which of several bindings allows an access.
 * The grants that all users have are several.
 */
const jsonView =
  ({ roles = [] }) =>
  ({ body }) => {
    const { metadata: { managedFields: _, creationTimestamp, ...metadata } = {}, ...told } = JSON.parse(
      body.toString(),
    );
    const text = JSON.stringify({ ...told, metadata: { ...metadata, at: creationTimestamp && "NOW" } })
      .replace(/time\.Date\(20[^)]*\)/g, "NOW")
      .replace(/0x[0-9a-f]+/g, "POINTER");
    const isOpen = (reason) => roles.length > 1 || reason.includes('"system:');
    return JSON.parse(text, (key, value) =>
      key === "reason" && /^RBAC: allowed by /.test(value) && isOpen(value) ? "RBAC: allowed by one of several" : value,
    );
  };

/** A list of rules, whose order differs for a known cause. */
function rulesView({ body }) {
  const { metadata: _, ...told } = JSON.parse(body.toString());
  const { status } = told;
  for (const member of ["resourceRules", "nonResourceRules"]) {
    if (Array.isArray(status?.[member])) status[member] = status[member].map((rule) => JSON.stringify(rule)).sort();
  }
  return told;
}
