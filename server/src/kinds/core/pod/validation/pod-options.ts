/** Options for validating a pod or a template of pods. */
export interface PodOptions {
  /** True for a pod, false for a template. */
  readonly isPod: boolean;
  /** True if privileged containers are allowed. */
  readonly allowPrivileged: boolean;
  /** True if downward API and environment may read `status.hostIPs`. */
  readonly allowHostIps: boolean;
  /** True if the scheduling directives of a pod may change while scheduling gates hold it back. */
  readonly allowMutableScheduling: boolean;
  /** True to validate the names of VolumeAttributesClasses in ephemeral volumes. */
  readonly checksAttributesClass: boolean;
  // The following are true if the stored object has the error already.
  readonly allowInvalidDeletionCost: boolean;
  readonly allowInvalidSelectorValues: boolean;
  readonly allowInvalidSpreadSelectors: boolean;
  readonly allowIndivisibleHugePages: boolean;
  readonly allowHostSysctls: boolean;
}
