import { type JsonValue, textAt, textsAt } from "@gatehouse/envelopes/json";
import type { GroupVersionResource } from "@gatehouse/envelopes/schema";

/** A write as rules match it. */
export interface WriteToMatch {
  readonly operation: string;
  readonly resource: GroupVersionResource;
  readonly subresource: string;
  /** The namespace as in the attributes: for a namespace, its own name. */
  readonly namespace: string;
}

/** A rule that selects writes by operation and resource. */
export interface ResourceRule {
  /** The names of the objects that it selects; undefined for all. */
  readonly names: ReadonlySet<string> | undefined;
  /** Reports whether it selects such writes, of objects of some names if it has any. */
  matches(write: WriteToMatch): boolean;
}

/** Compiles a RuleWithOperations of a webhook, or a NamedRuleWithOperations of a policy. */
export function compileResourceRule(rule: JsonValue): ResourceRule {
  const [operations, groups, versions] = [
    oneOf(textsAt(rule, "operations")),
    oneOf(textsAt(rule, "apiGroups")),
    oneOf(textsAt(rule, "apiVersions")),
  ];
  const resources = textsAt(rule, "resources").map(splitResource);
  const scope = textAt(rule, "scope");
  const names = textsAt(rule, "resourceNames");
  return {
    names: names.length === 0 ? undefined : new Set(names),
    matches: ({ operation, resource, subresource, namespace }) =>
      operations(operation) &&
      groups(resource.group) &&
      versions(resource.version) &&
      resources.some(
        ([name, sub]) => (name === "*" || name === resource.resource) && (sub === "*" || sub === subresource),
      ) &&
      isInScope(scope, resource, namespace),
  };
}

function oneOf(items: readonly string[]): (asked: string) => boolean {
  const known = new Set(items);
  return known.has("*") ? () => true : (asked) => known.has(asked);
}

/**
 * Splits a rule's resource: `pods` has no subresource, `pods/*` any or none, and a star before the slash means any
 * resource.
 */
function splitResource(text: string): readonly [string, string] {
  const slash = text.indexOf("/");
  return slash < 0 ? [text, ""] : [text.slice(0, slash), text.slice(slash + 1)];
}

/**
 * Reports whether a write is in the scope of a rule. Namespaces are cluster-scoped, though their attributes name one.
 */
function isInScope(scope: string, { group, version, resource }: GroupVersionResource, namespace: string): boolean {
  if (scope === "" || scope === "*") {
    return true;
  }
  const isNamespace = group === "" && version === "v1" && resource === "namespaces";
  const isNamespaced = !isNamespace && namespace !== "";
  return scope === "Namespaced" ? isNamespaced : scope === "Cluster" && !isNamespaced;
}
