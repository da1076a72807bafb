// Roles and bindings that are made, changed and deleted, and what their subjects may do a moment later. Both servers run with
// RBAC and the controller of aggregated roles (start-with-roles.mjs). COUNT is the number of cases, SEED which.
import { adapt } from "../lib/adapted-side.mjs";
import { prepare } from "../lib/prepare-sides.mjs";
import { Random } from "../lib/random.mjs";
import { bindingOf, group, rolesPath, user } from "../lib/random-roles.mjs";

export const parallel = 6;
const { SEED = "1", COUNT = "600" } = process.env;
const namespace = `changes-${SEED}`;
/** The time in which authorizers and the controller learn of a change, in milliseconds. */
const settlingMs = 400;
const merge = "application/merge-patch+json";

/** Cases for a runner of differential areas. */
export async function* cases(right, left) {
  for (const side of [right, left]) adapt(side);
  await prepare([left, right], [{ path: "/api/v1/namespaces", body: { metadata: { name: namespace } } }]);
  for (let i = 0; i < Number(COUNT); i++) {
    const r = new Random(Number(SEED) * 1_000_003 + i);
    const id = `changes-${SEED}-${i}`;
    const rounds = Array.from({ length: 2 + r.int(3) }, () => {
      const changes = Array.from({ length: 1 + r.int(3) }, () => change(r, id));
      const [first, ...others] = Array.from({ length: 5 }, () => question(r, id));
      return [...changes, { ...first, afterMs: settlingMs }, ...others];
    });
    yield { name: `${SEED}-${i}`, independent: true, steps: rounds.flat() };
  }
}

const verbs = ["get", "list", "*"];
const resources = ["pods", "secrets", "pods/log", "*/log", "*"];

function drawnRules(r) {
  return Array.from({ length: r.int(3) }, () => ({
    verbs: [r.pick(verbs)],
    apiGroups: [r.pick(["", "", "*", "apps"])],
    resources: [r.pick(resources)],
    ...(r.chance(0.2) && { resourceNames: ["a"] }),
  }));
}

function drawnSubjects(r, id) {
  const all = [
    user(`${id}-user`),
    group(`${id}-group`),
    { kind: "ServiceAccount", name: id, namespace },
    { kind: "ServiceAccount", name: id, namespace: "other" },
  ];
  return r.some(all, 0.4);
}

const roleName = (r, id) => `${id}-r${r.int(2)}`;
const bindingName = (r, id) => `${id}-b${r.int(2)}`;

/** A change of a role or a binding, by an administrator. */
function change(r, id) {
  const isCluster = r.chance(0.5);
  const roles = rolesPath(isCluster ? "clusterroles" : "roles", namespace);
  const bindings = rolesPath(r.chance(0.5) ? "clusterrolebindings" : "rolebindings", namespace);
  const bound = () => {
    const isClusterRole = bindings.includes("clusterrolebindings") || r.chance(0.5);
    return bindingOf(bindingName(r, id), isClusterRole ? "ClusterRole" : "Role", roleName(r, id), drawnSubjects(r, id));
  };
  const send = (method, path, body, type = "application/json") => ({
    method,
    path,
    body: body === undefined ? undefined : JSON.stringify(body),
    headers: body === undefined ? {} : { "content-type": type },
    view: ({ status }) => status,
  });
  const put = (collection, object) => send("PUT", `${collection}/${object.metadata.name}`, object);
  return r.pick([
    () => put(roles, { metadata: { name: roleName(r, id) }, rules: drawnRules(r) }),
    () => put(roles, { metadata: { name: roleName(r, id) }, rules: drawnRules(r) }),
    () =>
      put(rolesPath("clusterroles"), {
        metadata: { name: roleName(r, id), labels: { [id]: "x" } },
        rules: drawnRules(r),
      }),
    () => put(rolesPath("clusterroles"), collector(r, id)),
    () => send("PATCH", `${roles}/${roleName(r, id)}`, { rules: drawnRules(r) }, merge),
    () =>
      send(
        "PATCH",
        `${rolesPath("clusterroles")}/${roleName(r, id)}`,
        { metadata: { labels: { [id]: r.pick(["x", null]) } } },
        merge,
      ),
    () => send("DELETE", `${roles}/${roleName(r, id)}`),
    () => send("POST", bindings, bound()),
    () => send("POST", bindings, bound()),
    () => put(bindings, bound()),
    () => send("PATCH", `${bindings}/${bindingName(r, id)}`, { subjects: drawnSubjects(r, id) }, merge),
    () => send("DELETE", `${bindings}/${bindingName(r, id)}`),
    () => send("DELETE", `${bindings}?fieldSelector=metadata.name%3D${bindingName(r, id)}`),
  ])();
}

/** A role that collects the rules of the others of its case. */
function collector(r, id) {
  const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { [id]: "x" } }] };
  return { metadata: { name: roleName(r, id) }, aggregationRule, rules: r.chance(0.5) ? null : drawnRules(r) };
}

/** A review of what one of the subjects may do. */
function question(r, id) {
  const who = r.pick([
    { user: `${id}-user` },
    { user: "x", groups: [`${id}-group`] },
    { user: `system:serviceaccount:${namespace}:${id}` },
    { user: `system:serviceaccount:other:${id}` },
    { user: `${id}-user`, groups: [`${id}-group`] },
  ]);
  const resourceAttributes = {
    namespace: r.pick([namespace, namespace, "other", ""]),
    verb: r.pick(["get", "list"]),
    resource: r.pick(["pods", "secrets"]),
    ...(r.chance(0.3) && { subresource: "log" }),
    ...(r.chance(0.4) && { name: r.pick(["a", "b"]) }),
    ...(r.chance(0.2) && { group: "apps" }),
  };
  const path = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
  const headers = { "content-type": "application/json" };
  return {
    method: "POST",
    path,
    headers,
    body: JSON.stringify({ spec: { ...who, resourceAttributes } }),
    view: verdict,
  };
}

/** The verdict. Of several bindings that allow an access, and of several missing roles, v1.29 tells in any order. */
function verdict({ body }) {
  const { allowed, reason = "", ...more } = JSON.parse(body.toString()).status;
  if (allowed) return { allowed, ...more };
  return {
    allowed,
    reason: reason
      .replace(/^RBAC: \[?|\]$/g, "")
      .split(", ")
      .sort(),
    ...more,
  };
}
