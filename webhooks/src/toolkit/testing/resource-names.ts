import * as builtinResources from "../lookup/builtin-resources.js";

/** Returns the plural name of a kind's resource as Kubernetes forms it: `networkpolicies` of `NetworkPolicy`. */
export function resourceNameOf(kind: string): string {
  const name = kind.toLowerCase();
  if (name === "endpoints") {
    return name;
  }
  return /[^aeiou]y$/.test(name) ? `${name.slice(0, -1)}ies` : /(?:s|x|ch|sh)$/.test(name) ? `${name}es` : `${name}s`;
}

const clusterKinds: ReadonlySet<string> = new Set([
  ...Object.values(builtinResources).flatMap(({ kind, namespaced }) => (namespaced ? [] : [kind])),
  // These have no stable version.
  "ValidatingAdmissionPolicy",
  "ValidatingAdmissionPolicyBinding",
]);

/** Reports whether a built-in kind is cluster-scoped. */
export function isClusterKind(kind: string): boolean {
  return clusterKinds.has(kind);
}
