// Users with drawn permissions who make and change roles and bindings with drawn rules: what they may grant, and what they
// are told to lack. Both servers run with RBAC (start-with-roles.mjs). COUNT is the number of cases, SEED which.
import { prepare, untilAllMayRead } from "../lib/prepare-sides.mjs";
import { Random } from "../lib/random.mjs";
import { group, nearRule, policyRule, rbacGroup, rolesPath, user } from "../lib/random-roles.mjs";
import { as, drawnUser, give } from "../lib/random-users.mjs";

export const parallel = 4;
const { SEED = "1", COUNT = "2000" } = process.env;
const prefix = `escalation-${SEED}`;
const namespace = prefix;
const userCount = 60;

const types = {
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  json: "application/json-patch+json",
  apply: "application/apply-patch+yaml",
};

/** Cases for a runner of differential areas. */
export async function* cases(right, left) {
  const users = Array.from({ length: userCount }, (_, i) => grantor(new Random(Number(SEED) * 7_000_003 + i), i));
  await prepare(
    [left, right],
    [
      { path: "/api/v1/namespaces", body: { metadata: { name: namespace } } },
      ...users.flatMap(({ objects }) => objects),
    ],
  );
  await untilAllMayRead([left, right], `${rolesPath("clusterroles")}/${prefix}-none`, users);
  for (let i = 0; i < Number(COUNT); i++) {
    const r = new Random(Number(SEED) * 1_000_003 + i);
    const acting = r.chance(0.02) ? { ...r.pick(users), groups: ["system:masters"] } : r.pick(users);
    yield r.chance(0.6) ? roleCase(r, i, acting) : bindingCase(r, i, acting, users);
  }
}

/** A user with drawn permissions who may write roles and bindings, and perhaps grant what they do not hold. */
function grantor(r, i) {
  const drawn = drawnUser(r, { prefix, namespace, i });
  const special = (verb, resources) => ({
    verbs: r.chance(0.8) ? [verb] : [verb, "use"],
    apiGroups: [r.chance(0.85) ? rbacGroup : r.pick(["", "*"])],
    resources: r.some(resources, 0.7),
    ...(r.chance(0.3) && { resourceNames: [`${prefix}-r0`, `${prefix}-r1`, `${drawn.name}-r1`, "view", "a"] }),
  });
  const escalate = special("escalate", ["roles", "clusterroles", "*"]);
  const bind = special("bind", ["roles", "clusterroles", "*"]);
  for (const rule of [...(r.chance(0.2) ? [escalate] : []), ...(r.chance(0.25) ? [bind] : [])]) {
    if (rule.resources.length === 0) continue;
    const isCluster = r.chance(0.6);
    give(r, drawn, [rule], { isCluster, isGrantedInCluster: isCluster && r.chance(0.6), label: rule.verbs[0] });
  }
  const write = {
    verbs: ["get", "create", "update", "patch", "delete"],
    apiGroups: [rbacGroup],
    resources: ["roles", "clusterroles", "rolebindings", "clusterrolebindings"],
  };
  give(r, drawn, [write], { isCluster: true, isGrantedInCluster: true, label: "write" });
  return drawn;
}

function drawnRules(r, { held }, hasPaths) {
  if (r.chance(0.03)) return r.pick([undefined, null, []]);
  const count = r.chance(0.6) ? 1 : r.int(6);
  return Array.from({ length: count }, () =>
    r.chance(0.6) ? nearRule(r, held, { hasPaths }) : policyRule(r, { hasPaths }),
  );
}

function drawnAggregation(r) {
  return r.pick([
    { clusterRoleSelectors: [{ matchLabels: { [`${prefix}-never`]: "x" } }] },
    { clusterRoleSelectors: [{}] },
    { clusterRoleSelectors: [] },
    {},
    null,
    { clusterRoleSelectors: [{ matchExpressions: [{ key: "a", operator: "Own" }] }] },
    { clusterRoleSelectors: [{ matchLabels: { "a b": "c" } }] },
    { clusterRoleSelectors: [{ matchExpressions: [{ key: "a", operator: "In", values: [] }] }, {}] },
  ]);
}

