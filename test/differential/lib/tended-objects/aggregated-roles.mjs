// Cluster roles that collect the rules of others, in chains: a role of a level selects among the roles of the levels below it.
// Those that collect each other are another matter (docs/decisions/0026-authorization.md).
import { send } from "../life-cycles/steps.mjs";
import { subjectOf } from "../life-cycles/subjects.mjs";
import { erase, look, make, merge, world } from "./steps.mjs";

const kind = {
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind: "ClusterRole",
  plural: "clusterroles",
  isOfCluster: true,
};
const levels = [4, 2, 1];

/** Draws the steps of a world. */
export function roleSteps(r, base) {
  const roles = levels.flatMap((count, level) =>
    Array.from({ length: count }, (_, at) => {
      const key = `r${level}${at}`;
      return { ...subjectOf(kind, { key, base: `${base}-${r.pick("abc")}${key}` }), level, base };
    }),
  );
  return world({
    made: roles.filter(() => r.chance(0.85)).map((role) => makeRole(r, role)),
    actions: Array.from({ length: 3 + r.int(5) }, () => action(r, r.pick(roles))),
    looks: (label) => roles.map((role) => look(role, label)),
  });
}

function makeRole(r, role) {
  return make(role, {
    metadata: { labels: labelsOf(r, role) },
    ...(r.chance(role.level === 0 ? 0.95 : 0.4) && { rules: rules(r) }),
    ...(role.level > 0 && r.chance(0.9) && { aggregationRule: aggregation(r, role) }),
  });
}

const labelsOf = (r, { level, base }) => ({
  world: base,
  level: String(level),
  ...(r.chance(0.6) && { a: r.pick(["1", "2"]) }),
  ...(r.chance(0.4) && { b: r.pick(["1", ""]) }),
});

function rules(r) {
  const rule = () =>
    r.pick([
      { verbs: r.pick([["get"], ["get", "list"], ["*"]]), apiGroups: [""], resources: [r.pick(["pods", "secrets"])] },
      { verbs: ["get"], apiGroups: ["apps", ""], resources: ["pods"], resourceNames: r.pick([[], ["a"], ["a", "b"]]) },
      { verbs: ["get"], nonResourceURLs: r.pick([["/x"], ["/x/*", "/y"]]) },
    ]);
  return Array.from({ length: r.int(4) }, rule);
}

function aggregation(r, role) {
  const one = () => selector(r, role);
  return r.pick([
    () => ({ clusterRoleSelectors: [one()] }),
    () => ({ clusterRoleSelectors: [one(), one()] }),
    () => ({ clusterRoleSelectors: [one(), one(), one()] }),
    () => ({ clusterRoleSelectors: [] }),
    () => ({}),
  ])();
}

/** Draws a selector that matches roles of this world and of lower levels only. */
function selector(r, { level, base }) {
  const lower = Array.from({ length: level }, (_, below) => String(below));
  const expression = () => ({
    key: r.pick(["a", "b", "c"]),
    ...r.pick([
      { operator: "In", values: ["1", "2"] },
      { operator: "In", values: [""] },
      { operator: "NotIn", values: ["1"] },
      { operator: "Exists" },
      { operator: "DoesNotExist" },
    ]),
  });
  return {
    matchLabels: { world: base, ...(r.chance(0.4) && { a: r.pick(["1", "2"]) }) },
    matchExpressions: [
      { key: "level", operator: "In", values: lower },
      ...(r.chance(0.4) ? [expression()] : []),
      ...(r.chance(0.2) ? [expression()] : []),
    ],
  };
}

function action(r, role) {
  const { path, level } = role;
  return r.pick([
    () => erase(r, role),
    () => makeRole(r, role),
    () => merge(path, { rules: r.pick([rules(r), null, []]) }),
    () => merge(path, { rules: rules(r) }),
    () => merge(path, { metadata: { labels: { a: r.pick(["1", "2", null]), b: r.pick(["1", "", null]) } } }),
    () =>
      merge(
        path,
        level === 0
          ? { metadata: { labels: { a: r.pick(["1", null]) } } }
          : { aggregationRule: r.pick([null, aggregation(r, role)]) },
      ),
    () => merge(path, { metadata: { finalizers: r.pick([[], ["example.com/held"]]) } }),
    () => apply(r, role),
  ])();
}

/** Applies rules by hand: whoever applied them before owns them. */
function apply(r, { path, name, kind: { apiVersion, kind: ofKind } }) {
  const body = { apiVersion, kind: ofKind, metadata: { name }, ...(r.chance(0.8) && { rules: rules(r) }) };
  return send("PATCH", `${path}?fieldManager=${r.pick(["one", "two"])}${r.pick(["", "&force=true"])}`, body, "apply");
}
