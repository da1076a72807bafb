import { autoscalingRules } from "./autoscaling.js";
import { coreRules } from "./core.js";
import { podRules } from "./core-pod.js";
import { volumeRules } from "./core-volumes.js";
import type { DefaultingRules } from "./defaulting-rule.js";
import { otherRules } from "./other-groups.js";
import { workloadRules } from "./workloads.js";

/** Every rule of every served version, by full message name. */
export const defaultingRules: DefaultingRules = {
  ...podRules,
  ...volumeRules,
  ...coreRules,
  ...workloadRules,
  ...autoscalingRules,
  ...otherRules,
};
