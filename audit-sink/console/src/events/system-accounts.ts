import type { Filter } from "../address/view.js";

/**
 * Patterns of the users by which a cluster runs itself: its components, nodes and the service accounts of the namespaces
 * that are reserved for it. Others that begin with `system:`, as `system:anonymous` and `system:admin`, are people or
 * could be, and are always listed.
 */
const patterns: readonly string[] = [
  "system:aggregator",
  "system:apiserver",
  "system:kube-*",
  "system:monitoring",
  "system:node:*",
  "system:serviceaccount:kube-*",
];

/** Conditions that leave system accounts out. */
export const withoutSystemAccounts: readonly Filter[] = patterns.map((pattern) => ({
  field: "user",
  value: `!${pattern}`,
}));

/** Conditions that fit system accounts only. */
export const onlySystemAccounts: readonly Filter[] = patterns.map((pattern) => ({ field: "user", value: pattern }));
