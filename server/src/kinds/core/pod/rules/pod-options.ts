/** What is let pass in a pod, or in a template for pods, besides what the rules say. */
export interface PodOptions {
  /** It is a pod, and no template. */
  readonly isPod: boolean;
  /** Containers may have all rights on their node. */
  readonly allowPrivileged: boolean;
  /** Downward API and environment may tell all addresses of the node. */
  readonly allowHostIps: boolean;
  /** Where a pod may run can change as long as scheduling gates hold it back. */
  readonly allowMutableScheduling: boolean;
  /** Classes of volume attributes are looked at in claims that are made for the pod. */
  readonly checksAttributesClass: boolean;
  // What follows is let pass if it was there before.
  readonly allowInvalidDeletionCost: boolean;
  readonly allowInvalidSelectorValues: boolean;
  readonly allowInvalidSpreadSelectors: boolean;
  readonly allowIndivisibleHugePages: boolean;
  readonly allowHostSysctls: boolean;
}
