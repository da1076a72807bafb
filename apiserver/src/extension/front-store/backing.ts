/** The resources in front that can hold a store, as `--storage-backend` names them. */
export const backingNames = ["configmaps", "customresources"] as const;

export type BackingName = (typeof backingNames)[number];

/** A namespaced resource of the API server in front whose objects hold stores: each has fields as a ConfigMap has them. */
export interface Backing {
  /** The API group; empty for the core group. */
  readonly group: string;
  readonly version: string;
  /** The plural name in paths and rules. */
  readonly resource: string;
  /** The kind, by which messages name the objects. */
  readonly kind: string;
  /** The name of the CustomResourceDefinition that makes the resource; undefined for one that every API server has. */
  readonly definition: string | undefined;
}

/** Returns the backing of a store. Each name of stores has custom resources of its own, so that rules can tell them apart. */
export function backingOf(backing: BackingName, store: string): Backing {
  if (backing === "configmaps") {
    return { group: "", version: "v1", resource: "configmaps", kind: "ConfigMap", definition: undefined };
  }
  const group = `${store}.storage.gatehouse.dev`;
  return { group, version: "v1", resource: "records", kind: "Record", definition: `records.${group}` };
}

/** Returns the `apiVersion` of the objects of a backing. */
export function apiVersionOf({ group, version }: Backing): string {
  return group === "" ? version : `${group}/${version}`;
}

/** Returns the path of a backing in a namespace. */
export function pathOf({ group, version, resource }: Backing, namespace: string): string {
  const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  return `${root}/namespaces/${encodeURIComponent(namespace)}/${resource}`;
}
