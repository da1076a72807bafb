import { type GroupVersionKind, schemaRegistry } from "@gatehouse/envelopes/schema";

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

/** Names of kinds that v1.29 can read under any version where it looks for options, but not as options. */
const inEveryVersionOfOptions: ReadonlySet<string> = new Set([
  "APIGroup",
  "APIGroupList",
  "APIResourceList",
  "APIVersions",
  "CreateOptions",
  "Status",
  "UpdateOptions",
]);

/** Names of kinds of the meta group, each with the version of its Go type, that v1.29 can read in its place. */
const besideOptions: ReadonlyMap<string, string> = new Map([
  ["meta.k8s.io/v1 GetOptions", "v1"],
  ["meta.k8s.io/v1 ListOptions", "v1"],
  ["meta.k8s.io/v1 PartialObjectMetadata", "v1"],
  ["meta.k8s.io/v1 PartialObjectMetadataList", "v1"],
  ["meta.k8s.io/v1 PatchOptions", "v1"],
  ["meta.k8s.io/v1 Table", "v1"],
  ["meta.k8s.io/v1 TableOptions", "v1"],
  ["meta.k8s.io/v1 WatchEvent", "v1"],
  ["meta.k8s.io/v1beta1 PartialObjectMetadata", "v1"],
  ["meta.k8s.io/v1beta1 PartialObjectMetadataList", "v1beta1"],
  ["meta.k8s.io/v1beta1 Table", "v1"],
  ["meta.k8s.io/v1beta1 TableOptions", "v1"],
]);

/**
 * Returns the Go type of a kind, other than the wanted one, that a body states where v1.29 reads options; undefined when it knows no
 * such kind there.
 */
export function registeredBesideOptions(apiVersion: string, kind: string): string | undefined {
  const version = inEveryVersionOfOptions.has(kind) ? "v1" : besideOptions.get(`${apiVersion} ${kind}`);
  return version === undefined ? undefined : `${version}.${kind}`;
}
