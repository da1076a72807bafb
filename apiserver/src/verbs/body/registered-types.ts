import type { GroupVersionKind } from "@gatehouse/envelopes/schema";
import { schemaRegistry } from "@gatehouse/envelopes/schema";

// The kinds that v1.29 finds where it reads bodies. It has three sets of them: one of all groups but the two whose servers it
// has built in, and one of each of these.

/** Groups of which each is in a set of its own. */
const ownSets: ReadonlySet<string> = new Set(["apiextensions.k8s.io", "apiregistration.k8s.io"]);

/** Kinds of meta/v1 that are known under any group and version, whether these exist or not. */
const unversioned: ReadonlySet<string> = new Set([
  "APIGroup",
  "APIGroupList",
  "APIResourceList",
  "APIVersions",
  "Status",
]);

/** Kinds of meta/v1 that are known under every group version that has kinds of its own, and in each set under `v1`. */
const inEveryGroupVersion: ReadonlySet<string> = new Set([
  "CreateOptions",
  "DeleteOptions",
  "GetOptions",
  "ListOptions",
  "PatchOptions",
  "UpdateOptions",
  "WatchEvent",
]);

/**
 * Returns the Go type of a kind that a body of the expected group states, `v1.Pod`; undefined when v1.29 knows no such kind
 * there. Kinds of meta/v1 keep their version.
 */
export function registeredType({ group, version, kind }: GroupVersionKind, expectedGroup: string): string | undefined {
  if (unversioned.has(kind)) {
    return `v1.${kind}`;
  }
  const isInSet = ownSets.has(expectedGroup) ? group === expectedGroup : !ownSets.has(group);
  const kinds = isInSet && group !== "meta.k8s.io" ? schemaRegistry().kindsOf(group, version) : [];
  if (inEveryGroupVersion.has(kind)) {
    return kinds.length > 0 || (group === "" && version === "v1") ? `v1.${kind}` : undefined;
  }
  return kinds.some((own) => own.kind === kind) ? `${version}.${kind}` : undefined;
}
