// Rules of roles and what binds them, drawn from few words, so that rules of several roles overlap in parts.

/** The API group of roles and bindings. */
export const rbacGroup = "rbac.authorization.k8s.io";
const verbs = ["get", "get", "list", "list", "watch", "create", "update", "delete", "*", "use", "Get", "bind", ""];
const groups = ["", "", "", "apps", "apps", "*", rbacGroup, "example.com", "Apps"];
const resources = [
  ...["pods", "pods", "pods", "pods/log", "pods/log", "*/log", "*/log", "pods/*", "*/*", "*", "secrets", "configmaps"],
  ...[
    "deployments",
    "deployments/scale",
    "*/scale",
    "nodes/proxy",
    "pods/log/x",
    "*/log/x",
    "pods/",
    "/log",
    "roles",
    "",
  ],
];
const names = ["a", "a", "b", "c", "*", "", 'q"\\', "é\u0007", "a b"];
const paths = [
  ...[
    "/x",
    "/x",
    "/x/*",
    "/x/*",
    "/x/y",
    "/x/y/*",
    "*",
    "/*",
    "/x*",
    "/x/**",
    "x",
    "",
    "/healthz",
    "/metrics",
    "/x/*/y",
  ],
  ...["/é", "/x/", "**", "/apis/*"],
];

/** A few of the words: mostly one, at times none, or the same twice. */
function words(r, from, { none = 0.05, most = 4 } = {}) {
  if (r.chance(none)) return [];
  const count = r.chance(0.5) ? 1 : 1 + r.int(most);
  return Array.from({ length: count }, () => r.pick(from));
}

/** A rule of a role, valid or not; of paths only where they have a meaning, or now and then. */
export function policyRule(r, { hasPaths = false } = {}) {
  const isAboutPaths = r.chance(hasPaths ? 0.25 : 0.04);
  const rule = { verbs: words(r, verbs) };
  if (isAboutPaths) rule.nonResourceURLs = words(r, paths);
  if (isAboutPaths ? r.chance(0.08) : r.chance(0.97)) rule.apiGroups = words(r, groups);
  if (isAboutPaths ? r.chance(0.08) : r.chance(0.97)) rule.resources = words(r, resources);
  if (r.chance(isAboutPaths ? 0.04 : 0.25)) rule.resourceNames = words(r, names);
  return rule;
}

/** A valid rule: one that a server stores. */
export function validRule(r, { hasPaths = false } = {}) {
  if (hasPaths && r.chance(0.25)) {
    return { verbs: words(r, verbs, { none: 0 }), nonResourceURLs: words(r, paths, { none: 0 }) };
  }
  return {
    verbs: words(r, verbs, { none: 0 }),
    apiGroups: words(r, groups, { none: 0 }),
    resources: words(r, resources, { none: 0 }),
    ...(r.chance(0.25) && { resourceNames: words(r, names) }),
  };
}

/** A rule that has much in common with one of the rules: a part of it, or with one word more. */
export function nearRule(r, rules, options) {
  if (rules.length === 0) return policyRule(r, options);
  const rule = structuredClone(r.pick(rules));
  const all = { verbs, apiGroups: groups, resources, resourceNames: names, nonResourceURLs: paths };
  for (const member of Object.keys(rule)) {
    const list = rule[member];
    if (r.chance(0.3)) list.splice(r.int(list.length), 1);
    if (r.chance(0.2)) list.push(r.pick(all[member]));
    if (r.chance(0.15)) rule[member] = list.concat(list);
  }
  if (r.chance(0.15)) rule.resourceNames = words(r, names);
  return rule;
}

/** A binding of a role to subjects. */
export function bindingOf(name, kind, roleName, subjects) {
  return { metadata: { name }, roleRef: { apiGroup: rbacGroup, kind, name: roleName }, subjects };
}

/** Subjects of bindings. */
export const user = (name) => ({ apiGroup: rbacGroup, kind: "User", name });
export const group = (name) => ({ apiGroup: rbacGroup, kind: "Group", name });

/** The path of a resource of roles: in a namespace, or of the cluster. */
export function rolesPath(resource, namespace) {
  const where = resource.startsWith("cluster") ? "" : `namespaces/${namespace}/`;
  return `/apis/${rbacGroup}/v1/${where}${resource}`;
}
