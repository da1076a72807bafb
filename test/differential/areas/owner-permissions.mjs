// Users with drawn permissions who write objects with owners, whose deletion these may block. Both servers run with RBAC and the
// plugin OwnerReferencesPermissionEnforcement (start-with-roles.mjs --plugins). COUNT is the number of cases, SEED which.
import { prepare, untilAllMayRead } from "../lib/prepare-sides.mjs";
import { Random } from "../lib/random.mjs";
import { bindingOf, rolesPath, user } from "../lib/random-roles.mjs";
import { as } from "../lib/random-users.mjs";

export const parallel = 4;
const { SEED = "1", COUNT = "1000" } = process.env;
const prefix = `owners-${SEED}`;
const namespace = prefix;
const userCount = 40;
const path = `/api/v1/namespaces/${namespace}/configmaps`;
const types = { merge: "application/merge-patch+json", strategic: "application/strategic-merge-patch+json" };

/** Cases for a runner of differential areas. */
export async function* cases(right, left) {
  const users = Array.from({ length: userCount }, (_, i) => writer(new Random(Number(SEED) * 7_000_003 + i), i));
  const created = { path: "/api/v1/namespaces", body: { metadata: { name: namespace } } };
  await prepare([left, right], [created, ...users.flatMap(({ objects }) => objects)]);
  await untilAllMayRead([left, right], `${path}/none`, users);
  for (let i = 0; i < Number(COUNT); i++) {
    const r = new Random(Number(SEED) * 1_000_003 + i);
    const { name } = r.pick(users);
    const object = `${prefix}-${i}`;
    const metadata = { name: object, ...(r.chance(0.7) && { ownerReferences: [stored(r)] }) };
    const steps = [
      { method: "POST", path, body: { metadata }, quiet: true },
      ...Array.from({ length: 1 + r.int(4) }, () => write(r, object, as(name, []))),
    ];
    yield { name: `${SEED}-${i} ${name}`, independent: true, steps };
  }
}

/** A user who may write config maps, perhaps delete them, and perhaps finalize some kinds. */
function writer(r, i) {
  const name = `${prefix}-u${i}`;
  const write_ = {
    verbs: ["get", "create", "update", "patch", ...(r.chance(0.5) ? ["delete"] : [])],
    apiGroups: [""],
    resources: ["configmaps"],
  };
  const finalize = () => ({
    verbs: [r.pick(["update", "update", "update", "patch", "*", "delete"])],
    apiGroups: [r.pick(["", "", "apps", "rbac.authorization.k8s.io", "*"])],
    resources: [
      r.pick([
        "nodes/finalizers",
        "pods/finalizers",
        "deployments/finalizers",
        "*/finalizers",
        "*",
        "roles/finalizers",
        "pods",
      ]),
    ],
    ...(r.chance(0.2) && { resourceNames: [r.pick(["a", "b"])] }),
  });
  const rules = [write_, ...Array.from({ length: r.int(3) }, finalize)];
  const isCluster = r.chance(0.6);
  const where = [isCluster ? "clusterroles" : "roles", isCluster ? "clusterrolebindings" : "rolebindings"];
  const [roles, bindings] = where.map((resource) => rolesPath(resource, namespace));
  return {
    name,
    objects: [
      { path: roles, body: { metadata: { name }, rules } },
      { path: bindings, body: bindingOf(name, isCluster ? "ClusterRole" : "Role", name, [user(name)]) },
    ],
  };
}

/** An owner of an object that is stored: of a kind that nobody serves, so that the garbage collector leaves the object alone. */
function stored(r) {
  return {
    apiVersion: "example.com/v1",
    kind: "Owner",
    name: "a",
    uid: "u",
    ...(r.chance(0.5) && { blockOwnerDeletion: r.chance(0.7) }),
  };
}

function owner(r) {
  const [apiVersion, kind] = r.pick([
    ["v1", "Node"],
    ["v1", "Pod"],
    ["v1", "Pod"],
    ["apps/v1", "Deployment"],
    ["apps/v1beta1", "Deployment"],
    ["rbac.authorization.k8s.io/v1", "Role"],
    ["example.com/v1", "Owner"],
    ["v1", "Nothing"],
    ["", "Pod"],
    ["a/b/c", "Pod"],
    ["v1", ""],
  ]);
  return {
    apiVersion,
    kind,
    name: r.pick(["a", "a", "b", ""]),
    uid: r.pick(["u", "u", "w", ""]),
    ...(r.chance(0.8) && { blockOwnerDeletion: r.chance(0.8) }),
    ...(r.chance(0.3) && { controller: r.chance(0.7) }),
  };
}

const owners = (r) =>
  Array.from({ length: r.chance(0.7) ? 1 : r.int(4) }, () => (r.chance(0.2) ? stored(r) : owner(r)));

/** A write of the object, or of another one, in a dry run: what is stored keeps its owner. */
function write(r, name, headers) {
  const metadata = {
    ...(r.chance(0.85) && { ownerReferences: r.chance(0.9) ? owners(r) : null }),
    ...(r.chance(0.2) && { labels: { a: "b" } }),
  };
  const patched = (type) => ({
    method: "PATCH",
    path: `${path}/${name}?dryRun=All`,
    body: JSON.stringify({ metadata }),
    headers: { ...headers, "content-type": types[type] },
  });
  return r.pick([
    () => ({
      method: "POST",
      path: `${path}?dryRun=All`,
      body: { metadata: { ...metadata, name: `${name}-new` } },
      headers,
    }),
    () => ({ method: "PUT", path: `${path}/${name}?dryRun=All`, body: { metadata: { ...metadata, name } }, headers }),
    () => ({
      method: "PUT",
      path: `${path}/${name}-new?dryRun=All`,
      body: { metadata: { ...metadata, name: `${name}-new` } },
      headers,
    }),
    () => patched("merge"),
    () => patched("strategic"),
    () => ({
      method: "PATCH",
      path: `${path}/${name}?dryRun=All&fieldManager=m&force=true`,
      body: JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { ...metadata, name } }),
      headers: { ...headers, "content-type": "application/apply-patch+yaml" },
    }),
  ])();
}