function drawnMetadata(r, name) {
  return {
    name: r.chance(0.97) ? name : r.pick(["", "a/b", `${name}:x`, `${name}%`, "."]),
    ...(r.chance(0.1) && { labels: { a: "b" } }),
    ...(r.chance(0.05) && { namespace: r.pick([namespace, "other", ""]) }),
    ...(r.chance(0.04) && { finalizers: [r.pick(["example.com/f", "f"])] }),
    ...(r.chance(0.04) && { ownerReferences: [owner(r)] }),
    ...(r.chance(0.02) && { generateName: `${name}-` }),
  };
}

function owner(r) {
  return {
    // Of a kind that nobody serves, since the garbage collector deletes what has lost its owners.
    apiVersion: "example.com/v1",
    kind: "Owner",
    name: "n",
    uid: "u",
    ...(r.chance(0.4) && { blockOwnerDeletion: r.chance(0.7) }),
    ...(r.chance(0.2) && { controller: true }),
  };
}

function roleCase(r, i, acting) {
  const isCluster = r.chance(0.5);
  const resource = isCluster ? "clusterroles" : "roles";
  const path = rolesPath(resource, namespace);
  const name = `${prefix}-r${i}`;
  const draw = () => ({
    metadata: drawnMetadata(r, name),
    rules: drawnRules(r, acting, isCluster),
    ...(r.chance(isCluster ? 0.1 : 0.01) && { aggregationRule: drawnAggregation(r) }),
  });
  const typed = { apiVersion: `${rbacGroup}/v1`, kind: isCluster ? "ClusterRole" : "Role" };
  return writes(r, { i, acting, path, name, draw, typed, resource, patches: () => rolePatch(r, acting, isCluster) });
}

function rolePatch(r, acting, isCluster) {
  const rules = drawnRules(r, acting, isCluster);
  const [rule = {}] = rules ?? [];
  const merge = r.pick([{ rules }, { rules }, { aggregationRule: drawnAggregation(r) }, ...metadataChanges(r)]);
  const json = r.pick([
    [{ op: "add", path: "/rules/-", value: rule }],
    [{ op: "replace", path: "/rules", value: rules ?? null }],
    [{ op: "remove", path: "/rules/0" }],
    [{ op: "copy", from: "/rules/0", path: "/rules/-" }],
    [{ op: "add", path: "/rules/0/verbs/-", value: "create" }],
  ]);
  return { merge, json };
}

function metadataChanges(r) {
  return [
    { metadata: { labels: { a: r.pick(["b", "c", null]) } } },
    { metadata: { annotations: { a: r.pick(["b", "c"]) } } },
    { metadata: { finalizers: r.pick([["example.com/f"], [], null, ["example.com/g"]]) } },
    { metadata: { ownerReferences: r.pick([[owner(r)], [], null]) } },
    { metadata: { finalizers: ["example.com/f"], labels: { a: "z" } } },
    {},
  ];
}

function bindingCase(r, i, acting, users) {
  const isCluster = r.chance(0.4);
  const resource = isCluster ? "clusterrolebindings" : "rolebindings";
  const path = rolesPath(resource, namespace);
  const name = `${prefix}-b${i}`;
  const draw = () => {
    const { kind, name: roleName, apiGroup = rbacGroup } = drawnRoleRef(r, acting, users);
    return {
      metadata: drawnMetadata(r, name),
      roleRef: { apiGroup, kind, name: roleName },
      subjects: drawnSubjects(r),
    };
  };
  const typed = { apiVersion: `${rbacGroup}/v1`, kind: isCluster ? "ClusterRoleBinding" : "RoleBinding" };
  const patches = () => {
    const { kind, name: roleName } = drawnRoleRef(r, acting, users);
    const merge = r.pick([
      { subjects: drawnSubjects(r) },
      { subjects: drawnSubjects(r) },
      { roleRef: { kind, name: roleName } },
      ...metadataChanges(r),
    ]);
    const json = r.pick([
      [{ op: "add", path: "/subjects/-", value: r.pick(drawnSubjects(r) ?? [{}]) ?? {} }],
      [{ op: "replace", path: "/roleRef/name", value: roleName }],
      [{ op: "remove", path: "/subjects" }],
      [{ op: "remove", path: "/subjects/0" }],
    ]);
    return { merge, json };
  };
  return writes(r, { i, acting, path, name, draw, typed, resource, patches });
}

