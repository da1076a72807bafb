import { type JsonObject, type JsonValue, listAt, textAt } from "@gatehouse/envelopes/json";

const replacements: Readonly<Record<string, readonly [since: string, label: string]>> = {
  "beta.kubernetes.io/arch": ["v1.14", "kubernetes.io/arch"],
  "beta.kubernetes.io/os": ["v1.14", "kubernetes.io/os"],
  "failure-domain.beta.kubernetes.io/region": ["v1.17", "topology.kubernetes.io/region"],
  "failure-domain.beta.kubernetes.io/zone": ["v1.17", "topology.kubernetes.io/zone"],
  "beta.kubernetes.io/instance-type": ["v1.17", "node.kubernetes.io/instance-type"],
};

/** Returns the message for a deprecated label of nodes; undefined for others. */
export function deprecatedLabel(label: string): string | undefined {
  if (!Object.hasOwn(replacements, label)) {
    return undefined;
  }
  const [since, replacement] = replacements[label] as readonly [string, string];
  return `deprecated since ${since}; use "${replacement}" instead`;
}

/** Returns warnings for the deprecated labels among the keys of a map; `at` returns the path of a label. */
export function deprecatedKeys(labels: JsonObject, at: (label: string) => string): readonly string[] {
  return Object.keys(labels).flatMap((label) => {
    const message = deprecatedLabel(label);
    return message === undefined ? [] : [`${at(label)}: ${message}`];
  });
}

/** Returns warnings for the deprecated labels in the `matchExpressions` of a selector at `path`. */
export function deprecatedExpressions(selector: JsonValue | undefined, path: string): readonly string[] {
  return listAt(selector, "matchExpressions").flatMap((expression, index) => {
    const label = textAt(expression, "key");
    const message = deprecatedLabel(label);
    return message === undefined ? [] : [`${path}.matchExpressions[${index}].key: ${label} is ${message}`];
  });
}
