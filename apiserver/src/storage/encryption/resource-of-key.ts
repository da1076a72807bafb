import type { GroupResource } from "./configuration/group-resource.js";

/** The place of a built-in resource in the store. */
export interface StoredResource extends GroupResource {
  /** The part of its keys between the prefix of the store and the next slash. */
  readonly prefix: string;
}

/** Returns the resource that a key of the store belongs to; undefined for keys that belong to none. */
export type ResourceOfKey = (key: string) => GroupResource | undefined;

/**
 * Returns a function that tells the resource of a key. The prefixes of built-in resources do not name their group, so they
 * are listed. Custom resources come and go, but their prefix is always their group, which has a dot, and their name. What
 * the server keeps besides objects (ranges, leases of servers) belongs to no resource, and is stored as it is.
 */
export function resourceOfKeys(keyPrefix: string, builtIn: readonly StoredResource[]): ResourceOfKey {
  const byPrefix = new Map<string, GroupResource>();
  for (const { prefix, group, resource } of builtIn) {
    byPrefix.set(prefix, { group, resource });
  }
  const custom = new Map<string, GroupResource>();
  const customResource = (prefix: string, slash: number): GroupResource | undefined => {
    const group = prefix.slice(0, slash);
    if (!group.includes(".")) {
      return undefined;
    }
    let known = custom.get(prefix);
    if (known === undefined) {
      known = { group, resource: prefix.slice(slash + 1) };
      if (custom.size < maxCustomResources) {
        custom.set(prefix, known);
      }
    }
    return known;
  };
  return (key) => {
    if (!key.startsWith(keyPrefix)) {
      return undefined;
    }
    const start = keyPrefix.length;
    const first = key.indexOf("/", start);
    if (first < 0) {
      return undefined;
    }
    const direct = byPrefix.get(key.slice(start, first));
    if (direct !== undefined) {
      return direct;
    }
    const second = key.indexOf("/", first + 1);
    if (second < 0) {
      return undefined;
    }
    const prefix = key.slice(start, second);
    return byPrefix.get(prefix) ?? customResource(prefix, first - start);
  };
}

/** Number of custom resources that are remembered, so that they need not be made anew for each key. */
const maxCustomResources = 10_000;
