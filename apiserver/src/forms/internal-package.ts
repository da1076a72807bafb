/** Groups whose Go package is not the beginning of their name. */
const packages: ReadonlyMap<string, string> = new Map([
  ["", "core"],
  ["events.k8s.io", "core"],
  ["internal.apiserver.k8s.io", "apiserverinternal"],
]);

/** Returns the Go package of v1.29's internal types of a group, which some of its messages name. */
export function internalPackage(group: string): string {
  return packages.get(group) ?? (group.split(".", 1)[0] as string);
}
