import { autoscalingRules } from "./autoscaling.js";
import { corePlainDefaults, coreRules } from "./core.js";
import { podPlainDefaults, podRules } from "./core-pod.js";
import { volumePlainDefaults, volumeRules } from "./core-volumes.js";
import type { DefaultingRules, PlainDefaults } from "./defaulting-rule.js";
import { otherPlainDefaults, otherRules } from "./other-groups.js";
import { workloadPlainDefaults, workloadRules } from "./workloads.js";

/** Every rule of every served version, by full message name. */
export const defaultingRules: DefaultingRules = {
  ...podRules,
  ...volumeRules,
  ...coreRules,
  ...workloadRules,
  ...autoscalingRules,
  ...otherRules,
};

export const plainDefaults: PlainDefaults = {
  ...podPlainDefaults,
  ...volumePlainDefaults,
  ...corePlainDefaults,
  ...workloadPlainDefaults,
  ...otherPlainDefaults,
};
