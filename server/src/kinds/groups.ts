/** An API group of this server, as discovery and the aggregator rank it. */
export interface BuiltinGroup {
  readonly name: string;
  /** The rank of the group in discovery, highest first; a custom resource group has 1000. */
  readonly groupPriorityMinimum: number;
  /** The versions, best first: the first that is served is the preferred version of the group. */
  readonly versions: readonly BuiltinGroupVersion[];
}

/** A version of a group, as the aggregator ranks it. */
export interface BuiltinGroupVersion {
  readonly version: string;
  /** The rank of the version, highest first. */
  readonly versionPriority: number;
  readonly servedByDefault: boolean;
}

function group(
  name: string,
  groupPriorityMinimum: number,
  versions: readonly (readonly [version: string, versionPriority: number, servedByDefault: boolean])[],
): BuiltinGroup {
  return {
    name,
    groupPriorityMinimum,
    versions: versions.map(([version, versionPriority, servedByDefault]) => ({
      version,
      versionPriority,
      servedByDefault,
    })),
  };
}

/** Every built-in group, in the order of discovery. */
export const builtinGroups: readonly BuiltinGroup[] = [
  group("apiregistration.k8s.io", 20001, [["v1", 0, true]]),
  group("", 18000, [["v1", 1, true]]),
  group("apps", 17800, [["v1", 15, true]]),
  group("events.k8s.io", 17750, [["v1", 15, true]]),
  group("authentication.k8s.io", 17700, [
    ["v1", 15, true],
    ["v1beta1", 9, false],
    ["v1alpha1", 1, false],
  ]),
  group("authorization.k8s.io", 17600, [["v1", 15, true]]),
  group("autoscaling", 17500, [
    ["v2", 30, true],
    ["v1", 15, true],
  ]),
  group("batch", 17400, [["v1", 15, true]]),
  group("certificates.k8s.io", 17300, [
    ["v1", 15, true],
    ["v1alpha1", 1, false],
  ]),
  group("networking.k8s.io", 17200, [
    ["v1", 15, true],
    ["v1alpha1", 1, false],
  ]),
  group("policy", 17100, [["v1", 15, true]]),
  group("rbac.authorization.k8s.io", 17000, [["v1", 15, true]]),
  group("storage.k8s.io", 16800, [
    ["v1", 15, true],
    ["v1alpha1", 1, false],
  ]),
  group("admissionregistration.k8s.io", 16700, [
    ["v1", 15, true],
    ["v1beta1", 12, false],
    ["v1alpha1", 9, false],
  ]),
  group("apiextensions.k8s.io", 16700, [["v1", 15, true]]),
  group("scheduling.k8s.io", 16600, [["v1", 15, true]]),
  group("coordination.k8s.io", 16500, [["v1", 15, true]]),
  group("node.k8s.io", 16300, [["v1", 15, true]]),
  group("discovery.k8s.io", 16200, [["v1", 15, true]]),
  group("flowcontrol.apiserver.k8s.io", 16100, [
    ["v1", 21, true],
    ["v1beta3", 18, true],
  ]),
  group("internal.apiserver.k8s.io", 16000, [["v1alpha1", 9, false]]),
  group("resource.k8s.io", 15900, [["v1alpha2", 9, false]]),
];
