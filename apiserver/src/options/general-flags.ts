import type { FlagTable } from "@gatehouse/component-base/flags";

/** The flag for the address of every API server, named as kube-apiserver names it. */
export const addressFlags = {
  "bind-address": {
    type: "ip",
    default: "0.0.0.0",
    group: "Secure serving",
    help: "The `IP` address to listen on for --secure-port. 0.0.0.0 and :: mean all addresses of both families.",
  },
} as const satisfies FlagTable;

/** The flag for deletions of collections by every API server, named as kube-apiserver names it. */
export const deletionFlags = {
  "delete-collection-workers": {
    type: "int",
    default: 1,
    min: 1,
    max: 1000,
    group: "Storage",
    help: "How many objects of a deletecollection are deleted side by side.",
  },
} as const satisfies FlagTable;