/** A reference to a role of the user themself, of another one, to one of those that all clusters have, or to none. */
function drawnRoleRef(r, acting, users) {
  const others = r.pick(users).roles;
  const own = acting.roles;
  return r.pick([
    ...own,
    ...own,
    ...(others.length > 0 ? [r.pick(others), r.pick(others)] : []),
    { kind: "ClusterRole", name: r.pick(["view", "edit", "cluster-admin", "system:discovery", "admin"]) },
    { kind: r.pick(["Role", "ClusterRole"]), name: "absent" },
    {
      kind: r.pick(["Role", "ClusterRole", "clusterrole", "", "Group"]),
      name: r.pick(["", "a/b", "a", "view", "%"]),
      apiGroup: r.pick([rbacGroup, "", "other", "*"]),
    },
  ]);
}

function drawnSubjects(r) {
  if (r.chance(0.05)) return r.pick([undefined, null]);
  return Array.from({ length: r.chance(0.6) ? 1 : r.int(4) }, () =>
    r.chance(0.8)
      ? r.pick([
          user("zoe"),
          group("zoes"),
          { kind: "ServiceAccount", name: "default", namespace },
          { kind: "User", name: "zoe" },
        ])
      : {
          kind: r.pick(["User", "Group", "ServiceAccount", "user", "", "X"]),
          name: r.pick(["zoe", "", "a b", "A/b", "system:masters"]),
          ...(r.chance(0.5) && { apiGroup: r.pick([rbacGroup, "", "x"]) }),
          ...(r.chance(0.3) && { namespace: r.pick(["", "x", "A b"]) }),
        },
  );
}

/** The case of an object that is created or there already, and then changed. */
function writes(r, { i, acting, path, name, draw, typed, resource, patches }) {
  const headers = as(acting.name, acting.groups);
  const object = `${path}/${name}`;
  const query = () => r.pick(["", "", "", "", "?dryRun=All", "?fieldValidation=Strict"]);
  const create = () => {
    const body = draw();
    switch (r.int(6)) {
      case 0:
        return { method: "PUT", path: `${object}${query()}`, body, headers };
      case 1:
        return applied(draw());
      default:
        return { method: "POST", path: `${path}${query()}`, body, headers };
    }
  };
  const applied = (body) => ({
    method: "PATCH",
    path: `${object}?fieldManager=${r.pick(["m", "n"])}${r.pick(["", "&force=true", "&dryRun=All"])}`,
    headers: { ...headers, "content-type": types.apply },
    body: JSON.stringify({ ...typed, ...body }),
  });
  const patched = () => {
    const { merge, json } = patches();
    const type = r.pick(["merge", "merge", "strategic", "json"]);
    return {
      method: "PATCH",
      path: `${object}${query()}`,
      headers: { ...headers, "content-type": types[type] },
      body: JSON.stringify(type === "json" ? json : merge),
    };
  };
  const change = () =>
    r.pick([
      () => ({ method: "PUT", path: `${object}${query()}`, body: draw(), headers }),
      patched,
      patched,
      () => applied(draw()),
    ])();
  const isThere = r.chance(0.5);
  const steps = [
    isThere
      ? { method: "POST", path, body: { ...draw(), metadata: { name, finalizers: ["example.com/f"] } } }
      : create(),
    ...Array.from({ length: 1 + r.int(3) }, change),
    ...(r.chance(0.1) ? [{ method: "DELETE", path: object, headers }, change()] : []),
  ];
  return { name: `${SEED}-${i} ${acting.name} ${resource}`, independent: true, steps };
}
