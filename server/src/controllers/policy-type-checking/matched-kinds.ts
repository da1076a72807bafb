import type { ResourceRegistry, ServedResource } from "@gatehouse/apiserver/registry";
import { type JsonObject, type JsonValue, listAt, textsAt } from "@gatehouse/envelopes/json";

/** Number of kinds that v1.29 looks for with one rule. */
const maxKinds = 10;

/**
 * Lists the resources whose kinds the rules of a policy name, sorted by group, version and kind. As in v1.29, rules with
 * wildcards name none, an empty group stands for every group, and the search ends when one rule has named ten.
 */
export function matchedKinds(policy: JsonObject, registry: ResourceRegistry): readonly ServedResource[] {
  const found = new Map<string, ServedResource>();
  for (const rule of listAt(policy, "spec", "matchConstraints", "resourceRules")) {
    let count = 0;
    for (const served of kindsOfRule(rule, registry)) {
      found.set(kindText(served), served);
      count++;
      if (count === maxKinds) {
        return sorted(found.values());
      }
    }
  }
  return sorted(found.values());
}

/** Returns the text of a kind as Go prints it: `apps/v1, Kind=Deployment`, `/v1, Kind=Pod`. */
export function kindText({ group, version, kind }: Pick<ServedResource, "group" | "version" | "kind">): string {
  return `${group}/${version}, Kind=${kind}`;
}

function* kindsOfRule(rule: JsonValue, registry: ResourceRegistry): Generator<ServedResource> {
  const groups = textsAt(rule, "apiGroups");
  const versions = textsAt(rule, "apiVersions");
  if ([...groups, ...versions].some((name) => name.includes("*"))) {
    return;
  }
  const resources = textsAt(rule, "resources").filter((name) => !/[*/]/.test(name));
  for (const group of groups.sort()) {
    for (const version of versions.sort()) {
      for (const resource of resources.sort()) {
        yield* resourcesNamed(registry, group, version, resource);
      }
    }
  }
}

function resourcesNamed(
  registry: ResourceRegistry,
  group: string,
  version: string,
  resource: string,
): readonly ServedResource[] {
  if (group === "") {
    return registry.all().filter((served) => served.version === version && served.resource === resource);
  }
  const found = registry.find(group, version, resource);
  return found === undefined ? [] : [found];
}

function sorted(kinds: Iterable<ServedResource>): readonly ServedResource[] {
  return [...kinds].sort(
    (a, b) => compare(a.group, b.group) || compare(a.version, b.version) || compare(a.kind, b.kind),
  );
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
