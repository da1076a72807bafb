// Audit policies: one that records everything, and others drawn from a number.
import { Random } from "../random.mjs";

const header = { apiVersion: "audit.k8s.io/v1", kind: "Policy" };
const levels = ["None", "Metadata", "Request", "Request", "RequestResponse", "RequestResponse", "RequestResponse"];
const groups = ["", "", "apps", "batch", "rbac.authorization.k8s.io", "example.com", "authorization.k8s.io", "policy"];
const resources = [
  ...["*", "configmaps", "secrets", "pods", "pods/*", "*/status", "*/scale", "*/token", "deployments", "widgets"],
  ...["pods/log", "pods/exec", "*/*", "*/eviction", "serviceaccounts/*", "namespaces", "nodes/*", "things", "roles"],
];
const paths = ["*", "/", "/version", "/api*", "/apis/*", "/healthz*", "/livez/*", "/openapi*", "/no*", "/api/v1"];
const verbs = [
  ...["get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"],
  ...["post", "put", "head", "options", "*", "connect"],
];

/** Returns the policy of a number; that of 0 records everything. */
export function drawnPolicy(seed) {
  if (seed === 0) return { ...header, rules: [{ level: "RequestResponse" }] };
  const r = new Random(seed * 7_919);
  return {
    ...header,
    ...(r.chance(0.5) && { omitManagedFields: r.chance(0.7) }),
    ...(r.chance(0.6) && { omitStages: r.some(["RequestReceived", "ResponseStarted", "Panic"]) }),
    rules: [
      ...Array.from({ length: 10 + r.int(15) }, () => rule(r)),
      { level: r.pick(["Request", "RequestResponse"]) },
    ],
  };
}

function rule(r) {
  const level = r.pick(levels);
  return {
    level,
    ...(r.chance(0.25) && { omitManagedFields: r.chance(0.5) }),
    ...(r.chance(0.2) && {
      omitStages: r.some(["RequestReceived", "ResponseStarted", "ResponseComplete", "Panic"], 0.3),
    }),
    ...conditions(r),
  };
}

/** Draws conditions, one at least, so that a rule leaves something to the next. */
function conditions(r) {
  const drawn = {
    ...(r.chance(0.25) && { users: r.some(["jane", "kubernetes-admin", "system:anonymous", "bob", ""]) }),
    ...(r.chance(0.25) && { userGroups: r.some(["developers", "system:masters", "system:unauthenticated", "*"]) }),
    ...(r.chance(0.5) && { verbs: r.some(verbs, 0.3) }),
    ...(r.chance(0.15) && { namespaces: r.some(["audit-events", "audit-secure", "", "default", "*"], 0.4) }),
    ...(r.chance(0.6)
      ? { resources: Array.from({ length: 1 + r.int(3) }, () => groupResources(r)) }
      : r.chance(0.5) && { nonResourceURLs: [r.pick(paths), ...r.some(paths, 0.2)] }),
  };
  // A rule is of resources or of paths, not both.
  if (drawn.namespaces) delete drawn.nonResourceURLs;
  const isBare = Object.values(drawn).every(({ length }) => length === 0);
  return isBare ? { ...drawn, verbs: [r.pick(verbs)] } : drawn;
}

function groupResources(r) {
  const names = r.chance(0.15) ? r.some(["fixed", "a", "b", "default"]) : [];
  const chosen = r.chance(0.15) && names.length === 0 ? [] : [r.pick(resources), ...r.some(resources, 0.1)];
  return {
    group: r.pick(groups),
    ...(chosen.length > 0 && { resources: chosen }),
    ...(names.length > 0 && { resourceNames: names }),
  };
}
