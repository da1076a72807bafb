import type { coreV1, gatehouseadmissionV1alpha1, metaV1 } from "@gatehouse/envelopes/types";
import {
  addDefaultTolerations,
  imageRegistries,
  injectSidecars,
  noLatestTag,
  requiredLabels,
  resourceLimits,
  type Violation,
} from "@gatehouse/policies/library";
import { type AdmissionDecision, allow, deny } from "../decision/decision.js";
import { mutator } from "../handlers/mutator.js";
import { validator } from "../handlers/validator.js";
import { type Hook, mutatingHook, validatingHook } from "../hooks/hook.js";
import type { HookRule } from "../hooks/hook-options.js";
import { workloadRules } from "../hooks/workload-rules.js";

type Settings = gatehouseadmissionV1alpha1.LibraryHook;

/** Returns one of the ready hooks under `name`. Throws TypeError unless `settings` has exactly one member. */
export function libraryHook(name: string, settings: Settings): Hook {
  const chosen = Object.entries(settings).filter(([, value]) => value !== undefined && value !== null);
  if (chosen.length !== 1) {
    throw new TypeError(`exactly one member must say which hook of the library this is, and ${chosen.length} do`);
  }
  const { requiredLabels: labels, defaultTolerations, sidecarInjector } = settings;
  if (labels) {
    const rules = labels.resources === undefined ? labelledRules : labels.resources.map(ruleOf);
    const handler = validator<{ metadata?: metaV1.ObjectMeta }>((object) => verdict(requiredLabels(object, labels)));
    return validatingHook({ name, rules, handler });
  }
  if (defaultTolerations) {
    const handler = mutator<coreV1.Pod>((pod) => addDefaultTolerations(pod, defaultTolerations));
    return mutatingHook({ name, workloads: true, handler, reinvocationPolicy: "IfNeeded" });
  }
  if (sidecarInjector) {
    // Pods only: changed templates would show containers that their authors did not write.
    const rules = [{ operations: ["CREATE"] as const, apiGroups: [""], apiVersions: ["v1"], resources: ["pods"] }];
    const handler = mutator<coreV1.Pod>((pod) => injectSidecars(pod, sidecarInjector));
    return mutatingHook({ name, rules, handler, reinvocationPolicy: "IfNeeded" });
  }
  return validatingHook({ name, workloads: true, handler: validator<coreV1.Pod>(podCheck(settings)) });
}

function podCheck(settings: Settings): (pod: coreV1.Pod) => AdmissionDecision {
  const { imageRegistries: registries, resourceLimits: limits, noLatestTag: tags } = settings;
  if (registries) {
    return (pod) => verdict(imageRegistries(pod, registries));
  }
  if (limits) {
    return (pod) => verdict(resourceLimits(pod, limits));
  }
  if (tags) {
    return (pod) => verdict(noLatestTag(pod, tags));
  }
  throw new TypeError(`the library has no hook ${Object.keys(settings).join(", ")}`);
}

/**
 * Returns a denial that lists every violation in its message and, for programs, in its causes; allows when there is
 * none.
 */
function verdict(violations: readonly Violation[]): AdmissionDecision {
  if (violations.length === 0) {
    return allow();
  }
  const causes = violations.map(({ field, message }) => ({ reason: "FieldValueInvalid", message, field }));
  return deny(violations.map(({ field, message }) => `${field}: ${message}`).join("; "), { details: { causes } });
}

/** Rules for namespaces and for workloads, without the pods and replica sets that controllers make of them. */
const labelledRules: readonly HookRule[] = [
  { operations: ["CREATE", "UPDATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["namespaces"] },
  ...workloadRules
    .map((rule) => ({
      ...rule,
      resources: rule.resources.filter((resource) => !/^(pods|podtemplates|replica.*)$/.test(resource)),
    }))
    .filter(({ resources }) => resources.length > 0),
];

function ruleOf({ group, version, resources }: gatehouseadmissionV1alpha1.LabelledResource): HookRule {
  return { operations: ["CREATE", "UPDATE"], apiGroups: [group], apiVersions: [version], resources };
}
