import type { StrategyContext } from "@gatehouse/apiserver/registry";
import { FieldErrors, FieldPath, validateLabelSelector } from "@gatehouse/apiserver/validation";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  listAt,
  objectAt,
  textAt,
  valueAt,
} from "@gatehouse/envelopes/json";
import { isHugePages } from "../../../../validation/resource-names.js";
import { validateDeletionCost } from "./annotations.js";
import type { PodOptions } from "./pod-options.js";
import { isDivisibleIntoPages } from "./resources.js";
import { isHostSysctl } from "./sysctls.js";

/**
 * Returns the options for validating a pod or a template. `old` is the holder of the `metadata` and `spec` that are
 * replaced.
 */
export function podOptions(old: JsonValue | undefined, isPod: boolean, context: StrategyContext): PodOptions {
  const { features, allowPrivileged } = context;
  const fixed = {
    isPod,
    allowPrivileged,
    allowHostIps: features.enabled("PodHostIPs"),
    checksAttributesClass: features.enabled("VolumeAttributesClass"),
    allowMutableScheduling: features.enabled("PodSchedulingReadiness"),
    allowInvalidDeletionCost: !features.enabled("PodDeletionCost"),
  };
  if (!isJsonObject(old)) {
    return { ...fixed, ...strict };
  }
  const spec = objectAt(old, "spec");
  return {
    ...fixed,
    allowHostIps: fixed.allowHostIps || usesHostIps(spec),
    allowInvalidDeletionCost: fixed.allowInvalidDeletionCost || hasInvalidDeletionCost(old),
    allowInvalidSelectorValues: hasInvalidAffinity(spec),
    allowInvalidSpreadSelectors: isWrong((errors) => {
      for (const constraint of listAt(spec, "topologySpreadConstraints")) {
        validateLabelSelector(valueAt(constraint, "labelSelector"), anywhere, errors);
      }
    }),
    allowIndivisibleHugePages: usesIndivisibleHugePages(spec),
    allowHostSysctls: listAt(spec, "securityContext", "sysctls").some((sysctl) =>
      isHostSysctl(textAt(sysctl, "name"), spec),
    ),
  };
}

const strict = {
  allowInvalidSelectorValues: false,
  allowInvalidSpreadSelectors: false,
  allowIndivisibleHugePages: false,
  allowHostSysctls: false,
};

const anywhere = FieldPath.of("spec");

function isWrong(check: (errors: FieldErrors) => void): boolean {
  const errors = new FieldErrors();
  check(errors);
  return errors.list.length > 0;
}

function hasInvalidDeletionCost(old: JsonObject): boolean {
  return isWrong((errors) => validateDeletionCost(objectAt(old, "metadata", "annotations"), anywhere, errors));
}

const hostIps = "status.hostIPs";

function usesHostIps(spec: JsonObject): boolean {
  const inVolumes = listAt(spec, "volumes").some((volume) =>
    listAt(volume, "downwardAPI", "items").some((file) => textAt(file, "fieldRef", "fieldPath") === hostIps),
  );
  return (
    inVolumes ||
    [...listAt(spec, "initContainers"), ...listAt(spec, "containers")].some((container) =>
      listAt(container, "env").some((variable) => textAt(variable, "valueFrom", "fieldRef", "fieldPath") === hostIps),
    )
  );
}

function hasInvalidAffinity(spec: JsonObject): boolean {
  return ["podAffinity", "podAntiAffinity"].some((kind) => {
    const affinity = objectAt(spec, "affinity", kind);
    const preferred = listAt(affinity, "preferredDuringSchedulingIgnoredDuringExecution");
    const terms = [
      ...listAt(affinity, "requiredDuringSchedulingIgnoredDuringExecution"),
      ...preferred.map((weighted) => objectAt(weighted, "podAffinityTerm")),
    ];
    return isWrong((errors) => {
      for (const term of terms) {
        validateLabelSelector(valueAt(term, "labelSelector"), anywhere, errors);
        validateLabelSelector(valueAt(term, "namespaceSelector"), anywhere, errors);
      }
    });
  });
}

function usesIndivisibleHugePages(spec: JsonObject): boolean {
  const isIndivisible = (amounts: JsonObject): boolean =>
    Object.keys(amounts).some((name) => isHugePages(name) && !isDivisibleIntoPages(name, amounts[name]));
  return (
    ["initContainers", "containers", "ephemeralContainers"].some((list) =>
      listAt(spec, list).some(
        (container) =>
          isIndivisible(objectAt(container, "resources", "limits")) ||
          isIndivisible(objectAt(container, "resources", "requests")),
      ),
    ) || isIndivisible(objectAt(spec, "overhead"))
  );
}
