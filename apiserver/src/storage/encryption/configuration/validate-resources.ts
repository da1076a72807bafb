import { type Problem, problemAt } from "@gatehouse/component-base/problems";
import { goQuote } from "@gatehouse/envelopes/go";
import { type GroupResource, groupResourceName, parseGroupResource } from "./group-resource.js";

const withoutApi: ReadonlySet<string> = new Set([
  "apiserveripinfo",
  "serviceipallocations",
  "servicenodeportallocations",
]);

/** Returns the problems of the resources of one entry, in the words of v1.29. */
export function validateResources(resources: readonly string[], path: string): readonly Problem[] {
  const invalid = (at: string, value: string, text: string): Problem =>
    problemAt(at, `Invalid value: ${value}: ${text}`);
  const list = `[]string{${resources.map(goQuote).join(", ")}}`;
  const problems: Problem[] = [];
  const parsed = resources.map(parseGroupResource);
  if (new Set(parsed.map(groupResourceName)).size < parsed.length) {
    problems.push(invalid(path, list, "the same resource cannot be specified multiple times"));
  }
  if (parsed.some((one, index) => parsed.some((other, at) => at !== index && masks(one, other)))) {
    problems.push(
      invalid(
        path,
        list,
        "using overlapping resources such as 'secrets' and '*.' in the same resource list is not allowed as they will be masked",
      ),
    );
  }
  for (const [index, resource] of resources.entries()) {
    const problem = problemOf(resource);
    if (problem !== undefined) {
      problems.push(invalid(`${path}[${index}]`, goQuote(resource), problem));
    }
  }
  return problems;
}

/** Reports whether a wildcard of the list stands for another member of it, too. */
function masks(one: GroupResource, other: GroupResource): boolean {
  if (one.group === other.group && one.resource === other.resource) {
    return false;
  }
  return isAll(one) || (one.group === other.group && (one.resource === "*" || other.resource === "*"));
}

function isAll({ group, resource }: GroupResource): boolean {
  return group === "*" && resource === "*";
}

function problemOf(resource: string): string | undefined {
  if (resource.toLowerCase() !== resource) {
    return "resource name should not contain capital letters";
  }
  if (resource === "*") {
    return "use '*.' to encrypt all the resources from core API group or *.* to encrypt all resources";
  }
  if (withoutApi.has(resource)) {
    return "resources which do not have REST API/s cannot be encrypted";
  }
  const { group, resource: name } = parseGroupResource(resource);
  if (group === "events.k8s.io") {
    return "'*.events.k8s.io' objects are stored using the 'events' API group in etcd. Use 'events' instead in the config file";
  }
  if (group === "extensions") {
    return "'extensions' group has been removed and cannot be used for encryption";
  }
  return group === "*" && name !== "*" ? "encrypting the same resource across groups is not supported" : undefined;
}

/** Returns the problem of a list of entries in which an earlier wildcard hides a later resource; undefined for none. */
export function maskedResource(entries: readonly (readonly string[])[]): string | undefined {
  const seen = new Set<string>();
  for (const resource of entries.flat()) {
    const { group } = parseGroupResource(resource);
    for (const wildcard of [groupResourceName({ group, resource: "*" }), "*.*"]) {
      if (seen.has(wildcard)) {
        const name = groupResourceName(parseGroupResource(resource));
        return `resource ${goQuote(name)} is masked by earlier rule ${goQuote(wildcard)}`;
      }
    }
    seen.add(groupResourceName(parseGroupResource(resource)));
  }
  return undefined;
}
